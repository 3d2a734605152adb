"""Authentication and rate limits of the API. A token identifies a user; without a token the request is from a visitor.

Sessions are ignored.
"""

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
from league.models.visible import players_with_member_names
from league.web.client_address import client_address
from players.models import User
from players.models.person import Viewer
from players.naming import show_member_names_of

VISITOR: Final = AnonymousUser()


class ApiRequest(HttpRequest):
    """An authenticated request. The class is used in type annotations only."""

    auth: Viewer


class RateLimit(SimpleRateThrottle):
    """A rate limit. Create an object for each request, because it stores state during the check.

    `kind` is a key of the setting API_LIMITS. `identity` is the IP address or the id of the token that is limited.
    """

    def __init__(self, kind: str, identity: str) -> None:
        super().__init__(settings.API_LIMITS[kind])
        self.identity = f"api:{kind}:{identity}"

    def get_cache_key(self, request: HttpRequest) -> str:
        return self.identity

    def check(self, request: HttpRequest) -> None:
        """Count the request. Raise Throttled, with the number of seconds to wait, if the limit is reached."""
        if not self.allow_request(request):
            raise Throttled(wait=ceil(self.wait() or 1))


class Token(HttpBearer):
    """Authentication by an API token in the header Authorization. Without the header, the request is from a visitor."""

    def __call__(self, request: HttpRequest) -> Any:
        """Return the user, or VISITOR without a token, or None for an invalid token. Raise Throttled."""
        if "Authorization" not in request.headers:
            self.count_visitor_request(request)
            return VISITOR
        return super().__call__(request)

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        """Return the user of the token, or None for an invalid token. Raise Throttled.

        From then on, players of the user's clubs are named as members may see them. Invalid tokens count against the
        rate limit of visitors.
        """
        now = timezone.now()
        valid = ApiToken.objects.valid(timezone.localdate(now)).with_user()
        api_token: ApiToken | None = valid.filter(digest=token_digest(token)).first()
        if api_token is None:
            self.count_visitor_request(request)
            return None
        RateLimit("token", str(api_token.pk)).check(request)
        api_tokens.record_token_use(api_token, now=now)
        request.api_token = api_token  # type: ignore[attr-defined]  # for requests that write (league/api/writing.py)
        user: User = api_token.user
        show_member_names_of(set(players_with_member_names(user).values_list("pk", flat=True)))
        return user

    @staticmethod
    def count_visitor_request(request: HttpRequest) -> None:
        """Count the request against the rate limit of its IP address. Raise Throttled."""
        _address_limit(request).check(request)


def _address_limit(request: HttpRequest) -> RateLimit:
    address = client_address(request)
    if ":" in address:  # a provider gives each customer a whole network of addresses
        address = str(ip_network(f"{address}/64", strict=False))
    return RateLimit("visitor", address)
