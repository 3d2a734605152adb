"""Pages of a club's tournaments: the list, a tournament's announcement, its settings, and changes of its state."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.actions import tournaments
from league.actions.refusals import WrongState
from league.evenings.queries.own_seats import own_seats
from league.models import Club, Finals, Seat, Tournament, TournamentClub
from league.models.tournament import TournamentState
from league.tournaments.forms.tournaments import TournamentForm
from league.tournaments.queries.announcement import announcement_context, house_rules_words
from league.tournaments.queries.invitations import invitations
from league.tournaments.queries.playing_units import evening_of
from league.tournaments.queries.presets import presets
from league.tournaments.queries.tournament_results import podium, winners
from league.tournaments.queries.units import count_units
from league.web.action_messages import run_action
from league.web.calendar_file import render_calendar, tournaments_with_changes
from league.web.http_methods import allow_get_and_post
from league.web.language import use_browser_language
from league.web.lookups import club_context, recordable_or_403, visible_or_404

PAGE_SIZE: Final = 50
MAX_TOURNAMENTS_TO_COPY: Final = 5  # earlier tournaments whose values a new one can begin with


@require_safe
def club_tournaments(request: HttpRequest, slug: str) -> HttpResponse:
    """List the club's tournaments that the viewer may see, the latest first."""
    club = visible_or_404(Club.objects, request.user, slug=slug)
    context = club_context(club, request.user)
    rows = Tournament.objects.visible_to(request.user).filter(club=club)
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    winners_of = winners([row.pk for row in page if row.state == TournamentState.FINISHED], request.user)
    context |= {
        "page": page,
        "rows": [(row, winners_of.get(row.pk, [])) for row in page],
        "invitations": invitations(club, request.user) if context["can_record"] else [],
    }
    return render(request, "league/tournaments/tournaments.html", context)


@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a tournament: date, place, fee, format, names of registered players who agreed, and finally the podium."""
    row = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    context = visitor_context(request, row)
    context |= {
        **announcement_context(row, timezone.now()),
        "invitations": _invitations(request, row),
        "own_seats": _own_seats(request, row),
        "has_finals": row.has_started and Finals.objects.filter(tournament=row).exists(),
        "podium": podium(row, request.user),
    }
    return render(request, "league/tournaments/tournament.html", context)


def _own_seats(request: HttpRequest, row: Tournament) -> list[Seat]:
    player = getattr(request.user, "player", None) if row.state == TournamentState.RUNNING else None
    return own_seats([evening_of(row)], player) if player else []


def _invitations(request: HttpRequest, row: Tournament) -> list[TournamentClub]:
    """Return the invitations to this tournament of all clubs for which the user may record results."""
    if not request.user.is_authenticated:
        return []
    return list(TournamentClub.objects.visible_to(request.user).filter(tournament=row).with_clubs())


@require_safe
def calendar_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the tournament as a file for a calendar program (iCalendar)."""
    visible_rows = Tournament.objects.visible_to(request.user).with_club()
    row = get_object_or_404(tournaments_with_changes(visible_rows), pk=pk)
    site = request.build_absolute_uri("/").rstrip("/")
    response = HttpResponse(render_calendar(str(row), [], site, [row]), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{slugify(row.name) or 'tournament'}.ics")
    return response


def visitor_context(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    """Return the context that all pages of a tournament for visitors share.

    If the club is private and the user may not read its pages, the context has no `club`, so that there are no links to
    them.
    """
    context = club_context(row.club, request.user)
    use_browser_language(request)
    if not row.club.public and not context["can_read"]:
        del context["club"]
    return {**context, "tournament": row, "organiser": row.club}


@login_required
@allow_get_and_post
def create(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a tournament. The parameter `preset`, `own` (club preset) or `like` (a tournament) fills the form.

    A POST with `begin_with` does not create it: it fills the form again, and keeps the values that the user has typed.
    """
    club = recordable_or_403(Club.objects, request.user, slug=slug)
    game_presets = presets()
    slug_of_preset = request.GET.get("preset")
    preset = next((row for row in game_presets if row.preset.slug == slug_of_preset), game_presets[0])
    earlier = list(club.tournaments.all()[:MAX_TOURNAMENTS_TO_COPY])
    like = next((row for row in earlier if str(row.pk) == request.GET.get("like")), None)
    club_presets = list(club.tournament_presets.all())
    club_preset = next((row for row in club_presets if str(row.pk) == request.GET.get("own")), None)
    with timezone.override(club.zone):
        filled_form = partial(TournamentForm, club=club, preset=preset, club_preset=club_preset, like=like)
        form = filled_form(request.POST if request.method == "POST" else None)
        if "begin_with" in request.POST:
            form = filled_form(typed=form.typed_values)
        elif request.method == "POST" and form.is_valid():
            new, is_new = tournaments.create(club, form.new_fields())
            message = _("The tournament is created. Open the registration when all is right.")
            messages.success(request, message if is_new else _("This tournament was created already."))
            return redirect(new)
        context = {
            "form": form,
            "presets": game_presets,
            "club_presets": club_presets,
            "earlier": earlier,
            "chosen": like or club_preset or preset,
        }
        status = 422 if form.errors else 200  # only a sent form has errors
        return render(
            request,
            "league/tournaments/tournament_create.html",
            {**club_context(club, request.user), **context},
            status=status,
        )


@login_required
@allow_get_and_post
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    with timezone.override(row.club.zone):
        form = TournamentForm(club=row.club, instance=row)
        if request.method == "POST":
            try:
                with tournaments.tournament_lock(pk) as current:
                    form = TournamentForm(request.POST, club=row.club, instance=current)
                    if form.is_valid():
                        tournaments.change(current, form.changed_fields, now=timezone.now())
            except WrongState as refusal:
                messages.error(request, str(refusal))
                return redirect(row)
            if form.is_valid():
                messages.success(request, _("The tournament is changed."))
                return redirect(row)
        context = {
            **club_context(row.club, request.user),
            "tournament": row,
            "form": form,
            "house_rules": house_rules_words(row) if row.has_started else "",
        }
        return render(request, "league/tournaments/tournament_edit.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def open_registration(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    now = timezone.now()
    run_action(request, lambda: tournaments.open_registration(pk, now=now), _("The registration is open."))
    return redirect(row)


@login_required
@require_POST
def close_registration(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    run_action(request, lambda: tournaments.close_registration(pk), _("The registration is closed."))
    return redirect(row)


@login_required
@allow_get_and_post
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a confirmation. A POST cancels the tournament, and emails all registered players."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    if request.method == "POST":
        run_action(request, lambda: tournaments.cancel(pk), _("The tournament is cancelled."))
        return redirect(row)
    context = {**club_context(row.club, request.user), "tournament": row, "counts": count_units(row)}
    return render(request, "league/tournaments/tournament_cancel.html", context)
