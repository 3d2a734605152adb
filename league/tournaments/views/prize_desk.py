"""Pages for the organisers about prizes: winners, lots, receipts, handing over, printable lists and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from secrets import randbelow
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.actions import prizes as prize_actions
from league.imports.queries.spreadsheet_cells import Cell
from league.models import Prize, Tournament, TournamentUnit
from league.models.prize import MAX_SEED, WHOLE_UNIT
from league.models.tournament import MAX_UNIT_SIZE, TournamentState
from league.pairing.prizes import PrizePosition, lot_order
from league.tournaments.queries.prizes import (
    Awards,
    ChangedAward,
    compute_awards,
    prize_lines,
    prize_totals,
    to_arithmetic_prize,
)
from league.tournaments.views.prize_words import (
    award_value,
    prize_rank_words,
    prize_rows,
    prize_value,
    value_words,
    winner_rows,
)
from league.web.action_messages import run_action
from league.web.exports import spreadsheet_response
from league.web.lookups import club_context, recordable_or_403
from league.web.printing import render_for_paper

# The accepted values of `position` in a request: the number of a player in a unit (player, pair or team).
POSITION_TEXTS = {str(position) for position in range(1, MAX_UNIT_SIZE + 1)}
NO_AWARDS = Awards([], [], [], has_receipts=False)


class LotRow(NamedTuple):
    """A drawn lot. `order` has the keys of the competitors in the drawn order, "12, 7-1"."""

    seed: int
    order: str


class ReceiptRow(NamedTuple):
    """A line of the list that winners sign. The prize comes from the stored receipt. `ranks` is in words, "4th"."""

    number: int | None
    name: str
    ranks: str
    value: str
    handed: bool


class ChangeRow(NamedTuple):
    """A competitor whose prize differs from the printed receipt: the prize on it and the current prize, in words.

    `handed`: the prize on the receipt was handed over.
    """

    number: int | None
    name: str
    before: str
    after: str
    handed: bool


@login_required
@require_safe
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the winners of prizes with buttons to hand over, lots to draw, and changes since receipts were printed."""
    row = _recordable_tournament(request, pk)
    context = club_context(row.club, request.user)
    prizes = prize_lines(row)
    result = _current_awards(row, prizes)
    winners = winner_rows(row, result.winners, shows_all_names=True)
    undecided = {ranked.key for group in result.open_lots for ranked in group}
    lots = row.prize_lots.all()
    context |= {
        "tournament": row,
        "prizes": prizes,
        "totals": prize_totals(row, prizes),
        "winners": [(winner, winner.winner.competitor.key in undecided) for winner in winners],
        "handed": sum(winner.winner.is_handed for winner in winners),
        "open_lots": [(" ".join(ranked.key for ranked in group), group) for group in result.open_lots],
        "lots": [LotRow(lot.seed, ", ".join(lot_order(lot.competitors, lot.seed))) for lot in lots],
        "changes": [_change_row(change, row.club.currency) for change in result.changes],
        "has_receipts": result.has_receipts,
        "without_winner": _prizes_without_winner(prizes, result, row.club.currency, has_teams=row.plays_apart),
        "is_finished": row.state == TournamentState.FINISHED,
    }
    return render(request, "league/tournaments/prize_desk.html", context)


def _prizes_without_winner(prizes: Sequence[Prize], result: Awards, currency: str, *, has_teams: bool) -> list[str]:
    """Return, in words, the prizes that nobody gets, for example because all units of a category get better prizes.

    Return [] if no prize has a winner yet.
    """
    awarded = {position for winner in result.winners for position in winner.award.positions}
    return [
        f"{prize_value(prize, currency)} ({prize_rank_words(prize, has_teams=has_teams)})"
        for prize, line in [(prize, to_arithmetic_prize(prize)) for prize in prizes]
        if awarded
        and not any(PrizePosition(line.prize_list, number) in awarded for number in range(line.first, line.last + 1))
    ]


def _change_row(change: ChangedAward, currency: str) -> ChangeRow:
    receipt, award = change.receipt, change.award
    before = value_words(receipt.amount, receipt.things, currency) if receipt else ""
    after = award_value(award, currency) if award else ""
    handed = receipt is not None and receipt.handed_at is not None
    return ChangeRow(change.unit.number, change.title, before or _("no prize"), after or _("no prize"), handed)


