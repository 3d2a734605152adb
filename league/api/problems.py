"""Errors of the API as JSON by RFC 9457 ("problem details")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from league.web.second_factor import SecondFactorMissing
from scoring.rules import reading

MEDIA_TYPE: Final = "application/problem+json"


class RequestError(Schema):
    """An error in a query parameter, a header, or a field of the body, such as `facts.piles.2.oudlers`.

    `given` is the sent value, `allowed` the allowed values. Both are empty if `detail` contains them.
    """

    name: str
    detail: str
    given: str = ""
    allowed: str = ""


class ProblemDetails(Schema):
    """The reason why a request was refused.

    To write in spite of the warnings in `errors`, send the request again with the value of `confirm` as `confirmed`.
    `current` is the stored state, if another user has changed it since the client read it.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    errors: list[RequestError] = []
    confirm: str = ""
    current: dict[str, Any] | None = None


class RequestRefused(Exception):
    """The API refuses a request. It responds with `ProblemDetails`."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str = "",
        *,
        errors: Sequence[RequestError] = (),
        confirm: str = "",
        current: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, detail)
        self.status = status
        self.fields = {"detail": detail, "errors": list(errors), "confirm": confirm, "current": current}


def problem_response(status: HTTPStatus, *, headers: Mapping[str, str] | None = None, **fields: Any) -> JsonResponse:
    """Return an error response. `fields` are fields of `ProblemDetails`."""
    details = ProblemDetails(title=status.phrase, status=status.value, **fields)
    return JsonResponse(details.model_dump(), status=status, content_type=MEDIA_TYPE, headers=headers)


def add_problem_handlers(api: NinjaAPI) -> None:
    """Register a handler for each exception, so that every error response is JSON."""

    def not_found(request: HttpRequest, error: Any) -> JsonResponse:
        return problem_response(HTTPStatus.NOT_FOUND)

    def invalid_token(request: HttpRequest, error: Any) -> JsonResponse:
        return problem_response(HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})

    def too_many_requests(request: HttpRequest, error: Any) -> JsonResponse:
        return problem_response(HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(error.wait or 1)})

    def invalid_fields(request: HttpRequest, error: Any) -> JsonResponse:
        errors = [_request_error(detail) for detail in error.errors]
        return problem_response(HTTPStatus.UNPROCESSABLE_ENTITY, errors=errors)

    def invalid_json(request: HttpRequest, error: Any) -> JsonResponse:
        detail = _("The body is not JSON in UTF-8, or a key is there twice.")
        return problem_response(HTTPStatus.BAD_REQUEST, detail=detail)

    def no_permission(request: HttpRequest, error: Any) -> JsonResponse:
        detail = _("The owner of this token may not do this here, or the token is of another club.")
        return problem_response(HTTPStatus.FORBIDDEN, detail=detail)

    def no_second_factor(request: HttpRequest, error: Any) -> JsonResponse:
        detail = _("This club requires a second factor. The owner of the token has none.")
        return problem_response(HTTPStatus.FORBIDDEN, detail=detail)

    def request_refused(request: HttpRequest, error: Any) -> JsonResponse:
        return problem_response(error.status, **error.fields)

    api.add_exception_handler(Http404, not_found)
    api.add_exception_handler(AuthenticationError, invalid_token)
    api.add_exception_handler(Throttled, too_many_requests)
    api.add_exception_handler(ValidationError, invalid_fields)
    api.add_exception_handler(HttpError, invalid_json)
    api.add_exception_handler(PermissionDenied, no_permission)
    api.add_exception_handler(SecondFactorMissing, no_second_factor)
    api.add_exception_handler(RequestRefused, request_refused)


def _request_error(error: dict[str, Any]) -> RequestError:
    """Return the `RequestError` for an error of pydantic.

    `error["loc"]` is the source of the value (such as "body"), the view's argument, and the field's path.
    """
    source, *path = error["loc"]
    name = ".".join(map(str, path[1:] if source == "body" else path[-1:]))
    given = "" if error["type"] == "missing" else reading.quote(error.get("input"))
    return RequestError(name=name or "body", detail=str(error["msg"]), given=given)
