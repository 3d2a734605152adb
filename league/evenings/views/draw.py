"""The draw: plan the rounds that are left, look at what could not be avoided, swap two by hand, accept a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import randbelow

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
from league.draw.draw_warnings import draw_warnings
from league.draw.plan import plan
from league.draw.terms import ImpossibleDraw
from league.evenings.forms.draw import MOST_SEED, PlanForm, SwapForm, SwapTablesForm
from league.evenings.queries import draw_input
from league.evenings.queries.draw_warnings import in_words
from league.models import Deal, Evening, Round, Table
from league.models.evening import NOT_OVER, EveningState
from league.models.round import RoundState
from league.web.finding import frame, recordable
from players.models import Player
from scoring.game import find_game


@login_required
def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Every round as it is drawn; a POST plans those that are left."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    rounds = draw_input.drawn(evening)
    form = PlanForm(
        request.POST if request.method == "POST" else None,
        initial={"rounds": _expected(evening, rounds)},
    )
    if form.is_valid():
        number, seed = form.cleaned_data["rounds"], _seed(form)
        if _tried(request, lambda: _plan(evening, rounds, number, seed)):
            return redirect("league:draw", pk)
    return render(
        request, "league/evenings/draw.html", _shown(request, evening, rounds, form), status=422 if form.errors else 200
    )


def _plan(evening: Evening, rounds: Sequence[Round], number: int, seed: int) -> None:
    basis = draw_input.basis(evening, rounds)
    found = plan(basis.people, basis.left_of(number), basis.wishes, played=basis.played, seed=seed)
    round_actions.store_plan(evening.pk, found.rounds, seed=seed, basis=basis.attendances)


@login_required
@require_POST
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """The planned round is what is played now."""
    round_ = recordable(Round.objects.with_evening(), request.user, pk=pk)
    if _tried(request, lambda: round_actions.accept(pk)):
        messages.success(request, _("%(round)s is accepted: its tables are ready.") % {"round": round_})
    return redirect(_place(round_))


@login_required
@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a round's tables again, but for those at which something was recorded."""
    round_ = recordable(Round.objects.with_evening(), request.user, pk=pk)
    if _tried(request, lambda: _again(round_, randbelow(MOST_SEED))):
        messages.success(request, _("%(round)s is drawn again.") % {"round": round_})
    return redirect(_place(round_))


def _again(round_: Round, seed: int) -> None:
    rounds = draw_input.drawn(round_.evening)
    tables = next((list(each.tables.all()) for each in rounds if each.pk == round_.pk), [])
    begun = set(Deal.objects.filter(table__in=tables).values_list("table", flat=True))
    kept = [table for table in tables if table.deals or table.pk in begun]
    if tables and len(kept) == len(tables):
        raise WrongState(_("At every table of this round something is recorded: there is nothing to draw again."))
    basis = draw_input.basis(round_.evening, [each for each in rounds if each.number < round_.number])
    found = draw_input.drawn_beside(basis, kept, round_.number, seed)
    round_actions.replace_tables(round_.pk, [table.pk for table in tables if table not in kept], found, seed=seed)


@login_required
def swap(request: HttpRequest, pk: int) -> HttpResponse:
    """Two players of a round change places; once points are recorded there, with a reason."""
    round_ = recordable(Round.objects.with_evening(), request.user, pk=pk)
    tables = list(round_.tables.with_seats())
    seated = [seat.player for table in tables for seat in table.seats.all()]
    resting = [rest.player for rest in round_.rests.select_related("player")]
    players = sorted([*seated, *resting], key=lambda player: player.work_key)
    evening = round_.evening
    asks = evening.state == EveningState.CLOSED or any(has_points(table, table.seats.all()) for table in tables)
    form = SwapForm(request.POST if request.method == "POST" else None, players=players, asks_reason=asks)
    if form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        reason = form.cleaned_data.get("reason", "")
        try:
            round_actions.swap(pk, first, second, now=timezone.now(), reason=reason)
        except round_actions.NotInRound:
            form.add_error(None, _("One of them has no place in this round any more."))
        except WrongState as wrong:
            form.add_error("reason" if asks else None, str(wrong))
        else:
            messages.success(request, _("They have changed places."))
            return redirect(_place(round_))
    context = {
        **frame(evening.season.club, request.user),
        "evening": evening,
        "round": round_,
        "form": form,
        "tables": tables,
    }
    return render(request, "league/evenings/swap.html", context, status=422 if form.errors else 200)


