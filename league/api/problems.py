"""Errors of the API as JSON: RFC 9457, "problem details"."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpRequest, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, Throttled, ValidationError

MEDIA_TYPE: Final = "application/problem+json"


class WrongParameter(Schema):
    """An error in a parameter of the address."""

    name: str
    detail: str


class ProblemDetails(Schema):
    """The reason why a request has no answer."""

    type: str = "about:blank"
    title: str
    status: int
    errors: list[WrongParameter] = []


def problem(status: HTTPStatus, errors: list[WrongParameter] | None = None, **headers: str) -> JsonResponse:
    details = ProblemDetails(title=status.phrase, status=status.value, errors=errors or [])
    header_names = {name.replace("_", "-"): value for name, value in headers.items()}
    return JsonResponse(details.model_dump(), status=status, content_type=MEDIA_TYPE, headers=header_names)


def add_problem_handlers(api: NinjaAPI) -> None:
    def unknown(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.NOT_FOUND)

    def not_a_token(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.UNAUTHORIZED, WWW_Authenticate="Bearer")

    def too_many(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.TOO_MANY_REQUESTS, Retry_After=str(error.wait or 1))

    def wrong(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, [_wrong(detail) for detail in error.errors])

    api.add_exception_handler(Http404, unknown)
    api.add_exception_handler(AuthenticationError, not_a_token)
    api.add_exception_handler(Throttled, too_many)
    api.add_exception_handler(ValidationError, wrong)


def _wrong(error: dict[str, Any]) -> WrongParameter:
    """Convert a pydantic error, whose location ends with the parameter's name."""
    return WrongParameter(name=str(error["loc"][-1]), detail=str(error["msg"]))
