"""Pages of a tournament's finals: the brackets, the organiser's steps, a printable version, and the hall's screen."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.actions import finals as finals_actions
from league.actions import tournament_play
from league.actions.refusals import WrongState
from league.models import Evening, FinalsGame, Tournament
from league.models.table_codes import MAX_ID_DIGITS
from league.models.tournament import TournamentState
from league.tournaments.forms.finals import FinalsStartForm
from league.tournaments.queries.finals import FinalsState, read_finals
from league.tournaments.queries.finals_plan import finals_ranking, reason_not_to_start
from league.tournaments.queries.finals_rows import BracketRows, FinalsRows, MatchRow, SideRow, StageRows
from league.tournaments.queries.playing_units import evening_of, playing_units
from league.tournaments.queries.ranking import RankedUnit, read_results
from league.tournaments.views.tournaments import visitor_context
from league.web.action_messages import run_action
from league.web.bracket_drawing import Column, Drawing, Side, Sides, draw_bracket, fit_lines
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403, visible_or_404
from league.web.numbers import parse_number
from league.web.printing import render_for_paper

# A bracket with more matches in its first stage is drawn in three parts: two halves and the last stages.
MAX_FIRST_STAGE_MATCHES: Final = 8


@require_safe
def finals(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the brackets with all results. Users who may record results also see the next steps."""
    row = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    context = visitor_context(request, row)
    context |= _finals_context(row, shows_names=bool(context["can_read"]))
    rows: FinalsRows | None = context["finals"]
    if context["can_record"] and row.state == TournamentState.RUNNING:
        context |= {"desk": rows.state if rows else None, "is_desk": True}
    if rows is not None and any(len(group) == 1 for group in rows.state.rank_groups[:1]):
        context["podium"] = _podium(rows)
    return render(request, "league/tournaments/finals.html", context)


def _finals_context(row: Tournament, *, shows_names: bool) -> dict[str, Any]:
    evening = _started_evening(row)
    state = read_finals(row, evening.season) if evening else None
    if evening is None or state is None:
        return {"finals": None, "parts": []}
    rows = FinalsRows(state, evening.season, shows_names)
    return {"finals": rows, "parts": _all_bracket_parts(rows), "evening": evening}


def _started_evening(row: Tournament) -> Evening | None:
    return evening_of(row) if row.has_started else None


class BracketPart(NamedTuple):
    """A bracket of matches, or a part of a large bracket, as a drawing and as text."""

    kind: str
    title: str
    drawing: Drawing
    stages: list[StageRows]


def _all_bracket_parts(rows: FinalsRows) -> list[BracketPart]:
    third_place = rows.third_place
    return [
        part
        for bracket in rows.brackets
        for part in _bracket_parts(bracket, third_place if bracket.kind == "main" else None)
    ]


