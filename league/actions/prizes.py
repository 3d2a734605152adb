"""Actions on the prizes of a tournament: list, categories, lots, receipts. Each action locks the tournament's row.

A competitor is a unit (player, pair or team) of the tournament, with position 0, or one player of a unit, with a
position from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.refusals import WrongState
from league.actions.tournaments import lock_tournament
from league.models import (
    Prize,
    PrizeCategory,
    PrizeCategoryMember,
    PrizeLot,
    PrizePlan,
    PrizeReceipt,
    Tournament,
    UnitPlayer,
)
from league.models.audit_entry import AuditEvent
from league.models.prize import WHOLE_UNIT
from league.models.tournament import TournamentState
from league.tournaments.queries.prizes import Awards, PrizeWinner, compute_awards, differs_from_award, prize_lines
from players.names import without_accents

CategoryMemberKey = tuple[int, int, int]  # category, unit, position


class PrizeLine(NamedTuple):
    """A line of the list of prizes, as the user typed it: a prize for each of the ranks `first` to `last`.

    `category` is the name of a category, "" for all units (players, pairs or teams). `amount` and `worth` are in cents.
    `thing` is a prize that is no money, and `worth` its value. With `from_last`, ranks are counted from the last
    competitor.
    """

    category: str
    from_last: bool
    first: int
    last: int
    amount: int
    thing: str
    worth: int
    for_teams: bool = False


@transaction.atomic
def store_prizes(tournament_id: int, lines: Sequence[PrizeLine], *, ties: str, seen_version: int) -> Tournament:
    """Replace the list of prizes of a tournament; `ties` is a value of TiedPrizes.

    New categories are created; categories without prizes and units (players, pairs or teams) are deleted.
    `seen_version` is the version of the list that the user saw: raise WrongState if another user has changed the list
    since.
    """
    tournament = lock_tournament(tournament_id)
    plan, _is_new = PrizePlan.objects.get_or_create(tournament=tournament)
    if plan.version != seen_version:
        raise WrongState(_("Somebody else changed the prizes meanwhile. Open the page again to see them."))
    plan.ties = ties
    plan.version += 1
    plan.save()
    tournament.prizes.all().delete()
    categories = {without_accents(category.name): category for category in tournament.prize_categories.all()}
    for name in dict.fromkeys(line.category for line in lines if line.category):
        if without_accents(name) not in categories:
            categories[without_accents(name)] = PrizeCategory.objects.create(tournament=tournament, name=name)
    Prize.objects.bulk_create(
        Prize(
            tournament=tournament,
            line=number,
            category=categories[without_accents(line.category)] if line.category else None,
            **{name: value for name, value in line._asdict().items() if name != "category"},
        )
        for number, line in enumerate(lines, 1)
    )
    tournament.prize_categories.filter(prizes=None, members=None).delete()
    amount = sum((line.last - line.first + 1) * line.amount for line in lines)
    audit.log_tournament(AuditEvent.PRIZES_CHANGED, tournament, prizes=len(lines), amount=amount, ties=ties)
    return tournament


@transaction.atomic
def change_category_members(
    tournament_id: int, *, added: Collection[CategoryMemberKey], removed: Collection[CategoryMemberKey]
) -> Tournament:
    """Add competitors to prize categories and remove others.

    Raise WrongState if a category or a competitor does not exist.
    """
    tournament = lock_tournament(tournament_id)
    own_categories = set(tournament.prize_categories.values_list("pk", flat=True))
    competitors = {(unit, WHOLE_UNIT) for unit in tournament.units.values_list("pk", flat=True)}
    competitors |= set(UnitPlayer.objects.filter(unit__tournament=tournament).values_list("unit", "position"))
    marks = {*added, *removed}
    if not {row[0] for row in marks} <= own_categories or not {row[1:] for row in marks} <= competitors:
        raise WrongState(_("A category or a unit does not exist any more. Open the page again."))
    members = PrizeCategoryMember.objects.filter(category__tournament=tournament)
    for category, unit, position in removed:
        members.filter(category=category, unit=unit, position=position).delete()
    PrizeCategoryMember.objects.bulk_create(
        [
            PrizeCategoryMember(category_id=category, unit_id=unit, position=position)
            for category, unit, position in added
        ],
        ignore_conflicts=True,
    )
    if marks:
        audit.log_tournament(AuditEvent.PRIZE_UNITS_MARKED, tournament, added=len(added), removed=len(removed))
    return tournament


@transaction.atomic
def draw_lot(tournament_id: int, competitors: Collection[str], *, seed: int, now: datetime) -> PrizeLot:
    """Store a lot that orders a group of competitors with the same rank. Raise WrongState if no such lot is needed.

    `competitors` are the keys of the whole group. `seed` determines the order.
    """
    tournament = _lock_finished_tournament(tournament_id)
    open_lots = [sorted(row.key for row in group) for group in _current_awards(tournament).open_lots]
    if sorted(competitors) not in open_lots:
        raise WrongState(_("This lot is drawn already, or it is not needed any more."))
    lot = PrizeLot.objects.create(tournament=tournament, competitors=sorted(competitors), seed=seed, drawn_at=now)
    audit.log_tournament(AuditEvent.PRIZE_LOT_DRAWN, tournament, competitors=lot.competitors, seed=seed)
    return lot


@transaction.atomic
def print_receipts(tournament_id: int, *, now: datetime) -> Tournament:
    """Store a receipt for each prize that a competitor gets; winners sign the printed list of these receipts.

    Receipts of prizes that were handed over already are unchanged. Raise WrongState.
    """
    tournament = _lock_finished_tournament(tournament_id)
    current = _current_awards(tournament)
    if current.open_lots:
        raise WrongState(_("A lot is still to be drawn."))
    if not current.winners:
        raise WrongState(_("There are no prizes to hand over."))
    receipts = PrizeReceipt.objects.in_tournament(tournament)
    receipts.filter(handed_at=None).delete()
    handed_over = set(receipts.values_list("unit", "position"))
    receipts.update(printed_at=now)
    PrizeReceipt.objects.bulk_create(
        PrizeReceipt(**_receipt_fields(winner), printed_at=now)
        for winner in current.winners
        if winner.competitor.competitor_id not in handed_over
    )
    audit.log_tournament(AuditEvent.PRIZE_RECEIPTS_PRINTED, tournament, prizes=len(current.winners))
    return tournament


@transaction.atomic
def hand_over(tournament_id: int, unit_id: int, position: int, *, handed: bool, now: datetime) -> PrizeReceipt | None:
    """Record that the prize of a pair or team, or of a single player, was handed over to the winner; or undo this.

    Return the receipt, or None if no receipt was stored. Raise WrongState.
    """
    tournament = _lock_finished_tournament(tournament_id)
    receipt: PrizeReceipt | None = (
        PrizeReceipt.objects.in_tournament(tournament).filter(unit=unit_id, position=position).first()
    )
    if handed:
        if receipt is not None and receipt.handed_at:
            return receipt
        current = _current_awards(tournament)
        if current.open_lots:
            raise WrongState(_("A lot is still to be drawn."))
        winner = next((row for row in current.winners if row.competitor.competitor_id == (unit_id, position)), None)
        if winner is None:
            raise WrongState(_("This unit has no prize any more."))
        if receipt is None:
            receipt = PrizeReceipt(**_receipt_fields(winner))
        elif differs_from_award(receipt, winner.award):
            raise WrongState(_("The prize changed since the receipts were printed. Print them again first."))
        receipt.handed_at = now
        receipt.save()
    elif receipt is None or receipt.handed_at is None:
        return receipt
    elif receipt.printed_at is None:
        receipt.delete()
    else:
        receipt.handed_at = None
        receipt.save(update_fields=["handed_at"])
    audit.log_tournament(
        AuditEvent.PRIZE_HANDED, tournament, unit=unit_id, position=position, handed=handed, **_audit_params(receipt)
    )
    return receipt


def _audit_params(receipt: PrizeReceipt) -> dict[str, Any]:
    return {"amount": receipt.amount, "things": receipt.things}


def _receipt_fields(winner: PrizeWinner) -> dict[str, Any]:
    """Return the fields of a receipt for the prize that the winner gets by the current ranking."""
    return {
        "unit": winner.competitor.unit,
        "position": winner.competitor.position,
        "amount": winner.award.amount,
        "things": list(winner.award.things),
    }


def _current_awards(tournament: Tournament) -> Awards:
    return compute_awards(tournament, prize_lines(tournament))


def _lock_finished_tournament(tournament_id: int) -> Tournament:
    """Lock the tournament and return it. Raise WrongState if it is not finished."""
    tournament = lock_tournament(tournament_id)
    if tournament.state != TournamentState.FINISHED:
        raise WrongState(_("The tournament is not finished."))
    return tournament
