"""No log has an address that lets in whoever has it: ours, gunicorn's, nginx's and Caddy's; found by the URLs."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import StringConverter, UUIDConverter
from django.urls.resolvers import RegexPattern, RoutePattern
from gunicorn.config import Config

from deploy import web_worker
from league.log_lines import replace_secret_links

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
SECRET = "5f0c2f7e-hush-hush"
OPEN = {"day"}  # a text, and no secret
ROWS = "/repairs/"  # the admin's addresses name rows, for superusers


def addresses(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    """Yield each address that has a text which nobody can guess, with SECRET for it."""
    for pattern in resolver.url_patterns:
        address = before + filled(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, address)
        elif SECRET in address and not address.startswith(ROWS):
            assert isinstance(pattern, URLPattern)
            yield address


def filled(pattern: Any) -> str:
    """Return a part of an address, with SECRET for each text and 7 for the rest."""
    text = str(pattern)
    if isinstance(pattern, RoutePattern):
        for name, converter in pattern.converters.items():
            plain = type(converter) in (StringConverter, UUIDConverter) and name not in OPEN
            text = re.sub(rf"<(?:\w+:)?{name}>", SECRET if plain else "7", text)
        return text
    assert isinstance(pattern, RegexPattern)
    for name in pattern.regex.groupindex:
        text = re.sub(rf"\(\?P<{name}>(?:\[[^\]]*\]|[^()])*\)", "7" if name in OPEN else SECRET, text)
    return text.strip("^$").replace("^", "").replace("\\Z", "")


ADDRESSES = sorted({*addresses(get_resolver())})


def test_the_secret_addresses_that_we_know_are_found() -> None:
    assert {address.split(SECRET)[0] for address in ADDRESSES} >= {
        *("/calendar/", "/live/", "/screen/", "/at/", "/join/", "/letters/stop/"),
        *("/account/confirm-email/", "/account/password/reset/key/"),
    }


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_line_of_ours_has_it(address: str) -> None:
    for line in (f"GET {address}", f'{{"request": "GET {address}?a=1"}}', f"/account/login/?next={address}&b=2"):
        assert SECRET not in replace_secret_links(line)
    encoded = address.replace("/", "%2F")
    assert SECRET not in replace_secret_links(f"GET /account/login/?next={encoded}&b=2")


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_line_of_gunicorn_has_it(address: str, tmp_path: Path) -> None:
    config = Config()
    for name in ("errorlog", "accesslog"):
        config.set(name, str(tmp_path / name))
    logger = web_worker.Logger(config)  # type: ignore[no-untyped-call]
    try:
        try:
            raise ValueError(address)
        except ValueError:
            logger.error_log.exception("Error handling request %s %s", "GET", address)
        logger.access_log.info('"GET %s HTTP/1.1" 200', address)
    finally:
        for log in (logger.error_log, logger.access_log):
            for handler in list(log.handlers):
                log.removeHandler(handler)
                handler.close()
            log.setLevel(logging.NOTSET)
    lines = (tmp_path / "errorlog").read_text() + (tmp_path / "accesslog").read_text()
    assert lines.count("***") >= 3
    assert SECRET not in lines


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_line_of_a_proxy_has_it(address: str) -> None:
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    [pattern] = re.findall(r'^ +"~\*(.*)" "\$before\*\*\*\$after";$', nginx, re.MULTILINE)
    written = re.sub(
        re.sub(r"\(\?<(\w+)>", r"(?P<\1>", pattern), r"\g<before>***\g<after>", f"GET {address}?a=1 HTTP/2.0"
    )
    assert SECRET not in written
    assert written.endswith(" HTTP/2.0")
    [pattern, becomes] = re.findall(r'request>uri regexp "(.*)" "(.*)"$', caddy, re.MULTILINE)[0]
    assert SECRET not in re.sub(pattern, becomes.replace("${1}", r"\1"), f"{address}?a=1")


def test_no_proxy_writes_the_page_from_which_somebody_comes() -> None:
    nginx = (DEPLOY / "nginx.conf").read_text()
    assert "$http_referer" not in nginx
    assert nginx.count("server {") == nginx.count("access.log league;")
    assert "error_log /var/log/nginx/error.log crit;" in nginx.partition("listen 443")[2]
    assert "request>headers>Referer delete" in (DEPLOY / "Caddyfile").read_text()
