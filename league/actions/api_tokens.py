"""A person's tokens for the API: made, used, revoked. They end with the login."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from secrets import token_urlsafe
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.actions import outbox
from league.actions.refusals import WrongState
from league.models import ApiToken
from league.models.api_token import token_digest
from players.accounts import end_calendar
from players.models import User

MOST: Final = 20  # of a person
PREFIX: Final = "league_"  # by which people, and programs that look for leaked secrets, know one
NOTED: Final = timedelta(minutes=1)  # how exactly the last use is known: a busy program doesn't write at each question


@transaction.atomic
def make(user: User, name: str, last_day: date | None, *, now: datetime) -> str:
    """Return a new token. It is stored nowhere: this is the only time that it is seen. Raises WrongState."""
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    own = ApiToken.objects.filter(user=user)
    if own.filter(name__iexact=name).exists():
        raise WrongState(_("You have a token of this name already. Revoke it first, or choose another name."))
    if own.count() >= MOST:
        raise WrongState(_("You have %(count)s tokens: revoke one of them first.") % {"count": MOST})
    token = PREFIX + token_urlsafe(32)
    made = ApiToken.objects.create(user=user, name=name, digest=token_digest(token), last_day=last_day, made_at=now)
    outbox.token_made(made)
    return token


def revoke(token: ApiToken) -> None:
    """End a token at once, for good; its history stays."""
    ApiToken.objects.filter(pk=token.pk).delete()


def has_programs(user: User) -> bool:
    """Return whether a program may read as the user: by a token, or by the address of the calendar."""
    return user.calendar_key is not None or ApiToken.objects.filter(user=user).exists()


@transaction.atomic
def end_programs(user: User) -> None:
    """End all tokens of the user and the address of the calendar."""
    ApiToken.objects.filter(user=user).delete()
    if user.calendar_key is not None:
        end_calendar(user)


def note_use(token: ApiToken, *, now: datetime) -> None:
    """Keep when the token was last used, unless that was a moment ago."""
    if token.used_at is None or now - token.used_at >= NOTED:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
