"""Requests that write: scope and rights of the token, idempotency key, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Field, Header
from pghistory import context as history_context

from league.actions.api_writes import write_once
from league.actions.refusals import StaleVersion, WrongState
from league.api.authentication import RateLimit, Token
from league.api.problems import RequestError, RequestRefused
from league.models import ApiToken
from league.models.api_token import Scope
from league.web.lookups import RecordableQuerySet, club_of, recordable_or_403
from players.models import User
from scoring.rules.errors import IllegalDeal

MAX_BODY_BYTES: Final = 64 * 1024  # the facts of a deal have a few hundred
MAX_LENGTH_DIGITS: Final = 9  # a Content-Length with more digits is refused as too large
MEDIA_TYPE: Final = "application/json"

M = TypeVar("M", bound=Model)


class WriteRequest(HttpRequest):
    """A request by a token that may write. The class is used in type annotations only."""

    auth: User
    api_token: ApiToken


class WriteToken(Token):
    """Authentication by an API token with this scope. Visitors and sessions are refused."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: Any) -> Any:
        """Return the user, or None without a valid token. Raise Throttled or RequestRefused.

        A request is refused if the token lacks the scope, if a superuser or staff user has no second factor (over
        HTTPS), or if the body is not JSON or too large.
        """
        if "Authorization" not in request.headers:
            self.count_visitor_request(request)
            return None
        user = super().__call__(request)
        if user is None:
            return None
        RateLimit("write", str(request.api_token.pk)).check(request)
        if self.scope not in request.api_token.scopes:
            needed = _("This token may not do this. It needs the scope “%(scope)s”.") % {"scope": self.scope.value}
            raise RequestRefused(HTTPStatus.FORBIDDEN, needed)
        if settings.HTTPS and (user.is_superuser or user.is_staff) and not is_mfa_enabled(user):
            raise RequestRefused(HTTPStatus.FORBIDDEN, _("The owner of this token needs a second factor first."))
        _check_body(request)
        return user


def _check_body(request: HttpRequest) -> None:
    if request.content_type != MEDIA_TYPE:
        needed = _("Send JSON, with the header %(header)s.") % {"header": f"Content-Type: {MEDIA_TYPE}"}
        raise RequestRefused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, needed)
    length = str(request.META.get("CONTENT_LENGTH") or 0)  # if it is not a number, Django reads no body
    if length.isdecimal() and (len(length) > MAX_LENGTH_DIGITS or int(length) > MAX_BODY_BYTES):
        too_large = _("The body has more than %(most)s bytes.") % {"most": MAX_BODY_BYTES}
        raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large)


IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=100,
        pattern=r"^[!-~]+$",
        description="A new text for each write, such as a UUID. The same request with the same key is done once.",
    ),
]
# PostgreSQL refuses the NUL character in a text.
Reason = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]
REASON_DESCRIPTION: Final = "Required in a closed evening; members can read it. Otherwise ignored."
CONFIRMED_DESCRIPTION: Final = "The `confirm` of the refusal that listed the warnings, to write in spite of them."


def recordable_row(request: WriteRequest, rows: RecordableQuerySet[M], **lookup: object) -> M:
    """Return the row. Raise Http404 if it does not exist or the token's owner may not see it.

    Raise PermissionDenied if the owner may not record results in its club, or if the token is for another club.
    """
    row = recordable_or_403(rows, request.auth, **lookup)
    club_id = request.api_token.club_id
    if club_id is not None and club_of(row).pk != club_id:
        raise PermissionDenied
    return row


def write_for_token(
    request: WriteRequest,
    key: str,
    write: Callable[[UUID], dict[str, Any]],
    *,
    current: Callable[[], dict[str, Any]] | None = None,
    explain_error: Callable[[IllegalDeal], RequestError] | None = None,
) -> dict[str, Any]:
    """Call `write` once for this idempotency key, in the name of the token's owner. Return its result.

    `write` gets a UUID, the client key for its action. A repeated request gets the stored result. So `write` also
    makes every check of state that can change between both requests.

    Raise RequestRefused. After a conflict with another user, the exception has the stored state, which `current`
    returns. After illegal facts, it has the error that `explain_error` returns.
    """
    request_text = f"{request.path}\n".encode() + request.body
    digest = sha256(request_text).hexdigest()
    try:
        with history_context(user=request.auth.pk):
            return write_once(request.api_token, key, digest, write, now=timezone.now())
    except IllegalDeal as illegal:
        assert explain_error is not None
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, errors=[explain_error(illegal)]) from None
    except WrongState as refusal:
        raise RequestRefused(HTTPStatus.CONFLICT, str(refusal)) from None
    except StaleVersion:
        assert current is not None
        conflict = _("Another user changed this meanwhile. `current` has the present state.")
        raise RequestRefused(HTTPStatus.CONFLICT, conflict, current=current()) from None


def check_reason(reason: str, *, is_required: bool) -> str:
    """Return the reason, or "" if no reason is required. Raise RequestRefused if it is required and missing."""
    if is_required and not reason.strip():
        text = _("The evening is closed: a change needs a reason.")
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, errors=[RequestError(name="reason", detail=text)])
    return reason if is_required else ""


def unconfirmed_refusal(questions: Sequence[str], confirm: str) -> RequestRefused:
    """Return the exception for a write with unconfirmed warnings. `confirm` is the text that confirms them."""
    errors = [RequestError(name="confirmed", detail=question) for question in questions]
    return RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, errors=errors, confirm=confirm)
