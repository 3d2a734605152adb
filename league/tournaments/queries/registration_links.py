"""Signed links to one registration of a tournament: its holder sees it and may cancel it, without an account."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.conf import settings
from django.core import signing
from django.urls import reverse

from league.models import TournamentUnit

SALT: Final = "league.tournaments.registration"


class UnreadableLink(ValueError):
    """The link is truncated or forged."""


class RegistrationLink(NamedTuple):
    """The unit, and its key: after a restore of a backup another unit may have the same id."""

    unit: int
    key: str


def registration_token(unit: TournamentUnit) -> str:
    """Return the last part of the address; it never expires, as the tournament may be months away."""
    return signing.Signer(salt=SALT).sign_object([unit.pk, unit.link_key])


def read_link(text: str) -> RegistrationLink:
    """Return the unit and key of a token. Raise UnreadableLink if it is truncated or forged."""
    try:
        unit, key = signing.Signer(salt=SALT).unsign_object(text)
    except (signing.BadSignature, ValueError) as wrong:
        raise UnreadableLink from wrong
    return RegistrationLink(unit, key)


def registration_address(unit: TournamentUnit) -> str:
    """Return the absolute address, by the settings: emails have no request."""
    return f"{settings.SITE_ADDRESS}{reverse('league:registration', args=[registration_token(unit)])}"
