"""Pages of the draw, which assigns players to tables: plan rounds, show warnings, swap players, accept a round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from secrets import randbelow
from typing import TypeAlias

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import rounds as round_actions
from league.actions.refusals import WrongState
from league.actions.seating import has_points
from league.draw.draw_types import MAX_SEED, DrawWarning, ImpossibleDraw
from league.draw.draw_warnings import draw_warnings
from league.draw.plan import plan_rounds
from league.draw.swaps import swap_effect
from league.evenings.forms.draw import DrawPlanForm, SwapPlayersForm, SwapPlayersOfTablesForm
from league.evenings.queries import draw_input
from league.evenings.queries.draw_warnings import warning_sentences
from league.evenings.queries.seat_plan import seat_plan
from league.models import Deal, Evening, Round, Table
from league.models.evening import UNFINISHED_STATES, EveningState
from league.models.round import RoundState
from league.seasons.queries.season_game import game_of_season
from league.web.action_messages import run_action
from league.web.lookups import club_context, recordable_or_403
from players.models import Player

Meetings: TypeAlias = "dict[int, dict[int, list[str]]]"  # {round number: {player id: names of players met again}}


@login_required
def draw_page(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    if evening.season.tournament_id is not None:
        return redirect("league:tournament-play", evening.season.tournament_id)
    rounds = draw_input.rounds_with_tables(evening)
    form = DrawPlanForm(
        request.POST if request.method == "POST" else None,
        initial={"rounds": _default_round_count(evening, rounds)},
    )
    if form.is_valid():
        round_count, seed = form.cleaned_data["rounds"], form.cleaned_data["seed"]
        seed = randbelow(MAX_SEED) if seed is None else seed
        if _run_draw(request, lambda: _draw_and_store_plan(evening, rounds, round_count, seed)):
            accepted = [round_.number for round_ in rounds if round_.state == RoundState.ACCEPTED]
            return redirect(_round_url(pk, 1 + max(accepted, default=0)))
    return render(
        request,
        "league/evenings/draw.html",
        _context(request, evening, rounds, form),
        status=422 if form.errors else 200,
    )


def _draw_and_store_plan(evening: Evening, rounds: Sequence[Round], round_count: int, seed: int) -> None:
    inputs = draw_input.read_draw_input(evening, rounds)
    drawn = plan_rounds(
        inputs.people, inputs.remaining_rounds(round_count), inputs.wishes, played=inputs.played_seatings, seed=seed
    )
    round_actions.store_drawn_rounds(evening.pk, drawn.rounds, seed=seed, drawn_attendances=inputs.attendances)


@login_required
@require_POST
def accept_round(request: HttpRequest, pk: int) -> HttpResponse:
    round_ = recordable_or_403(Round.objects.with_evening(), request.user, pk=pk)
    message = _("%(round)s is accepted: its tables are ready.") % {"round": round_}
    run_action(request, lambda: round_actions.accept(pk), message)
    return redirect(_round_url(round_.evening_id, round_.number))


@login_required
@require_POST
def redraw_tables(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw the tables of the round again, except tables with recorded deals or totals."""
    round_ = recordable_or_403(Round.objects.with_evening(), request.user, pk=pk)
    if _run_draw(request, lambda: _redraw_empty_tables(round_, randbelow(MAX_SEED))):
        messages.success(request, _("%(round)s is drawn again.") % {"round": round_})
    return redirect(_round_url(round_.evening_id, round_.number))


def _redraw_empty_tables(round_: Round, seed: int) -> None:
    rounds = draw_input.rounds_with_tables(round_.evening)
    tables = next((list(drawn.tables.all()) for drawn in rounds if drawn.pk == round_.pk), [])
    begun = set(Deal.objects.filter(table__in=tables).values_list("table", flat=True))
    kept_tables = [table for table in tables if table.deals or table.pk in begun]
    if tables and len(kept_tables) == len(tables):
        raise WrongState(_("At every table of this round something is recorded: there is nothing to draw again."))
    inputs = draw_input.read_draw_input(round_.evening, [drawn for drawn in rounds if drawn.number < round_.number])
    drawn = draw_input.draw_remaining_players(inputs, kept_tables, round_.number, seed)
    round_actions.replace_tables(
        round_.pk, [table.pk for table in tables if table not in kept_tables], drawn, seed=seed
    )


