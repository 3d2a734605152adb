"""Pages for the printer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from league.models import Club
from league.web.finding import frame


def on_paper(request: HttpRequest, club: Club, template: str, context: Callable[[], Mapping[str, Any]]) -> HttpResponse:
    """A page in the club's language, in whatever language its printer reads: paper is for everyone who comes."""
    with translation.override(club.language):
        answer = render(request, template, {**frame(club, request.user), **context()})
    answer.headers["Content-Language"] = club.language
    return answer
