"""Pages for the organisers on the day of a tournament: start, check-in, draw of rounds, countdown, finish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import randbelow
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.actions import tournament_play
from league.actions.refusals import WrongState
from league.draw.draw_types import MAX_SEED, ImpossibleDraw, Seating
from league.evenings.queries.seat_plan import PlanTable, seat_plan
from league.models import Evening, Round, Table, Tournament, TournamentUnit
from league.models.round import RoundQuerySet
from league.models.tournament import TournamentState
from league.seasons.queries.season_game import game_of_season
from league.tournaments.forms.play import CountdownForm, HandDrawForm
from league.tournaments.queries.finals import FinalsState, read_finals
from league.tournaments.queries.format import seats_of_units
from league.tournaments.queries.playing_units import (
    PlayingUnits,
    evening_of,
    is_decided,
    players_in_rounds,
    playing_units,
    resting_units,
    rounds_of,
    unit_player_ids,
    units_at,
    units_met_again,
)
from league.tournaments.queries.round_draw import draw_next_round, next_round_number, seating_of_pairs
from league.tournaments.queries.units import (
    DeskRow,
    check_in_words,
    count_units,
    desk_row,
    unit_count_words,
    units_matching,
)
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403
from players.forms.search import SearchForm

CLOCK_MINUTES_KEY = "clock_minutes"  # in the session: the minutes of the last countdown


def tournament_rounds() -> RoundQuerySet:
    rounds: RoundQuerySet = Round.objects.select_related(
        "evening__season__club", "evening__season__tournament"
    ).exclude(evening__season__tournament=None)
    return rounds


@login_required
@require_safe
def play(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next step of the tournament's day, and all rounds with their tables, the last round first."""
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context: dict[str, Any] = {
        **club_context(tournament.club, request.user),
        "tournament": tournament,
        "counts": count_units(tournament),
    }
    if tournament.has_started:
        context |= _play_context(tournament, clock_minutes=tournament.minutes or request.session.get(CLOCK_MINUTES_KEY))
    return render(request, "league/tournaments/play.html", context)


def _play_context(tournament: Tournament, *, clock_minutes: int | None) -> dict[str, Any]:
    """Return the context of the page `play` for a tournament that has started.

    `clock_minutes` is the proposed length of the countdown, or None.
    """
    evening = evening_of(tournament)
    playing, rounds = playing_units(tournament, evening), rounds_of(evening, with_players=True)
    number = next_round_number(rounds)
    present = playing.present_units(number)
    # Read only after the last round before the finals, since it needs seven queries.
    finals = read_finals(tournament, evening.season) if number > tournament.rounds else None
    drawn = [day_round(round_, playing) for round_ in reversed(rounds)]
    open_table_count = sum(row.open_table_count for row in drawn if row.round.number < number)
    next_is_planned = bool(rounds) and rounds[-1].number == number
    can_draw = len(present) >= 2 and finals is None
    waits = open_table_count or next_is_planned
    next_step = "" if waits else _next_step(tournament, number, finals, can_draw=can_draw)
    return {
        "evening": evening,
        "clock_form": CountdownForm(initial_minutes=clock_minutes),
        "playing": playing,
        "present": unit_count_words(tournament, len(present)),
        "can_draw": can_draw,
        "finals": finals,
        "rounds_are_over": number > tournament.rounds,
        "next_step": next_step,
        "rounds": drawn,
        "plan": _seat_plan(rounds, playing) if rounds else [],
        "next_number": number,
        "begun": number - 1,
        "planned": next_is_planned,
        "open_table_count": open_table_count,
        "meets_one_unit": bool(seats_of_units(tournament, game_of_season(evening.season), evening.house_rules)),
    }


def _seat_plan(rounds: Sequence[Round], playing: PlayingUnits) -> list[PlanTable]:
    """Return the data for the map of the last round's tables. `rounds` is not empty."""
    tables = rounds[-1].tables.all()
    decided = {table.pk for table in tables if is_decided(table)}
    return seat_plan(tables, units_met_again(rounds, playing), units=playing.labels, decided=decided)


