from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from secrets import token_urlsafe
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.actions import notifications
from league.actions.refusals import WrongState
from league.models import ApiToken, Club
from league.models.api_token import token_digest
from players.accounts import delete_calendar_key
from players.models import User

MAX_TOKENS: Final = 20  # per person
RECOGNISABLE_PREFIX: Final = "league_"  # recognised by people and by scanners for leaked secrets
USED_AT_PRECISION: Final = timedelta(minutes=1)  # `used_at` is written at most once in this time, not at each request


@transaction.atomic
def create_token(
    user: User,
    name: str,
    last_day: date | None,
    *,
    now: datetime,
    scopes: Sequence[str] = (),
    club: Club | None = None,
) -> str:
    """Create an API token, email the user, and return the token's text. The database has only its digest.

    `last_day` is the token's last valid day, or None. Without `scopes` the token can only read; with `scopes` it can
    write in `club`. Raise WrongState if the user has too many tokens, or has another token with this name.
    """
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    tokens = ApiToken.objects.filter(user=user)
    if tokens.filter(name__iexact=name).exists():
        raise WrongState(_("You have a token of this name already. Revoke it first, or choose another name."))
    if tokens.count() >= MAX_TOKENS:
        raise WrongState(_("You have %(count)s tokens: revoke one of them first.") % {"count": MAX_TOKENS})
    token = RECOGNISABLE_PREFIX + token_urlsafe(32)
    api_token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=token_digest(token),
        last_day=last_day,
        made_at=now,
        scopes=sorted(scopes),
        club=club if scopes else None,
    )
    notifications.notify_new_token(api_token)
    return token


def revoke_token(token: ApiToken) -> None:
    ApiToken.objects.filter(pk=token.pk).delete()


def has_program_access(user: User) -> bool:
    """Return whether programs can read for the user: by an API token, or by the secret URL of the user's calendar."""
    return user.calendar_key is not None or ApiToken.objects.filter(user=user).exists()


@transaction.atomic
def end_program_access(user: User) -> None:
    """Delete the user's API tokens, and the key in the URL of the user's calendar."""
    ApiToken.objects.filter(user=user).delete()
    if user.calendar_key is not None:
        delete_calendar_key(user)


def record_token_use(token: ApiToken, *, now: datetime) -> None:
    if token.used_at is None or now - token.used_at >= USED_AT_PRECISION:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
