"""Other sessions of a user who has just set up a second factor: each must give it once."""

from __future__ import annotations

from typing import Final

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.cached_db import SessionStore

from players.models import User

FACTOR_REQUIRED: Final = "second_factor_asked"  # a key of a session, which serves no page until the factor is given


def require_factor_of_other_sessions(user: User, current_key: str | None) -> None:
    keys = UserSession.objects.filter(user=user).exclude(session_key=current_key).values_list("session_key", flat=True)
    for key in keys:
        session = SessionStore(key)
        if session.get(AUTHENTICATION_METHODS_SESSION_KEY) and not has_given_second_factor(session):
            session[FACTOR_REQUIRED] = True
            session.save()


def has_given_second_factor(session: SessionBase) -> bool:
    return any(method["method"] == "mfa" for method in session.get(AUTHENTICATION_METHODS_SESSION_KEY, ()))