def _next_step(tournament: Tournament, number: int, finals: FinalsState | None, *, can_draw: bool) -> str:
    """Return the recommended next step: "finish", "finals", "draw" or "check_in".

    `number` is the number of the next round. Call it only if no round is planned and no result is missing.
    """
    if number > tournament.rounds:
        return "finish" if finals is None or finals.is_over else "finals"
    return "draw" if can_draw else "check_in"


class DayRound(NamedTuple):
    """A round of a tournament. `tables` has (table, its units, whether it has a result).

    A unit is a player, pair or team.
    """

    round: Round
    tables: Sequence[tuple[Table, Sequence[TournamentUnit], bool]]
    resting: Sequence[TournamentUnit]

    @property
    def open_table_count(self) -> int:
        return sum(not decided for _table, _units, decided in self.tables)

    @property
    def has_results(self) -> bool:
        return self.open_table_count < len(self.tables)


def day_round(round_: Round, playing: PlayingUnits) -> DayRound:
    tables = [(table, units_at(table, playing.by_player), is_decided(table)) for table in round_.tables.all()]
    return DayRound(round_, tables, resting_units(round_, playing.by_player))


@login_required
@require_POST
def start(request: HttpRequest, pk: int) -> HttpResponse:
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    now = timezone.now()
    if run_action(request, lambda: tournament_play.start(pk, now=now)):
        return redirect("league:tournament-check-in", pk)
    return redirect(tournament)