@login_required
def swap_players(request: HttpRequest, pk: int) -> HttpResponse:
    round_ = recordable_or_403(Round.objects.with_evening(), request.user, pk=pk)
    tables = list(round_.tables.with_seats())
    seated = [seat.player for table in tables for seat in table.seats.all()]
    resting = [rest.player for rest in round_.rests.select_related("player")]
    players = sorted([*seated, *resting], key=lambda player: player.committee_key)
    evening = round_.evening
    asks_reason = evening.state == EveningState.CLOSED or any(has_points(table, table.seats.all()) for table in tables)
    parameters = request.POST if request.method == "POST" else request.GET
    form_data = parameters if request.method == "POST" or {"first", "second"} <= parameters.keys() else None
    form = SwapPlayersForm(
        form_data, initial={"first": parameters.get("first")}, players=players, asks_reason=asks_reason
    )
    form.full_clean()
    if request.method == "POST" and form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        reason = form.cleaned_data.get("reason", "")
        try:
            round_actions.swap_players(pk, first, second, now=timezone.now(), reason=reason)
        except round_actions.NotInRound:
            form.add_error(None, _("One of them has no seat in this round any more."))
        except WrongState as refusal:
            form.add_error("reason" if asks_reason else None, str(refusal))
        else:
            messages.success(request, _("They have changed places."))
            return redirect(_round_url(round_.evening_id, round_.number))
    cleaned = form.cleaned_data if form.is_bound else {}
    is_pair = {"first", "second"} <= cleaned.keys()
    context = {
        **club_context(evening.season.club, request.user),
        "evening": evening,
        "round": round_,
        "form": form,
        "tables": seat_plan(tables),
        "resting": resting,
        "first": next((player for player in players if str(player.pk) == parameters.get("first")), None),
        "effect": _swap_sentences(round_, cleaned["first"], cleaned["second"]) if is_pair else None,
    }
    return render(request, "league/evenings/swap.html", context, status=422 if form.errors else 200)


def _swap_sentences(round_: Round, first: int, second: int) -> dict[str, list[str]]:
    """Return the warnings that the swap adds and removes, as {"added": sentences, "removed": sentences}."""
    rounds = draw_input.rounds_with_tables(round_.evening)
    inputs = draw_input.read_draw_input(round_.evening, rounds)
    seatings = [draw_input.seating_of_round(other_round) for other_round in rounds]
    effect = swap_effect(seatings, round_.number, first, second, inputs.wishes, inputs.people)
    names = {person.pk: str(person) for person in Player.objects.filter(attendances__evening=round_.evening)}
    titles = {other_round.number: str(other_round) for other_round in rounds}
    return {
        kind: [
            f"{titles[number]}{_(': ')}{sentence}"
            for number, sentences in sorted(warning_sentences(warnings, names).items())
            for sentence in sentences
        ]
        for kind, warnings in effect._asdict().items()
    }


