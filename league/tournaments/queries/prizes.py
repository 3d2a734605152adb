"""The prizes of a tournament: the list of prizes, their sums and the fees, and the winners by the final ranks.

A competitor is a unit (player, pair or team). If team mates play at different tables, each player is a competitor, and
teams are competitors for prizes of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.models import (
    Prize,
    PrizeCategory,
    PrizeCategoryMember,
    PrizePlan,
    PrizeReceipt,
    Tournament,
    TournamentUnit,
    UnitPlayer,
)
from league.models.prize import WHOLE_UNIT, TiedPrizes
from league.pairing import prizes as prize_arithmetic
from league.pairing.prizes import Award, Competitor, PrizeList
from league.tournaments.queries.final_ranks import final_ranks
from league.tournaments.queries.ranking import current_ranking
from league.tournaments.queries.team_ranking import rank_teams
from league.tournaments.queries.units import must_pay_fee, unit_fee

CompetitorId = tuple[int, int]  # the unit, and the position of its player or WHOLE_UNIT


class RankedCompetitor(NamedTuple):
    """A competitor for prizes, and its final rank.

    `unit_player` is the player if team mates play at different tables, else None. `is_team`: the competitor is a team
    whose players are ranked too.
    """

    unit: TournamentUnit
    unit_player: UnitPlayer | None
    rank: int
    is_team: bool = False

    @property
    def position(self) -> int:
        return self.unit_player.position if self.unit_player else WHOLE_UNIT

    @property
    def competitor_id(self) -> CompetitorId:
        return self.unit.pk, self.position

    @property
    def key(self) -> str:
        """The number of the player, pair or team, "12"; for one player of a team also the position in it, "12-1"."""
        return f"{self.unit.number}-{self.unit_player.position}" if self.unit_player else str(self.unit.number)

    @property
    def title(self) -> str:
        return str(self.unit_player or self.unit.title)

    def name_for(self, *, shows_all_names: bool) -> str:
        """Return the name of the competitor, or the number if the competitor did not agree to be named.

        With `shows_all_names`, always return the name.
        """
        if shows_all_names or self.unit.names_public:
            return self.title
        return _("Number %(number)s") % {"number": self.unit.number}


class PrizeWinner(NamedTuple):
    """A competitor and its prize. `receipt` is the stored receipt, or None."""

    competitor: RankedCompetitor
    award: Award
    receipt: PrizeReceipt | None

    @property
    def is_handed(self) -> bool:
        return self.receipt is not None and self.receipt.handed_at is not None


class ChangedAward(NamedTuple):
    """A competitor whose award differs from its stored receipt.

    `award` is None if the competitor has no prize any more. `receipt` is None if the competitor had no prize when the
    receipts were printed.
    """

    unit: TournamentUnit
    title: str
    receipt: PrizeReceipt | None
    award: Award | None


@dataclass(frozen=True)
class Awards:
    """The winners of the prizes, by rank. `open_lots` has groups of tied competitors that a lot must still order.

    `changes` are the differences from the stored receipts. `has_receipts`: receipts have been printed.
    """

    winners: Sequence[PrizeWinner]
    open_lots: Sequence[Sequence[RankedCompetitor]]
    changes: Sequence[ChangedAward]
    has_receipts: bool


class PrizeTotals(NamedTuple):
    """Sums in cents: prizes in money, worth of prizes in kind, entry fees paid, entry fees not paid yet."""

    amount: int
    worth: int
    paid: int
    owed: int

    @property
    def remaining_fees(self) -> int:
        return self.paid - self.amount


def final_ranking(tournament: Tournament) -> tuple[list[RankedCompetitor], list[RankedCompetitor]]:
    """Return two lists in order of the final ranks: the competitors, and the teams.

    The list of teams is empty unless team mates play at different tables.
    """
    season, rows = current_ranking(tournament)
    finals = final_ranks(tournament, season, rows)
    teams = rank_teams(tournament, season, rows)
    return (
        [RankedCompetitor(final.row.unit, final.row.unit_player, final.rank) for final in finals],
        [RankedCompetitor(team.group, None, team.rank, is_team=True) for team in teams],
    )


def prize_lines(tournament: Tournament) -> list[Prize]:
    """Return the prizes of the tournament, in the order of the list, with their categories; one query."""
    return list(tournament.prizes.select_related("category"))


def prize_plan(tournament: Tournament) -> PrizePlan:
    """Return the stored plan of the tournament's prizes, or an unsaved plan with default values; one query."""
    plan: PrizePlan | None = PrizePlan.objects.filter(tournament=tournament).first()
    return plan or PrizePlan(tournament=tournament)


def to_arithmetic_prize(prize: Prize) -> prize_arithmetic.Prize:
    """Return the prize in the form that `league.pairing.prizes` computes with. The category must be fetched."""
    prize_list = PrizeList(prize.category.name if prize.category else "", prize.from_last)
    return prize_arithmetic.Prize(prize_list, prize.first, prize.last, prize.amount, prize.thing, prize.worth)


def prize_totals(tournament: Tournament, prizes: Sequence[Prize]) -> PrizeTotals:
    """Return the sums of the prizes and of the entry fees of the tournament; two queries."""
    lines = [to_arithmetic_prize(prize) for prize in prizes]
    units = list(tournament.units.with_players())
    owed = sum(max(unit_fee(tournament, unit) - unit.paid, 0) for unit in units if must_pay_fee(tournament, unit))
    return PrizeTotals(
        prize_arithmetic.total_amount(lines),
        prize_arithmetic.total_worth(lines),
        sum(unit.paid for unit in units),
        owed,
    )


