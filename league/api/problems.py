"""Errors of the API as JSON that programs can tell apart: RFC 9457, "problem details"."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpRequest, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, Throttled, ValidationError

MEDIA_TYPE: Final = "application/problem+json"


class WrongParameter(Schema):
    """What is wrong with a parameter of the address."""

    name: str
    detail: str


class ProblemDetails(Schema):
    """Why a question has no answer."""

    type: str = "about:blank"
    title: str
    status: int
    errors: list[WrongParameter] = []


def problem(status: HTTPStatus, errors: list[WrongParameter] | None = None, **headers: str) -> JsonResponse:
    """Return an answer that says what is wrong."""
    said = ProblemDetails(title=status.phrase, status=status.value, errors=errors or [])
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JsonResponse(said.model_dump(), status=status, content_type=MEDIA_TYPE, headers=named)


def say_problems(api: NinjaAPI) -> None:
    """Make the API answer so wherever it refuses."""

    def unknown(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.NOT_FOUND)

    def not_a_token(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.UNAUTHORIZED, WWW_Authenticate="Bearer")

    def too_many(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.TOO_MANY_REQUESTS, Retry_After=str(error.wait or 1))

    def wrong(request: HttpRequest, error: Any) -> JsonResponse:
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, [_wrong(each) for each in error.errors])

    api.add_exception_handler(Http404, unknown)
    api.add_exception_handler(AuthenticationError, not_a_token)
    api.add_exception_handler(Throttled, too_many)
    api.add_exception_handler(ValidationError, wrong)


def _wrong(error: dict[str, Any]) -> WrongParameter:
    """Return pydantic's error; its location is where it stood, and the parameter's name last."""
    return WrongParameter(name=str(error["loc"][-1]), detail=str(error["msg"]))