@login_required
def swap_players_of_tables(request: HttpRequest, pk: int) -> HttpResponse:
    """Exchange the players of two tables, because a score sheet was entered at the wrong table.

    The deals stay at their tables.
    """
    table = recordable_or_403(Table.objects.with_club().with_seats(), request.user, pk=pk)
    evening = table.round.evening
    same_size_tables = table.round.tables.filter(size=table.size, one_rests=table.one_rests).with_seats()
    other_tables = [other_table for other_table in same_size_tables if other_table.pk != pk]
    asks_reason = table.requires_reason or any(
        has_points(other_table, other_table.seats.all()) for other_table in [table, *other_tables]
    )
    form = SwapPlayersOfTablesForm(
        request.POST if request.method == "POST" else None, tables=other_tables, asks_reason=asks_reason
    )
    if form.is_valid():
        reason = form.cleaned_data.get("reason", "")
        try:
            round_actions.swap_players_of_tables(pk, form.cleaned_data["other"], now=timezone.now(), reason=reason)
        except (round_actions.NotInRound, round_actions.TablesDiffer):
            form.add_error("other", _("This table can't be swapped with it any more."))
        except WrongState as refusal:
            form.add_error("reason" if asks_reason else None, str(refusal))
        else:
            messages.success(request, _("The players of the two tables have changed places."))
            return redirect(table)
    context = {**club_context(evening.season.club, request.user), "evening": evening, "table": table, "form": form}
    return render(request, "league/evenings/swap_tables.html", context, status=422 if form.errors else 200)


def _run_draw(request: HttpRequest, draw: Callable[[], object]) -> bool:
    """Run a draw by `run_action`. If no table is possible, show the reason as a message, and return False."""
    try:
        return run_action(request, draw)
    except ImpossibleDraw as impossible:
        sentences = {
            "too_few": _("Too few people are there for a table in round %(round)s."),
            "no_sizes": _("The season has no table size that can be drawn."),
        }
        messages.error(request, sentences[impossible.code] % {"round": impossible.round})
        return False


def _default_round_count(evening: Evening, rounds: Sequence[Round]) -> int:
    last = max((round_.number for round_ in rounds), default=0)
    has_plan = any(round_.state == RoundState.PLANNED for round_ in rounds)
    return last if has_plan else max(evening.season.rounds, last)


def _round_url(evening_id: int, number: int) -> str:
    return reverse("league:draw", args=[evening_id]) + f"#round-{number}"


def _sort_for_page(rounds: Sequence[Round]) -> list[Round]:
    """Return the rounds in the order of the page: the last accepted round, the planned rounds, the earlier rounds."""
    planned_rounds = [round_ for round_ in rounds if round_.state == RoundState.PLANNED]
    played = sorted(
        (round_ for round_ in rounds if round_ not in planned_rounds), key=lambda round_: round_.number, reverse=True
    )
    return [*played[:1], *sorted(planned_rounds, key=lambda round_: round_.number), *played[1:]]


def _meetings(warnings: Iterable[DrawWarning], names: Mapping[int, str]) -> Meetings:
    meetings: Meetings = defaultdict(lambda: defaultdict(list))
    for warning in warnings:
        if warning.code in ("met_tonight", "partners_again"):
            for player, second_player in (warning.players, warning.players[::-1]):
                meetings[warning.round][player].append(names.get(second_player, "?"))
    return meetings


def _context(request: HttpRequest, evening: Evening, rounds: Sequence[Round], form: DrawPlanForm) -> dict[str, object]:
    inputs = draw_input.read_draw_input(evening, rounds)
    planned_rounds = [draw_input.seating_of_round(round_) for round_ in rounds if round_.state == RoundState.PLANNED]
    names = {person.pk: str(person) for person in Player.objects.filter(attendances__evening=evening)}
    warnings = draw_warnings(planned_rounds, inputs.wishes, inputs.people, inputs.played_seatings)
    sentences = warning_sentences(warnings, names)
    meetings = _meetings(warnings, names)
    return {
        **club_context(evening.season.club, request.user),
        "evening": evening,
        "form": form,
        "rounds": [
            (round_, sentences.get(round_.number, []), seat_plan(round_.tables.all(), meetings[round_.number]))
            for round_ in _sort_for_page(rounds)
        ],
        "planned": bool(planned_rounds),
        "next_round": inputs.next_round,
        "present": sum(person.is_present(inputs.next_round) for person in inputs.people),
        "pairs": game_of_season(evening.season).has_pairs,
        "may_change": evening.state in UNFINISHED_STATES,
    }
