"""URLs that a webhook may have: on the public internet, or on a host of the setting WEBHOOK_ALLOWED_HOSTS."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import validate_host

IPAddress = IPv4Address | IPv6Address

# Names that a local resolver answers by itself (RFC 6761, 6762, 8375; ICANN on .internal).
LOCAL_DOMAINS: Final = ("localhost", "local", "internal", "home.arpa", "localdomain", "lan", "home", "corp")
# `is_global` may be True for these, but they are no hosts of the public internet: protocol
# assignments, the relays of 6to4, and Azure's address for its own machines.
_REFUSED_IPV4_NETWORKS: Final = [ip_network(text) for text in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")]
# Hosts of the public internet are in this network. Others are local, or contain an IPv4 address (mapped, NAT64).
_PUBLIC_IPV6_NETWORK: Final = ip_network("2000::/3")
# Teredo and other protocol assignments, 6to4, documentation.
_REFUSED_IPV6_NETWORKS: Final = [ip_network(text) for text in ("2001::/23", "2002::/16", "2001:db8::/32", "3fff::/20")]


class RefusedAddress(ValueError):
    """The URL or its host is not on the public internet, and not on a host of WEBHOOK_ALLOWED_HOSTS."""


def is_public(address: IPAddress) -> bool:
    """Return whether the IP address can belong to a host of the public internet."""
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _REFUSED_IPV4_NETWORKS)
    return address in _PUBLIC_IPV6_NETWORK and not any(address in network for network in _REFUSED_IPV6_NETWORKS)


def is_allowed_by_name(host: str) -> bool:
    """Return whether the host is in WEBHOOK_ALLOWED_HOSTS. Such a host may be in a private network and use http."""
    name = f"[{host}]" if ":" in host else host
    return bool(settings.WEBHOOK_ALLOWED_HOSTS) and validate_host(name, settings.WEBHOOK_ALLOWED_HOSTS)


def check_address(address: str) -> SplitResult:
    """Return the parts of the URL. Raise RefusedAddress. The host name is not resolved: see `check_ip_addresses`."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise RefusedAddress from None
    if parts.username is not None or parts.password is not None or port == 0 or not host:
        raise RefusedAddress
    if settings.WEBHOOK_ALLOWED_HOSTS:
        if parts.scheme not in ("http", "https") or not is_allowed_by_name(host):
            raise RefusedAddress
        return parts
    if parts.scheme != "https" or not _may_be_public(host):
        raise RefusedAddress
    return parts


def _may_be_public(host: str) -> bool:
    """Return whether the host can be on the public internet.

    A host that is a number in any notation, such as 0x7f.1, is checked as an IP address.
    """
    try:
        infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (socket.gaierror, UnicodeError):
        name = f".{host.rstrip('.')}"
        return "." in name[1:] and not name.endswith(tuple(f".{local}" for local in LOCAL_DOMAINS))
    return all(is_public(ip_address(info[4][0])) for info in infos)


def check_ip_addresses(host: str, addresses: Iterable[str]) -> list[str]:
    """Return the resolved IP addresses of a host. Raise RefusedAddress if one of them is not public.

    A name with a public and a private address is an attack or a mistake.
    """
    resolved = list(addresses)
    if not is_allowed_by_name(host) and not all(is_public(ip_address(text)) for text in resolved):
        raise RefusedAddress
    return resolved
