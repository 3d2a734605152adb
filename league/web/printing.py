from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from league.models import Club
from league.web.lookups import club_context
from players.naming import Audience, names_shown_to


def render_for_paper(
    request: HttpRequest, club: Club, template: str, context: Callable[[], Mapping[str, Any]], *, in_hall: bool = False
) -> HttpResponse:
    """Render a page for the printer, in the club's language. If `in_hall`, show names as the public may see them.

    `context` is called in this language and with these names.
    """
    page_context = club_context(club, request.user)  # first: it shows names as the user may see them
    with names_shown_to(Audience.PUBLIC) if in_hall else nullcontext():
        with translation.override(club.language):
            paper_context = context()
        return render(request, template, {**page_context, **paper_context})