@login_required
def swap_tables(request: HttpRequest, pk: int) -> HttpResponse:
    """A table's sheet was entered under another table's name: their players change places, the deals stay."""
    table = recordable(Table.objects.with_club().with_seats(), request.user, pk=pk)
    evening = table.round.evening
    alike = table.round.tables.filter(size=table.size, one_rests=table.one_rests).with_seats()
    others = [each for each in alike if each.pk != pk]
    asks = table.wants_reason or any(has_points(each, each.seats.all()) for each in [table, *others])
    form = SwapTablesForm(request.POST if request.method == "POST" else None, tables=others, asks_reason=asks)
    if form.is_valid():
        reason = form.cleaned_data.get("reason", "")
        try:
            round_actions.swap_tables(pk, form.cleaned_data["other"], now=timezone.now(), reason=reason)
        except (round_actions.NotInRound, round_actions.OtherSize):
            form.add_error("other", _("This table can't be swapped with it any more."))
        except WrongState as wrong:
            form.add_error("reason" if asks else None, str(wrong))
        else:
            messages.success(request, _("The players of the two tables have changed places."))
            return redirect(table)
    context = {**frame(evening.season.club, request.user), "evening": evening, "table": table, "form": form}
    return render(request, "league/evenings/swap_tables.html", context, status=422 if form.errors else 200)


def _tried(request: HttpRequest, action: Callable[[], object]) -> bool:
    """Whether it went through; if not, a message says why."""
    try:
        action()
    except WrongState as wrong:
        messages.error(request, str(wrong))
    except ImpossibleDraw as impossible:
        why = {
            "too_few": _("Too few people are there for a table in round %(round)s."),
            "no_sizes": _("The season has no table size that can be drawn."),
        }
        messages.error(request, why[impossible.code] % {"round": impossible.round})
    else:
        return True
    return False


def _expected(evening: Evening, rounds: Sequence[Round]) -> int:
    """How many rounds the evening should have: as many as were planned, or as the season says."""
    last = max((each.number for each in rounds), default=0)
    planned = any(each.state == RoundState.PLANNED for each in rounds)
    return last if planned else max(evening.season.rounds, last)


def _seed(form: PlanForm) -> int:
    typed: int | None = form.cleaned_data["seed"]
    return randbelow(MOST_SEED) if typed is None else typed


def _place(round_: Round) -> str:
    return reverse("league:draw", args=[round_.evening_id]) + f"#round-{round_.number}"


def _in_order(rounds: Sequence[Round]) -> list[Round]:
    """The round that is played, then those that are planned, then those played before, the latest first."""
    planned = [each for each in rounds if each.state == RoundState.PLANNED]
    played = sorted((each for each in rounds if each not in planned), key=lambda each: each.number, reverse=True)
    return [*played[:1], *sorted(planned, key=lambda each: each.number), *played[1:]]


def _shown(request: HttpRequest, evening: Evening, rounds: Sequence[Round], form: PlanForm) -> dict[str, object]:
    basis = draw_input.basis(evening, rounds)
    planned = [draw_input.sitting(each) for each in rounds if each.state == RoundState.PLANNED]
    names = {person.pk: str(person) for person in Player.objects.filter(attendances__evening=evening)}
    sentences = in_words(draw_warnings(planned, basis.wishes, basis.people, basis.played), names)
    return {
        **frame(evening.season.club, request.user),
        "evening": evening,
        "form": form,
        "rounds": [(each, sentences.get(each.number, [])) for each in _in_order(rounds)],
        "planned": bool(planned),
        "next_round": basis.next_round,
        "there": sum(person.is_present(basis.next_round) for person in basis.people),
        "pairs": find_game(evening.season.game).has_pairs,
        "may_change": evening.state in NOT_OVER,
    }