@login_required
@require_POST
def draw_lot(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a lot for the order of competitors with the same rank. `competitors` are their keys, such as "12 7-1"."""
    row = _recordable_tournament(request, pk)
    keys = request.POST.get("competitors", "").split()
    seed, now = randbelow(MAX_SEED), timezone.now()
    run_action(request, lambda: prize_actions.draw_lot(pk, keys, seed=seed, now=now), _("The lot is drawn."))
    return redirect("league:tournament-prize-desk", row.pk)


@login_required
@require_POST
def print_receipts(request: HttpRequest, pk: int) -> HttpResponse:
    """Store receipts of the current awards, then redirect to the printable list of receipts."""
    row = _recordable_tournament(request, pk)
    now = timezone.now()
    stored = run_action(request, lambda: prize_actions.print_receipts(pk, now=now), _("The receipts are stored."))
    return redirect("league:tournament-prize-receipts" if stored else "league:tournament-prize-desk", row.pk)


@login_required
@require_POST
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Store that the prize of a unit (player, pair or team) was handed over (`handed` is "1"), or undo this ("0").

    `position` is the position of the winner in the unit, if single players of the unit get prizes.
    """
    unit = recordable_or_403(TournamentUnit.objects.select_related("tournament__club"), request.user, pk=pk)
    typed = request.POST.get("position", "")
    position = int(typed) if typed in POSITION_TEXTS else WHOLE_UNIT
    handed, now = request.POST.get("handed") == "1", timezone.now()
    run_action(
        request,
        lambda: prize_actions.hand_over(unit.tournament_id, pk, position, handed=handed, now=now),
        _("Number %(number)s has the prize.") % {"number": unit.number} if handed else _("The tick is taken back."),
    )
    return redirect(f"{reverse('league:tournament-prize-desk', args=[unit.tournament_id])}#unit-{pk}-{position}")


@login_required
@require_safe
def receipts(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the printable list of receipts that the winners sign."""
    row = _recordable_tournament(request, pk)

    def context() -> dict[str, Any]:
        return {"tournament": row, "rows": list(_receipt_rows(row))}

    return render_for_paper(request, row.club, "league/tournaments/prize_receipts.html", context)


def _receipt_rows(tournament: Tournament) -> Iterator[ReceiptRow]:
    result = _current_awards(tournament, prize_lines(tournament))
    for winner, name, ranks, _value in winner_rows(tournament, result.winners, shows_all_names=True):
        receipt = winner.receipt
        if receipt is not None and receipt.printed_at:
            value = value_words(receipt.amount, receipt.things, tournament.club.currency)
            yield ReceiptRow(winner.competitor.unit.number, name, ranks, value, winner.is_handed)


@login_required
@require_safe
def printed_prizes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the printable list of prizes for the wall; after the tournament, with the winners' public names."""
    row = _recordable_tournament(request, pk)

    def context() -> dict[str, Any]:
        prizes = prize_lines(row)
        result = _current_awards(row, prizes) if row.state == TournamentState.FINISHED else NO_AWARDS
        winners = [] if result.open_lots else winner_rows(row, result.winners, shows_all_names=False)
        return {"tournament": row, "prizes": prize_rows(row, prizes), "winners": winners}

    return render_for_paper(request, row.club, "league/tournaments/prize_paper.html", context, in_hall=True)


@login_required
@require_safe
def announcer_paper(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the printable list of winners for the announcer, from the last prize to the first."""
    return _paper_of_winners(request, pk, "league/tournaments/prize_announcer.html", backwards=True)


@login_required
@require_safe
def slips(request: HttpRequest, pk: int) -> HttpResponse:
    """Show printable slips, one for each winner, to be cut apart."""
    return _paper_of_winners(request, pk, "league/tournaments/prize_slips.html", backwards=False)


def _paper_of_winners(request: HttpRequest, pk: int, template: str, *, backwards: bool) -> HttpResponse:
    row = _recordable_tournament(request, pk)

    def context() -> dict[str, Any]:
        result = _current_awards(row, prize_lines(row))
        winners = winner_rows(row, result.winners, shows_all_names=True)
        return {
            "tournament": row,
            "winners": winners[::-1] if backwards else winners,
            "is_finished": row.state == TournamentState.FINISHED,
            "has_open_lots": bool(result.open_lots),
        }

    return render_for_paper(request, row.club, template, context)


@login_required
@require_safe
def prize_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    row = _recordable_tournament(request, pk)
    title = _("Prizes")
    return spreadsheet_response(_file_rows(row), extension, title, f"{row} {row.date.isoformat()} {title}")


def _file_rows(tournament: Tournament) -> Iterator[list[Cell]]:
    """Yield the header of the spreadsheet, then a row for each winner. Amounts are like "7.50"."""
    columns = [_("Rank"), _("Number"), _("Name"), _("Prize for"), _("Amount"), _("Thing"), _("Handed over")]
    yield [*columns]
    result = _current_awards(tournament, prize_lines(tournament))
    for winner, name, ranks, _value in winner_rows(tournament, result.winners, shows_all_names=True):
        award = winner.award
        amount = f"{award.amount // 100}.{award.amount % 100:02}"
        handed_at = winner.receipt.handed_at if winner.receipt else None
        handed = handed_at.astimezone(tournament.club.zone).strftime("%Y-%m-%d %H:%M") if handed_at else ""
        number = winner.competitor.unit.number
        yield [winner.competitor.rank, number or "", name, ranks, amount, ", ".join(award.things), handed]


def _recordable_tournament(request: HttpRequest, pk: int) -> Tournament:
    return recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)


def _current_awards(tournament: Tournament, prizes: list[Prize]) -> Awards:
    return compute_awards(tournament, prizes) if prizes and tournament.has_started else NO_AWARDS
