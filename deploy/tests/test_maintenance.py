"""The maintenance page of the containers, as deploy/container/start serves it, without database and settings."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from deploy.child import preexec_to_die_with_parent

ROOT = Path(__file__).resolve().parents[2]
START = ROOT / "deploy" / "container" / "start"
PATIENCE = 60.0  # seconds


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Start the command of the container in an image's folder that has the page and a style."""
    (tmp_path / "deploy").mkdir()
    for name in ("__init__.py", "maintenance.py", "maintenance.html"):
        shutil.copy(ROOT / "deploy" / name, tmp_path / "deploy")
    style = tmp_path / "var" / "static" / "css" / "league.css"
    style.parent.mkdir(parents=True)
    shutil.copy(ROOT / "static" / "css" / "league.css", style)
    [command] = re.findall(r"exec python (-m gunicorn deploy\.maintenance .*)", START.read_text())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *command.replace("0.0.0.0:8001", f"127.0.0.1:{port}").split()],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"]},
        stderr=subprocess.DEVNULL,
        preexec_fn=preexec_to_die_with_parent(),
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def answer(url: str) -> tuple[int, str, dict[str, str]]:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(url, timeout=10) as response:
                return response.status, response.read().decode(), dict(response.headers)
        except HTTPError as error:
            return error.code, error.read().decode(), dict(error.headers)
        except URLError:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_each_address_shows_the_page_with_its_styles(address: str) -> None:
    for path in ("/", "/clubs/one?a=1", "/livez", "/maintenance.html"):
        status, text, headers = answer(address + path)
        assert status == 503
        assert "Back in a minute" in text
        assert "De retour dans une minute" in text
        assert (headers["Retry-After"], headers["Cache-Control"]) == ("60", "no-store")
    status, text, headers = answer(f"{address}/static/css/league.css")
    assert (status, headers["Content-Type"].partition(";")[0]) == (200, "text/css")
    assert text == (ROOT / "static" / "css" / "league.css").read_text()
