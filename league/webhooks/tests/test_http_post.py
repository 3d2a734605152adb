"""One request to a club's address: the name is resolved once, the connection goes to the address that was checked."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from league.actions.webhooks import Attempt
from league.models.webhook import DeliveryError
from league.webhooks.tests.receiver import Receiver
from league.webhooks.work.http_post import post_body


class Resolver:
    """Answers for the name of these tests, [] for none; the machine's own resolver reads numbers."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.own = socket.getaddrinfo

    def __call__(self, host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host != "hook.club.example":
            return self.own(host, port, *args, **kwargs)
        if kwargs.get("flags"):
            raise socket.gaierror
        if not self.answers:
            raise AssertionError("The name is resolved a second time.")
        answer = self.answers.pop(0)
        if not answer:
            raise socket.gaierror
        return [info for text in answer for info in self.own(text, port, type=socket.SOCK_STREAM)]


@pytest.fixture
def resolving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Resolver]:
    def use(*answers: list[str]) -> Resolver:
        resolver = Resolver(*answers)
        monkeypatch.setattr(socket, "getaddrinfo", resolver)
        return resolver

    return use


def test_a_name_that_leads_into_the_own_network_gets_no_connection(
    receiver: Receiver, settings: Settings, resolving: Callable[..., Resolver]
) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = []
    resolving(["127.0.0.1"])
    assert post_body(f"https://hook.club.example:{receiver.port}/", b"{}", {}) == Attempt(None, DeliveryError.ADDRESS)
    assert receiver.messages == []


def test_the_name_is_resolved_once(receiver: Receiver, settings: Settings, resolving: Callable[..., Resolver]) -> None:
    """A second answer of the name server, as in DNS rebinding, is never asked for."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["hook.club.example"]
    resolver = resolving(["127.0.0.1"])
    assert post_body(f"http://hook.club.example:{receiver.port}/a b?c=é", b"{}", {}) == Attempt(204)
    assert (resolver.answers, receiver.messages[0].path) == ([], "/a%20b?c=%C3%A9")


def test_the_next_address_of_a_name_is_tried(
    receiver: Receiver, settings: Settings, resolving: Callable[..., Resolver]
) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["hook.club.example"]
    resolving(["::1", "127.0.0.1"])  # the receiver listens on the second only
    assert post_body(f"http://hook.club.example:{receiver.port}/", b"{}", {}) == Attempt(204)


def test_an_unknown_name_and_a_closed_port(settings: Settings, resolving: Callable[..., Resolver]) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    assert post_body(f"http://127.0.0.1:{closed}/", b"{}", {}) == Attempt(None, DeliveryError.CONNECTION)
    settings.WEBHOOK_ALLOWED_HOSTS = []
    resolving([])
    for name in ("hook.club.example", f"{'a' * 70}.example"):
        assert post_body(f"https://{name}/", b"{}", {}) == Attempt(None, DeliveryError.NAME)


@pytest.fixture
def with_tls(receiver: Receiver, tmp_path: Path) -> Path:
    """Make the receiver answer by https as hook.club.example; return the file of its certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hook.club.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hook.club.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "certificate.pem"
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    def handle(request: Any, address: Any) -> None:
        try:
            with context.wrap_socket(request, server_side=True) as secured:
                handle_plain(secured, address)
        except OSError:  # the sender refused the certificate
            request.close()

    handle_plain = receiver.server.finish_request
    receiver.server.finish_request = handle  # type: ignore[assignment, method-assign]
    return file


def test_the_certificate_is_checked_for_the_name(
    receiver: Receiver,
    with_tls: Path,
    settings: Settings,
    resolving: Callable[..., Resolver],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The connection goes to the number, the certificate is the name's. Nothing is sent before it is checked."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["hook.club.example", "127.0.0.1"]
    resolving(["127.0.0.1"], ["127.0.0.1"])
    address = f"https://hook.club.example:{receiver.port}/"
    assert post_body(address, b"{}", {}) == Attempt(None, DeliveryError.CERTIFICATE)
    monkeypatch.setenv("SSL_CERT_FILE", str(with_tls))
    assert post_body(f"https://127.0.0.1:{receiver.port}/", b"{}", {}) == Attempt(None, DeliveryError.CERTIFICATE)
    assert receiver.messages == []
    assert post_body(address, b"{}", {}) == Attempt(204)
    assert receiver.messages[0].headers["host"] == f"hook.club.example:{receiver.port}"
