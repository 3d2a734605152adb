"""Sessions of an account that began before its owner set up a second factor: each is asked for it once."""

from __future__ import annotations

from typing import Final

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.cached_db import SessionStore

from players.models import User

ASKED: Final = "second_factor_asked"  # in a session: nothing is answered until its reader gives it


def ask_others(user: User, own: str | None) -> None:
    """Have every session of the user but his `own`, by its key, ask for the second factor that is set up there."""
    keys = UserSession.objects.filter(user=user).exclude(session_key=own).values_list("session_key", flat=True)
    for key in keys:
        session = SessionStore(key)
        if session.get(AUTHENTICATION_METHODS_SESSION_KEY) and not gave_second_factor(session):
            session[ASKED] = True
            session.save()


def gave_second_factor(session: SessionBase) -> bool:
    """Return whether it was given in this session, at the sign-in or later."""
    return any(each["method"] == "mfa" for each in session.get(AUTHENTICATION_METHODS_SESSION_KEY, ()))
