"""Signed links to registrations for a tournament. With the link, a visitor can read and cancel the registration."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.conf import settings
from django.core import signing
from django.urls import reverse

from league.models import TournamentUnit

SALT: Final = "league.tournaments.registration"


class UnreadableLink(ValueError):
    """The signed token of a link is truncated or forged."""


class RegistrationLink(NamedTuple):
    """The id and the `link_key` of a TournamentUnit.

    The key is needed since another unit (player, pair or team) may have the same id after the restore of a backup.
    """

    unit: int
    key: str


def registration_token(unit: TournamentUnit) -> str:
    """Return the signed token for the address of a registration. It never expires."""
    return signing.Signer(salt=SALT).sign_object([unit.pk, unit.link_key])


def read_link(token: str) -> RegistrationLink:
    """Return the id and the key of a registration from a signed token.

    Raise UnreadableLink if the token is truncated or forged.
    """
    try:
        unit, key = signing.Signer(salt=SALT).unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise UnreadableLink from error
    return RegistrationLink(unit, key)


def registration_address(unit: TournamentUnit) -> str:
    """Return the URL of a registration, with the domain from the settings: emails are written without a request."""
    return f"{settings.SITE_ADDRESS}{reverse('league:registration', args=[registration_token(unit)])}"
