"""Pages for the printer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from league.models import Club
from league.web.finding import frame
from players.naming import Readers, showing


def on_paper(
    request: HttpRequest, club: Club, template: str, context: Callable[[], Mapping[str, Any]], *, in_hall: bool = False
) -> HttpResponse:
    """A page in the club's language, in whatever language its printer reads: paper is for everyone who comes.

    What hangs or lies in the hall names people as everyone may read them.
    """
    framed = frame(club, request.user)
    with translation.override(club.language), showing(Readers.PUBLIC) if in_hall else nullcontext():
        answer = render(request, template, {**framed, **context()})
    answer.headers["Content-Language"] = club.language
    return answer
