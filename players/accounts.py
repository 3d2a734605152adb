from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings

from players.models import Player, User


def add_player(given_name: str, family_name: str = "", **fields: Any) -> Player:
    player = Player(given_name=given_name, family_name=family_name, **fields)
    player.update_names()
    player.save()
    return player


def has_confirmed_address(user: User) -> bool:
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        return True
    return EmailAddress.objects.filter(user=user, verified=True).exists()


def make_superuser(email: str, password: str | None = None) -> User:
    """Create a superuser with a confirmed address. Only commands call this, so the caller has a shell on the server."""
    user = User.objects.create_superuser(email, password)
    confirm_address(user)
    return user


def confirm_address(user: User) -> None:
    EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)


def promote_to_superuser(user: User) -> None:
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])


def choose_language(user: User, language: str) -> None:
    user.language = language
    user.save(update_fields=["language"])


def renew_calendar_key(user: User) -> UUID:
    user.calendar_key = uuid4()
    user.save(update_fields=["calendar_key"])
    return user.calendar_key


def delete_calendar_key(user: User) -> None:
    user.calendar_key = None
    user.save(update_fields=["calendar_key"])
