"""Who asks the API, and how often he may: by a token its person, without one a visitor. No session counts."""

from __future__ import annotations

from ipaddress import ip_network
from math import ceil
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from ninja.errors import Throttled
from ninja.security import HttpBearer
from ninja.throttling import SimpleRateThrottle

from league.actions import api_tokens
from league.models import ApiToken
from league.models.api_token import token_digest
from league.models.visible import known_names
from league.web.client_address import client_address
from players.models import User
from players.models.person import Reader
from players.naming import show_member_names_of

VISITOR: Final = AnonymousUser()


class ApiRequest(HttpRequest):
    """A request whose reader is known; for types alone."""

    auth: Reader


class RateLimit(SimpleRateThrottle):
    """How often one asks. It keeps what it reads, so that each request has its own."""

    def __init__(self, kind: str, who: str) -> None:
        super().__init__(settings.API_LIMITS[kind])
        self.who = f"api:{kind}:{who}"

    def get_cache_key(self, request: HttpRequest) -> str:
        """Return whose questions are counted together."""
        return self.who

    def check(self, request: HttpRequest) -> None:
        """Count the question. Raises Throttled, with the seconds to wait."""
        if not self.allow_request(request):
            raise Throttled(wait=ceil(self.wait() or 1))


class Token(HttpBearer):
    """The token in the header; whoever sends none is a visitor, whoever sends a wrong one is nobody."""

    def __call__(self, request: HttpRequest) -> Any:
        """Return the reader; None for a token that opens nothing. Raises Throttled."""
        if "Authorization" not in request.headers:
            _of_address(request).check(request)
            return VISITOR
        return super().__call__(request)

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        """Return whose token it is; from here on people of his clubs are named as to members.

        Guesses are counted like a visitor's questions.
        """
        now = timezone.now()
        valid = ApiToken.objects.valid(timezone.localdate(now)).with_reader()
        found: ApiToken | None = valid.filter(digest=token_digest(token)).first()
        if found is None:
            _of_address(request).check(request)
            return None
        RateLimit("token", str(found.pk)).check(request)
        api_tokens.note_use(found, now=now)
        user: User = found.user
        show_member_names_of(set(known_names(user).values_list("pk", flat=True)))
        return user


def _of_address(request: HttpRequest) -> RateLimit:
    address = client_address(request)
    if ":" in address:  # one customer of a provider has as many addresses as he likes, of one network
        address = str(ip_network(f"{address}/64", strict=False))
    return RateLimit("visitor", address)