def compute_awards(tournament: Tournament, prizes: Sequence[Prize]) -> Awards:
    """Compute the winners of the prizes. Teams come last. The tournament must have started."""
    competitors, teams = final_ranking(tournament)
    ranked = {row.key: row for row in (*competitors, *teams)}
    categories = _categories_by_competitor(tournament)
    shared = prize_plan(tournament).ties == TiedPrizes.SHARED
    lots = {
        frozenset(lot.competitors): prize_arithmetic.lot_order(lot.competitors, lot.seed)
        for lot in tournament.prize_lots.all()
    }
    allocations = [
        prize_arithmetic.allocate(
            [to_arithmetic_prize(prize) for prize in prizes if _is_for_teams(tournament, prize) == for_teams],
            [Competitor(row.key, row.rank, categories.get(row.competitor_id, frozenset())) for row in rows],
            shared=shared,
            lots=lots,
        )
        for for_teams, rows in ((False, competitors), (True, teams))
    ]
    receipts = {
        (receipt.unit_id, receipt.position): receipt
        for receipt in PrizeReceipt.objects.in_tournament(tournament).select_related("unit")
    }
    winners = [
        PrizeWinner(ranked[key], award, receipts.get(ranked[key].competitor_id))
        for allocation in allocations
        for key, award in allocation.awards.items()
    ]
    return Awards(
        winners=winners,
        open_lots=[[ranked[key] for key in group] for allocation in allocations for group in allocation.open_lots],
        changes=_changed_awards(winners, receipts, {row.competitor_id: row for row in ranked.values()}),
        has_receipts=any(receipt.printed_at for receipt in receipts.values()),
    )


def _is_for_teams(tournament: Tournament, prize: Prize) -> bool:
    """Return whether the prize is for teams whose players are ranked too, not for players."""
    return bool(prize.for_teams and tournament.plays_apart)


def differs_from_award(receipt: PrizeReceipt, award: Award) -> bool:
    return receipt.amount != award.amount or sorted(receipt.things) != sorted(award.things)


def _changed_awards(
    winners: Sequence[PrizeWinner],
    receipts: Mapping[CompetitorId, PrizeReceipt],
    ranked: Mapping[CompetitorId, RankedCompetitor],
) -> list[ChangedAward]:
    """Return the differences between the winners' awards and the stored receipts."""
    is_printed = any(receipt.printed_at for receipt in receipts.values())
    changes = [
        ChangedAward(winner.competitor.unit, winner.competitor.title, winner.receipt, winner.award)
        for winner in winners
        if (differs_from_award(winner.receipt, winner.award) if winner.receipt else is_printed)
    ]
    current_ids = {winner.competitor.competitor_id for winner in winners}
    for competitor_id, receipt in receipts.items():
        if competitor_id not in current_ids:
            row = ranked.get(competitor_id)
            changes.append(ChangedAward(receipt.unit, row.title if row else "", receipt, None))
    return changes


def _categories_by_competitor(tournament: Tournament) -> dict[CompetitorId, frozenset[str]]:
    members = PrizeCategoryMember.objects.filter(category__tournament=tournament)
    names: dict[CompetitorId, set[str]] = {}
    for unit, position, name in members.values_list("unit", "position", "category__name"):
        names.setdefault((unit, position), set()).add(name)
    return {competitor_id: frozenset(values) for competitor_id, values in names.items()}


class CompetitorCategoryRow(NamedTuple):
    """A competitor, with a cell for each prize category: (category, name of the checkbox, whether it is ticked).

    The name is "", and the page shows no checkbox, if the category has no prizes for this kind of competitor (player or
    team).
    """

    title: str
    number: int | None
    cells: Sequence[tuple[PrizeCategory, str, bool]]


def competitor_category_rows(
    tournament: Tournament, categories: Sequence[PrizeCategory]
) -> list[CompetitorCategoryRow]:
    """Return a row for each registered player, pair or team, with a checkbox for each prize category.

    If team mates play at different tables, there is a row for each player, and also for each team if a category has
    prizes for teams. Rows without a checkbox are left out. Three or four queries.
    """
    members = set(
        PrizeCategoryMember.objects.filter(category__tournament=tournament).values_list("category", "unit", "position")
    )
    prizes = [prize for prize in prize_lines(tournament) if prize.category] if tournament.plays_apart else []
    with_teams = {prize.category_id for prize in prizes if prize.for_teams}
    only_teams = with_teams - {prize.category_id for prize in prizes if not prize.for_teams}
    with_players: set[int | None] = {category.pk for category in categories if category.pk not in only_teams}
    rows = []
    units = tournament.units.registered().with_players().order_by("number", "registered_at", "pk")
    for unit in units:
        competitors = [(WHOLE_UNIT, unit.title, with_players)]
        if tournament.plays_apart:
            competitors = [(WHOLE_UNIT, unit.title, with_teams)] if with_teams else []
            competitors += [(entry.position, str(entry), with_players) for entry in unit.members]
        for position, title, offered in competitors:
            cells = [
                (
                    category,
                    f"{category.pk}-{unit.pk}-{position}" if category.pk in offered else "",
                    (category.pk, unit.pk, position) in members,
                )
                for category in categories
            ]
            if any(name for _category, name, _is_marked in cells):
                rows.append(CompetitorCategoryRow(title, unit.number, cells))
    return rows
