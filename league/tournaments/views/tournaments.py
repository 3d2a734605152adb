"""A club's tournaments: the list, a tournament's page, its settings and states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.actions import tournaments
from league.actions.refusals import WrongState
from league.models import Club, Finals, Tournament
from league.tournaments.forms.tournaments import TournamentForm
from league.tournaments.queries.presets import presets
from league.tournaments.queries.units import count_units, format_words, public_names, unit_word
from league.web.finding import frame, recordable, seen
from scoring import registry
from scoring.game import find_game

PAGE: Final = 50
MOST_EARLIER: Final = 5  # tournaments offered as a model of a new one
allow_get_and_post = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
def club_tournaments(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's tournaments that the viewer may see, the latest first."""
    club = seen(Club.objects, request.user, slug=slug)
    context = frame(club, request.user)
    rows = Tournament.objects.visible_to(request.user).filter(club=club)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    return render(request, "league/tournaments/tournaments.html", {**context, "page": page})


@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """The announcement: date, place, fee, format, and the names of people who agreed."""
    row = seen(Tournament.objects.with_club(), request.user, pk=pk)
    context = visitor_frame(request, row)
    counts = count_units(row)
    context |= {
        "counts": counts,
        "registered": unit_word(row, counts.registered),
        "places": unit_word(row, row.places),
        "format": format_words(row),
        "game": find_game(row.game).name if row.game in registry.slugs() else "",
        "names": public_names(row),
        "has_finals": row.has_started and Finals.objects.filter(tournament=row).exists(),
        "accepts": row.accepts(timezone.now()),
    }
    return render(request, "league/tournaments/tournament.html", context)


def visitor_frame(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    """Return the context of a page for visitors.

    Visitors of a private club's tournament get no links to the club's pages.
    """
    context = frame(row.club, request.user)
    if not row.club.public and not context["can_read"]:
        del context["club"]
    return {**context, "tournament": row, "organiser": row.club}


@login_required
@allow_get_and_post
def create(request: HttpRequest, slug: str) -> HttpResponse:
    """A new tournament on one screen, filled from a preset or an earlier tournament."""
    club = recordable(Club.objects, request.user, slug=slug)
    offered = presets()
    slug_of_preset = request.GET.get("preset")
    preset = next((row for row in offered if row.preset.slug == slug_of_preset), offered[0])
    earlier = list(club.tournaments.all()[:MOST_EARLIER])
    like = next((row for row in earlier if str(row.pk) == request.GET.get("like")), None)
    with timezone.override(club.zone):
        form = TournamentForm(request.POST if request.method == "POST" else None, club=club, preset=preset, like=like)
        if request.method == "POST" and form.is_valid():
            new, is_new = tournaments.create(club, form.new_fields())
            message = _("The tournament is created. Open the registration when all is right.")
            messages.success(request, message if is_new else _("This tournament was created already."))
            return redirect(new)
        selected_preset = None if like else preset
        context = {"form": form, "presets": offered, "chosen": selected_preset, "earlier": earlier, "like": like}
        status = 422 if form.errors else 200
        return render(
            request,
            "league/tournaments/tournament_create.html",
            {**frame(club, request.user), **context},
            status=status,
        )


@login_required
@allow_get_and_post
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable(Tournament.objects.with_club(), request.user, pk=pk)
    with timezone.override(row.club.zone):
        form = TournamentForm(club=row.club, instance=row)
        if request.method == "POST":
            try:
                with tournaments.locked(pk) as current:
                    form = TournamentForm(request.POST, club=row.club, instance=current)
                    if form.is_valid():
                        tournaments.change(current, form.changed_fields, now=timezone.now())
            except WrongState as refusal:
                messages.error(request, str(refusal))
                return redirect(row)
            if form.is_valid():
                messages.success(request, _("The tournament is changed."))
                return redirect(row)
        context = {**frame(row.club, request.user), "tournament": row, "form": form}
        return render(request, "league/tournaments/tournament_edit.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def open_registration(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable(Tournament.objects.with_club(), request.user, pk=pk)
    now = timezone.now()
    return _run_step(request, row, lambda: tournaments.open(pk, now=now), _("The registration is open."))


@login_required
@require_POST
def close_registration(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable(Tournament.objects.with_club(), request.user, pk=pk)
    return _run_step(request, row, lambda: tournaments.close(pk), _("The registration is closed."))


@login_required
@allow_get_and_post
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then cancel the tournament and notify all who registered."""
    row = recordable(Tournament.objects.with_club(), request.user, pk=pk)
    if request.method == "POST":
        return _run_step(request, row, lambda: tournaments.cancel(pk), _("The tournament is cancelled."))
    context = {**frame(row.club, request.user), "tournament": row, "counts": count_units(row)}
    return render(request, "league/tournaments/tournament_cancel.html", context)


def _run_step(request: HttpRequest, row: Tournament, action: Callable[[], Tournament], message: str) -> HttpResponse:
    try:
        action()
    except WrongState as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, message)
    return redirect(row)
