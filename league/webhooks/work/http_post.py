"""Send one POST to a URL that a club has chosen. The server may be slow or hostile."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic
from typing import Final
from urllib.parse import SplitResult, urlunsplit

from django.utils.encoding import iri_to_uri

from league.actions.webhooks import Attempt
from league.models.webhook import DeliveryError
from league.webhooks.queries.addresses import RefusedAddress, check_address, check_ip_addresses

TIMEOUT_SECONDS = 10.0  # for everything after the name is resolved
MAX_RESPONSE_BYTES: Final = 4096  # bytes of the response that are read and ignored


def post_body(address: str, body: bytes, headers: Mapping[str, str]) -> Attempt:
    """Send the body, and return the status or the kind of error. It raises no exception. Redirects are not followed.

    The connection is made to the IP address that was checked: the name is not resolved a second time.
    """
    try:
        parts = check_address(address)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        addresses = _resolve_host(host, port)
    except RefusedAddress:
        return Attempt(None, DeliveryError.ADDRESS)
    except (OSError, UnicodeError):
        return Attempt(None, DeliveryError.NAME)
    deadline = monotonic() + TIMEOUT_SECONDS
    try:
        with _connect(addresses, port, deadline) as connected, _time_limit(connected, deadline):
            connection = HTTPConnection(host, port)
            connection.auto_open = 0
            connection.sock = _with_tls(connected, host) if parts.scheme == "https" else connected
            with closing(connection):
                connection.request("POST", _request_path(parts), body, {"Host": _host_header(parts), **headers})
                with connection.getresponse() as response:
                    if (
                        monotonic() >= deadline
                    ):  # the connection was closed at the deadline, which looks like the end of the headers
                        raise TimeoutError
                    with suppress(OSError, HTTPException):  # the status is enough
                        response.read(MAX_RESPONSE_BYTES)
                    return Attempt(response.status)
    except (OSError, HTTPException, ValueError) as error:
        return Attempt(None, DeliveryError.TIMEOUT if monotonic() >= deadline else _delivery_error(error))


def _request_path(parts: SplitResult) -> str:
    """Return path and query of the URL, in ASCII."""
    return iri_to_uri(urlunsplit(("", "", parts.path or "/", parts.query, "")))


def _host_header(parts: SplitResult) -> str:
    return parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()


def _delivery_error(error: Exception) -> DeliveryError:
    match error:
        case TimeoutError():
            return DeliveryError.TIMEOUT
        case ssl.SSLError():
            return DeliveryError.CERTIFICATE
        case OSError():
            return DeliveryError.CONNECTION
    return DeliveryError.ANSWER


def _resolve_host(host: str, port: int) -> list[str]:
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return check_ip_addresses(host, dict.fromkeys(str(info[4][0]) for info in infos))


def _connect(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Connect to the first address that responds: if IPv6 does not work for a host, IPv4 is used."""
    error: OSError = TimeoutError()
    for address in addresses:
        seconds = deadline - monotonic()
        if seconds > 0:
            try:
                return socket.create_connection((address, port), timeout=seconds)
            except OSError as refused:
                error = refused
    raise error


def _with_tls(connected: socket.socket, host: str) -> ssl.SSLSocket:
    return ssl.create_default_context().wrap_socket(connected, server_hostname=host)


@contextmanager
def _time_limit(connected: socket.socket, deadline: float) -> Iterator[None]:
    """Close the connection at the deadline. A socket's own timeout begins again with each byte."""
    copy = connected.dup()

    def end() -> None:
        with suppress(OSError):  # the connection is closed already
            copy.shutdown(socket.SHUT_RDWR)

    timer = Timer(max(deadline - monotonic(), 0), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        copy.close()
