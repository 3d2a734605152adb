"""allauth's adapter of this site: that of accounts, which also notes who signs in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse

from league.actions import acts
from league.models.act import ActKind
from players.account_adapter import AccountAdapter
from players.models import User


class NotingAdapter(AccountAdapter):
    """Notes each sign-in."""

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Note it, and go on."""
        assert isinstance(user, User)
        acts.note(ActKind.SIGNED_IN, user)
        return super().post_login(request, user, **kwargs)
