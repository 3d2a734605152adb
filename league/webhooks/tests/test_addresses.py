"""Addresses that are refused: at entry, and once the name is resolved. Hosts that the installation allows."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from league.webhooks.queries.addresses import RefusedAddress, check_address, check_ip_addresses, is_public

PUBLIC = ["93.184.216.34", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "2606:4700::1111", "2a01:e0a::1"]
NOT_PUBLIC = [
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("100.64.0.1", "169.254.169.254", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"),
    *("192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "168.63.129.16"),
    *("::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1"),
    *("fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1"),
]
# Texts that are no address on the public internet, before any name is resolved.
REFUSED = [
    *("http://club.example/", "ftp://club.example/", "//club.example/", "club.example", "javascript:alert(1)"),
    *("https://", "https:///path", "https://club.example:0/", "https://club.example:99999/", "https://[::1/"),
    *("https://user@club.example/", "https://user:secret@club.example/", "https://@club.example/"),
    *(
        "https://localhost/",
        "https://LOCALHOST/",
        "https://localhost./",
        "https://hook.localhost/",
        "https://intranet/",
    ),
    *("https://printer.local/", "https://db.internal/", "https://router.home.arpa/", "https://nas.lan/"),
    *("https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/", "https://127.1/", "https://0/"),
]


@pytest.mark.parametrize("text", PUBLIC)
def test_hosts_of_the_public_internet_are_accepted(text: str) -> None:
    assert is_public(ip_address(text))
    check_address(f"https://{f'[{text}]' if ':' in text else text}:8443/hook")


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_other_addresses_are_refused_at_entry_and_as_the_address_of_a_name(text: str) -> None:
    assert not is_public(ip_address(text))
    with pytest.raises(RefusedAddress):
        check_address(f"https://{f'[{text}]' if ':' in text else text}/hook")
    with pytest.raises(RefusedAddress):  # one of several is enough
        check_ip_addresses("hook.club.example", [PUBLIC[0], text])


@pytest.mark.parametrize("address", REFUSED)
def test_texts_that_are_no_public_address_are_refused(address: str) -> None:
    with pytest.raises(RefusedAddress):
        check_address(address)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_an_address_in_an_address_is_never_public(address: IPv4Address | IPv6Address) -> None:
    """An IPv6 address with any IPv4 address inside is refused: mapped, compatible, NAT64, 6to4."""
    assert not (is_public(address) and (address.is_private or address.is_loopback or address.is_link_local))
    if isinstance(address, IPv4Address):
        number = int(address)
        for outer in (0xFFFF << 32 | number, number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80):
            assert not is_public(IPv6Address(outer))


def test_allowed_hosts_are_the_only_ones(settings: Settings) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["10.0.0.7", ".club.example", "[::1]"]
    for address in ("http://10.0.0.7/", "https://hook.club.example/", "http://[::1]:8000/"):
        check_address(address)
    for address in ("https://other.example/", "https://10.0.0.8/", "ftp://10.0.0.7/", "http://u@10.0.0.7/"):
        with pytest.raises(RefusedAddress):
            check_address(address)
    assert check_ip_addresses("hook.club.example", ["10.0.0.9"]) == ["10.0.0.9"]
