"""A club's colour and logo: the form, and the files that pages load."""

from __future__ import annotations

import re
from math import ceil
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.actions import club_appearance
from league.clubs.forms.appearance import MAX_UPLOAD, AppearanceForm
from league.models import Club, ClubMark
from league.web.lookups import club_context, managed_or_403
from league.web.request_body import accept_file
from scoring.numbers import localise

CACHE_FOREVER: Final = "public, max-age=31536000, immutable"  # the URL changes with the picture or the colour


@login_required
@accept_file(MAX_UPLOAD)
def appearance(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    posted = request.method == "POST"
    form = AppearanceForm(request.POST, request.FILES, club=club) if posted else AppearanceForm(club=club)
    if posted and form.is_valid() and _save_appearance(club, form):
        messages.success(request, _("The club has its new looks."))
        return redirect(club)
    context = {"form": form, **club_context(club, request.user)}
    return render(request, "league/clubs/look.html", context, status=422 if form.errors else 200)


def _save_appearance(club: Club, form: AppearanceForm) -> bool:
    """Save the changes, and return True. If the logo cannot be used, add an error to the form and return False."""
    cleaned_data = form.cleaned_data
    try:
        if cleaned_data["mark"] is not None:
            club_appearance.store_logo(club, cleaned_data["mark"].read())
        elif cleaned_data.get("remove_mark"):
            club_appearance.delete_logo(club)
    except club_appearance.NotAPicture:
        form.add_error("mark", _("This can’t be read as a PNG, JPEG or WebP picture."))
        return False
    except club_appearance.TooManyPixels as error:
        form.add_error("mark", _too_many_pixels_message(error.pixels))
        return False
    fields = {"colour"} & cleaned_data.keys() if {"colour", "own_colour"} & set(form.changed_data) else set()
    fields |= {"mark_alt"} & set(form.changed_data)
    club_appearance.change(club, **{name: cleaned_data[name] for name in fields})
    return True


def _too_many_pixels_message(pixels: int | None) -> str:
    if pixels is None:
        return _("The picture has too many pixels: at most 4 million are allowed, for example 2000 by 2000.")
    words = _("The picture has too many pixels, %(number)s million: at most 4 are allowed, for example 2000 by 2000.")
    return words % {"number": localise(ceil(pixels / 100_000) / 10, 1)}


@require_safe
def logo(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Respond with the club's logo. No rights are checked, because the URL contains a digest of the picture."""
    club_mark = get_object_or_404(ClubMark, club__slug=slug, digest=digest)
    response = HttpResponse(bytes(club_mark.data), content_type=club_mark.content_type)
    response.headers["Cache-Control"] = CACHE_FOREVER
    return response


@require_safe
def colour_stylesheet(request: HttpRequest, code: str) -> HttpResponse:
    """Respond with a stylesheet that sets the colour.

    Inline styles are impossible: the Content-Security-Policy forbids them.
    """
    if not re.fullmatch("[0-9a-f]{6}", code):
        raise Http404
    response = HttpResponse(f":root {{ --club: #{code}; }}\n", content_type="text/css; charset=utf-8")
    response.headers["Cache-Control"] = CACHE_FOREVER
    return response