def _bracket_parts(bracket: BracketRows, third_place: StageRows | None) -> list[BracketPart]:
    stages = list(bracket.stages)
    if len(stages[0].matches) <= MAX_FIRST_STAGE_MATCHES:
        return [_bracket_part(bracket, bracket.title, stages, third_place)]
    halves = [
        [StageRows(stage.title, stage.matches[: len(stage.matches) // 2]) for stage in stages[:-1]],
        [StageRows(stage.title, stage.matches[len(stage.matches) // 2 :]) for stage in stages[:-1]],
    ]
    titles = {"title": bracket.title}
    return [
        _bracket_part(bracket, _("%(title)s: upper half") % titles, halves[0], None),
        _bracket_part(bracket, _("%(title)s: lower half") % titles, halves[1], None),
        _bracket_part(bracket, _("%(title)s: semi-finals and final") % titles, stages[-2:], third_place),
    ]


def _bracket_part(
    bracket: BracketRows, title: str, stages: list[StageRows], third_place: StageRows | None
) -> BracketPart:
    columns = [
        Column(stage.title, [None if match.is_bye else _drawing_sides(match) for match in stage.matches])
        for stage in stages
    ]
    extra_match = (third_place.title, _drawing_sides(third_place.matches[0])) if third_place else None
    drawing = draw_bracket(columns, extra_match)
    return BracketPart(bracket.kind, title, drawing, [*stages, third_place] if third_place else stages)


def _drawing_sides(match: MatchRow) -> Sides:
    first, second = match.sides
    return (_drawing_side(first), _drawing_side(second))


def _drawing_side(side: SideRow) -> Side:
    if side.unit is None:
        return Side("", [], "", False)
    if not side.names:
        return Side("", [side.label], side.score, side.wins)
    return Side(str(side.unit_number), fit_lines(side.names), side.score, side.wins)


class PodiumRow(NamedTuple):
    """A unit (player, pair or team) with the rank that the finals have decided."""

    rank: int
    side: SideRow


def _podium(rows: FinalsRows) -> list[PodiumRow]:
    """Return the units (players, pairs or teams) that the finals have ranked, from rank 1."""
    podium: list[PodiumRow] = []
    for group in rows.state.rank_groups:
        rank = len(podium) + 1
        podium += [PodiumRow(rank, rows.side_row(seed)) for seed in group]
    return podium


@login_required
@allow_get_and_post
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form for the kind of finals, and the ranking of the units that can play. A POST starts the finals."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    evening = _started_evening(row)
    if evening is None or row.state != TournamentState.RUNNING:
        messages.error(request, _("The tournament is not being played now."))
        return redirect(row)
    played = read_results(evening)
    ranked = finals_ranking(row, evening.season, playing_units(row, evening), played)
    form = FinalsStartForm(
        request.POST if request.method == "POST" else None, tournament=row, evening=evening, present=len(ranked)
    )
    if request.method == "POST" and form.is_valid():
        try:
            finals_actions.start(pk, form.plan())
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The finals have started. Draw the first matches."))
            return redirect("league:tournament-finals", pk)
    context |= {
        "tournament": row,
        "form": form,
        "ranked": ranked,
        "reason": reason_not_to_start(row, played),
        "shared_ranks": _shared_ranks(ranked),
    }
    status = 422 if form.errors else 200
    return render(request, "league/tournaments/finals_start.html", context, status=status)


def _shared_ranks(ranked: list[RankedUnit]) -> set[int]:
    """Return the ranks that several units (players, pairs or teams) share."""
    ranks = [row.rank for row in ranked]
    return {rank for rank in ranks if ranks.count(rank) > 1}


@login_required
@require_POST
def draw_next(request: HttpRequest, pk: int) -> HttpResponse:
    recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)

    def draw_matches() -> None:
        round_ = finals_actions.draw_next_round(pk)
        count = round_.tables.count()
        text = ngettext("%(count)s table is drawn.", "%(count)s tables are drawn.", count)
        messages.success(request, text % {"count": count})

    run_action(request, draw_matches)
    return redirect("league:tournament-finals", pk)


@login_required
@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the last round of the finals; if no round is drawn, delete the finals."""
    recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)

    def take_back_last() -> None:
        row = Tournament.objects.get(pk=pk)
        state = _finals_state(row)
        if state is not None and state.last_round_id is not None:
            tournament_play.take_back_round(state.last_round_id)
            messages.success(request, _("The tables are taken back."))
        else:
            finals_actions.take_back(pk)
            messages.success(request, _("The finals are taken back."))

    run_action(request, take_back_last)
    return redirect("league:tournament-finals", pk)


def _finals_state(row: Tournament) -> FinalsState | None:
    evening = _started_evening(row)
    return read_finals(row, evening.season) if evening else None


@login_required
@require_POST
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the winner of a tied game of the finals: `game` is the game's id, `seed` the winner's seed number."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    game = FinalsGame.objects.filter(finals__tournament=row, pk=_posted_number(request, "game")).first()
    if game is None:
        raise Http404
    seed = _posted_number(request, "seed")
    run_action(request, lambda: finals_actions.decide_tie(game.pk, seed), _("The decision is stored."))
    return redirect("league:tournament-finals", pk)


def _posted_number(request: HttpRequest, name: str) -> int:
    return parse_number(request.POST.get(name, ""), max_digits=MAX_ID_DIGITS) or 0


@login_required
@require_POST
def reseat(request: HttpRequest, pk: int) -> HttpResponse:
    """After a correction of results, replace the units that sit wrongly at tables of the finals without a result.

    A unit is a player, pair or team.
    """
    recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)

    def reseat_units() -> None:
        count = finals_actions.reseat_units(pk)
        text = ngettext("%(count)s table has other units now.", "%(count)s tables have other units now.", count)
        messages.success(request, text % {"count": count})

    run_action(request, reseat_units)
    return redirect("league:tournament-finals", pk)


@login_required
@require_safe
def printed_brackets(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the brackets as printable pages for the wall, one page for each part of a bracket."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)

    def context() -> dict[str, Any]:
        return {"tournament": row, **_finals_context(row, shows_names=True)}

    return render_for_paper(request, row.club, "league/tournaments/finals_paper.html", context)


@require_safe
def screen(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the brackets on the hall's screen; the page reloads itself."""
    row = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    context = visitor_context(request, row)
    context |= _finals_context(row, shows_names=bool(context["can_read"]))
    return render(request, "league/tournaments/finals_screen.html", context)
