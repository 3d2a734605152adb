"""Sessions: sign-in to a demo without a password, and the second factor.

After a user has set up a second factor, the user's other sessions must give it once.
"""

from __future__ import annotations

from typing import Final

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.cached_db import SessionStore
from django.db import transaction
from django.http import HttpRequest

from league.actions import audit
from players.models import User

AUTHENTICATION_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
# Key in a session's data: pages are refused until the user gives the second factor.
SECOND_FACTOR_REQUIRED_KEY: Final = "second_factor_asked"


def require_second_factor_in_other_sessions(user: User, current_key: str | None) -> None:
    """Refuse pages in the user's other sessions until the second factor is given there once.

    `current_key` is the key of the session that stays as it is. Sessions that have given the factor stay too.
    """
    keys = UserSession.objects.filter(user=user).exclude(session_key=current_key).values_list("session_key", flat=True)
    for key in keys:
        session = SessionStore(key)
        if session.get(AUTHENTICATION_METHODS_SESSION_KEY) and not has_given_second_factor(session):
            session[SECOND_FACTOR_REQUIRED_KEY] = True
            session.save()


@transaction.atomic
def sign_in_to_demo(request: HttpRequest, user: User) -> None:
    """Sign the visitor in to a demo without a password. Call it only for the demo's own users, which visitors share."""
    assert settings.DEMO
    login(request, user, backend=AUTHENTICATION_BACKEND)
    audit.log_sign_in(user)


def has_given_second_factor(session: SessionBase) -> bool:
    return any(method["method"] == "mfa" for method in session.get(AUTHENTICATION_METHODS_SESSION_KEY, ()))