@login_required
@allow_get_and_post
def check_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the units (players, pairs or teams) that are expected, on the waiting list, and checked in.

    A POST checks in the unit whose name the user types. If several names match, it checks in nobody: the page lists
    these units, each with a button. Other buttons check in a unit of the waiting list, or all expected units.
    """
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(tournament.club, request.user)
    if tournament.state != TournamentState.RUNNING:
        messages.error(request, _("The tournament is not being played now."))
        return redirect("league:tournament-play", pk)
    expected = list(tournament.units.registered().filter(number=None).order_by("registered_at", "pk").with_players())
    search = SearchForm(request.POST if "q" in request.POST else request.GET, label=_("Who is there?"))
    search.fields["q"].widget.attrs["autofocus"] = True  # names are typed one after the other
    matches = units_matching(expected, search.search_text)
    waiting = list(tournament.units.waiting().with_players())
    if request.method == "POST":
        arriving_units = _units_to_check_in(request, expected, waiting, matches, search)
        if arriving_units and _check_in(request, tournament, arriving_units):
            return redirect("league:tournament-check-in", pk)
        if not arriving_units and not search.errors:
            _explain_no_match(search, matches, waiting)
    evening = evening_of(tournament)
    playing, drawn_players = playing_units(tournament, evening), players_in_rounds(evening)
    next_number = next_round_number(list(evening.rounds.all()))
    now = timezone.now()
    context |= {
        "tournament": tournament,
        "search": search,
        "expected": [desk_row(tournament, unit, now) for unit in matches],
        "expected_count": len(expected),
        "waiting": [desk_row(tournament, unit, now) for unit in units_matching(waiting, search.search_text)],
        "waiting_count": len(waiting),
        "playing": [
            PresentUnit(
                desk_row(tournament, unit, now),
                playing.has_left(unit),
                drawn_players.isdisjoint(unit_player_ids(unit)),
                playing.was_checked_in_before(unit, next_number),
            )
            for unit in reversed(playing.units)
        ],
        "present": unit_count_words(tournament, sum(not playing.has_left(unit) for unit in playing.units)),
    }
    status = 422 if search.errors else 200
    return render(request, "league/tournaments/check_in.html", context, status=status)


class PresentUnit(NamedTuple):
    """A checked-in player, pair or team.

    `can_undo`: the check-in can be undone, since there was no table yet. `can_leave`: a round was drawn since then.
    """

    row: DeskRow
    has_left: bool
    can_undo: bool
    can_leave: bool


def _units_to_check_in(
    request: HttpRequest,
    expected: list[TournamentUnit],
    waiting: list[TournamentUnit],
    matches: list[TournamentUnit],
    search: SearchForm,
) -> list[TournamentUnit]:
    """Return the units that the request checks in: all expected units, the unit of a button, or the only match.

    A unit is a player, pair or team. A unit of the waiting list is checked in only by its button.
    """
    if "all" in request.POST:
        return expected
    if "unit" in request.POST:
        return [unit for unit in (*expected, *waiting) if str(unit.pk) == request.POST["unit"]]
    return matches if len(matches) == 1 and search.search_text else []


def _explain_no_match(search: SearchForm, matches: Sequence[TournamentUnit], waiting: Sequence[TournamentUnit]) -> None:
    if not search.search_text:
        search.add_error("q", _("Type part of a name."))
    elif not matches and units_matching(waiting, search.search_text):
        search.add_error("q", _("They are on the waiting list, which is below."))
    elif not matches:
        search.add_error("q", _("Nobody of that name is expected. Are they checked in, or not registered?"))


def _check_in(request: HttpRequest, tournament: Tournament, arriving_units: list[TournamentUnit]) -> bool:
    def check_in_units() -> None:
        units = tournament_play.check_in(tournament.pk, [unit.pk for unit in arriving_units])
        if len(units) == 1:
            text = check_in_words(tournament, units[0], timezone.now())
        else:
            text = ngettext("%(count)s unit is checked in.", "%(count)s units are checked in.", len(units))
            text %= {"count": len(units)}
        messages.success(request, text)

    return run_action(request, check_in_units)


@login_required
@require_POST
def check_out(request: HttpRequest, pk: int) -> HttpResponse:
    unit = _recordable_unit(request, pk)
    run_action(request, lambda: tournament_play.check_out(pk), _("The check-in is taken back."))
    return redirect("league:tournament-check-in", unit.tournament_id)


@login_required
@require_POST
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Store that a player, pair or team leaves the tournament (`leaves` is "yes"), or plays again ("no")."""
    unit = _recordable_unit(request, pk)
    leaves = request.POST.get("leaves") == "yes"
    message = _("%(unit)s is drawn no more, and stays in the ranking.") if leaves else _("%(unit)s plays again.")
    run_action(request, lambda: tournament_play.set_leaving(pk, leaves=leaves), message % {"unit": unit.title})
    return redirect("league:tournament-check-in", unit.tournament_id)


