"""Adding people, with or without a login."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings

from players.models import Player, User


def add_player(given_name: str, family_name: str = "", **fields: Any) -> Player:
    """Add a person, with the display name and the sort key that follow from the names."""
    player = Player(given_name=given_name, family_name=family_name, **fields)
    player.name()
    player.save()
    return player


def is_confirmed(user: User) -> bool:
    """Return whether an address of the user is confirmed, or the installation confirms none."""
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        return True
    return EmailAddress.objects.filter(user=user, verified=True).exists()


def make_superuser(email: str, password: str | None = None) -> User:
    """Add a login that looks after the installation; its address is confirmed: who has the server's shell vouches."""
    user = User.objects.create_superuser(email, password)
    confirm_address(user)
    return user


def confirm_address(user: User) -> None:
    """Take the address of a new login for confirmed."""
    EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)


def raise_to_superuser(user: User) -> None:
    """Have an existing login look after the installation, with its password as it is."""
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])


def choose_language(user: User, language: str) -> None:
    """Keep the language in which the user reads pages; it is one of the settings' LANGUAGES."""
    user.language = language
    user.save(update_fields=["language"])


def renew_calendar_key(user: User) -> UUID:
    """Give the user's calendar a new address, whose key this returns; the old one ends."""
    user.calendar_key = uuid4()
    user.save(update_fields=["calendar_key"])
    return user.calendar_key


def end_calendar(user: User) -> None:
    """End the address of the user's calendar."""
    user.calendar_key = None
    user.save(update_fields=["calendar_key"])
