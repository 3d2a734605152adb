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
from players.naming import Audience, names_shown_to


def on_paper(
    request: HttpRequest, club: Club, template: str, context: Callable[[], Mapping[str, Any]], *, in_hall: bool = False
) -> HttpResponse:
    """A page whose paper speaks the club's language, as it is for everyone who comes; the page around it, the reader's.

    The template says which part is the paper. What hangs or lies in the hall names people as everyone may read them.
    """
    framed = frame(club, request.user)  # names people as the reader may read them: before the hall does
    with names_shown_to(Audience.PUBLIC) if in_hall else nullcontext():
        with translation.override(club.language):
            on_it = context()
        return render(request, template, {**framed, **on_it})