@login_required
@require_POST
def draw_round(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw the next round and store it in the state "planned"."""
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    seed = randbelow(MAX_SEED)

    def draw_and_store_round() -> None:
        evening = _running_evening(tournament)
        attendances = tournament_play.attendances_for_draw(evening)
        rounds = rounds_of(evening)
        drawn = draw_next_round(tournament, evening, playing_units(tournament, evening), rounds, seed=seed)
        tournament_play.store_round(pk, drawn, seed=seed, drawn_attendances=attendances)

    try:
        run_action(request, draw_and_store_round)
    except ImpossibleDraw:
        messages.error(request, _("Too few are here for a table."))
    return _redirect_to_play(pk)


@login_required
@allow_get_and_post
def draw_by_hand(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a form with the tables of the next round, as text. A POST stores them as the planned round."""
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(tournament.club, request.user)
    try:
        evening = _running_evening(tournament)
    except WrongState as refusal:
        messages.error(request, str(refusal))
        return _redirect_to_play(pk)
    attendances = tournament_play.attendances_for_draw(evening)
    playing, rounds = playing_units(tournament, evening), rounds_of(evening)
    number = next_round_number(rounds)
    seats = seats_of_units(tournament, game_of_season(evening.season), evening.house_rules)
    if not seats:
        messages.error(request, _("Tables of several players are changed at the evening’s seating."))
        return redirect("league:seating", evening.pk)
    present = {unit.number: unit for unit in playing.present_units(number) if unit.number is not None}
    form = HandDrawForm(
        request.POST if request.method == "POST" else None,
        present=present,
        initial={"tables": _planned_tables_text(rounds, number, playing.by_player)},
    )
    if request.method == "POST" and form.is_valid():
        drawn: Seating = seating_of_pairs(number, form.pairs, form.resting, seats)
        if run_action(request, lambda: tournament_play.store_round(pk, drawn, seed=0, drawn_attendances=attendances)):
            return _redirect_to_play(pk)
    context |= {"tournament": tournament, "form": form, "number": number, "present": present}
    return render(request, "league/tournaments/draw_by_hand.html", context, status=422 if form.errors else 200)


def _planned_tables_text(rounds: Sequence[Round], number: int, by_player: Mapping[int, TournamentUnit]) -> str:
    """Return the tables of the planned round as text for `HandDrawForm`; "" if no round is planned."""
    planned = next((round_ for round_ in rounds if round_.number == number), None)
    if planned is None:
        return ""
    tables = [units_at(table, by_player) for table in planned.tables.all()]
    resting = [[unit] for unit in resting_units(planned, by_player)]
    return "\n".join(" ".join(str(unit.number) for unit in units) for units in (*tables, *resting))


@login_required
@require_POST
def accept_round(request: HttpRequest, pk: int) -> HttpResponse:
    round_ = recordable_or_403(tournament_rounds(), request.user, pk=pk)
    message = _("%(round)s begins: its tables are ready.") % {"round": round_}
    run_action(request, lambda: tournament_play.begin_round(pk), message)
    return _redirect_to_play(round_.evening.season.tournament_id)


@login_required
@require_POST
def take_back_round(request: HttpRequest, pk: int) -> HttpResponse:
    round_ = recordable_or_403(tournament_rounds(), request.user, pk=pk)
    message = _("The draw of %(round)s is taken back.") % {"round": round_}
    run_action(request, lambda: tournament_play.take_back_round(pk), message)
    return _redirect_to_play(round_.evening.season.tournament_id)


@login_required
@require_POST
def clock(request: HttpRequest, pk: int) -> HttpResponse:
    """Start, pause, continue, extend or stop the countdown of a round, which the hall's screen shows."""
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    now = timezone.now()
    form = CountdownForm(request.POST, initial_minutes=tournament.minutes)
    if not form.is_valid():
        for error in form.errors.get("minutes", ()):
            messages.error(request, str(error))
        return _redirect_to_play(pk)
    if form.cleaned_data["do"] == "start":
        request.session[CLOCK_MINUTES_KEY] = form.cleaned_data["minutes"]
    seconds_left, runs = form.next_clock_state(tournament, now)
    run_action(request, lambda: tournament_play.set_countdown(pk, left=seconds_left, runs=runs, now=now))
    return _redirect_to_play(pk)


@login_required
@require_POST
def finish(request: HttpRequest, pk: int) -> HttpResponse:
    tournament = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    now = timezone.now()
    message = _("The tournament is finished. Its results count for the ratings.")
    if run_action(request, lambda: tournament_play.finish(pk, now=now), message):
        return redirect("league:tournament-ranking", tournament.pk)
    return _redirect_to_play(pk)


@login_required
@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    now = timezone.now()
    message = _("The tournament is open again: correct it, then finish it.")
    run_action(request, lambda: tournament_play.resume(pk, now=now), message)
    return _redirect_to_play(pk)


def _running_evening(tournament: Tournament) -> Evening:
    if tournament.state != TournamentState.RUNNING:
        raise WrongState(_("The tournament is not being played now."))
    return evening_of(tournament)


def _recordable_unit(request: HttpRequest, pk: int) -> TournamentUnit:
    return recordable_or_403(TournamentUnit.objects.select_related("tournament__club"), request.user, pk=pk)


def _redirect_to_play(pk: int | None) -> HttpResponse:
    return redirect(reverse("league:tournament-play", args=[pk]))
