"""Text for prizes and their winners: ranks ("4th to 10th") and values ("50 € and Ham")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.clubs.queries.money import format_money
from league.models import Prize, Tournament
from league.pairing.prizes import Award, PrizeList, PrizePosition
from league.tournaments.queries.prizes import PrizeWinner
from league.web.marks import ordinal


def rank_words(category: str, *, from_last: bool, first: int, last: int) -> str:
    """Return the ranks of a prize in words: "4th to 10th", "Best woman" (the only rank of a category), "last"."""
    if first == last == 1 and category and not from_last:
        return category
    ranks = ordinal(first) if first == last else _("%(first)s to %(last)s") % _ordinals(first, last)
    if from_last:
        ranks = _("last") if first == last == 1 else _("%(ranks)s from the last") % {"ranks": ranks}
    return _("%(category)s: %(ranks)s") % {"category": category, "ranks": ranks} if category else ranks


def _ordinals(first: int, last: int) -> dict[str, str]:
    return {"first": ordinal(first), "last": ordinal(last)}


def prize_rank_words(prize: Prize, *, has_teams: bool) -> str:
    """Return the ranks of a prize in words. `has_teams`: the tournament ranks both players and teams."""
    category = prize.category.name if prize.category else ""
    ranks = rank_words(category, from_last=prize.from_last, first=prize.first, last=prize.last)
    return team_rank_words(ranks) if has_teams and prize.for_teams else ranks


def team_rank_words(ranks: str) -> str:
    return _("Teams, %(place)s") % {"place": ranks}


def value_words(amount: int, things: Iterable[str], currency: str) -> str:
    """Return the value of a prize in words: "50 €", "Ham" or "50 € and Ham"."""
    parts = [format_money(amount, currency)] if amount else []
    return _(" and ").join([*parts, *things])


def prize_value(prize: Prize, currency: str) -> str:
    value = value_words(prize.amount, [prize.thing] if prize.thing else [], currency)
    if prize.first == prize.last:
        return value
    return _("%(value)s each") % {"value": value}


def award_rank_words(award: Award) -> str:
    """Return the ranks whose prizes a winner gets, in words, "2nd, shared by 3" or "2nd, by lot"."""
    ranks = _(" and ").join(
        rank_words(
            prize_list.category,
            from_last=prize_list.from_last,
            first=min(position.number for position in group),
            last=max(position.number for position in group),
        )
        for prize_list, group in _group_by_list(award)
    )
    if award.sharers > 1:
        words = ngettext("%(places)s, shared by %(count)s", "%(places)s, shared by %(count)s", award.sharers)
        shared = words % {"places": ranks, "count": award.sharers}
        return _("%(shared)s; things by lot") % {"shared": shared} if award.by_lot else shared
    return _("%(places)s, by lot") % {"places": ranks} if award.by_lot else ranks


def _group_by_list(award: Award) -> Sequence[tuple[PrizeList, list[PrizePosition]]]:
    return [(key, list(group)) for key, group in groupby(award.positions, key=lambda position: position.prize_list)]


def award_value(award: Award, currency: str) -> str:
    return value_words(award.amount, award.things, currency)


class PrizeRow(NamedTuple):
    """A prize in words: its ranks ("4th to 10th") and its value ("50 € each")."""

    ranks: str
    value: str


class WinnerRow(NamedTuple):
    """A winner and their award in words.

    `ranks` are the ranks whose prizes the winner gets ("2nd, shared by 3"); `value` is the award ("50 €").
    """

    winner: PrizeWinner
    name: str
    ranks: str
    value: str


def prize_rows(tournament: Tournament, prizes: Sequence[Prize]) -> list[PrizeRow]:
    """Return the prizes in words: prizes for all by rank, then prizes of categories, then prizes from the last rank."""

    def sort_key(prize: Prize) -> tuple[bool, str, int]:
        return (prize.from_last, prize.category.name if prize.category else "", prize.first)

    has_teams = tournament.plays_apart
    return [
        PrizeRow(prize_rank_words(prize, has_teams=has_teams), prize_value(prize, tournament.club.currency))
        for prize in sorted(prizes, key=sort_key)
    ]


def winner_rows(tournament: Tournament, winners: Sequence[PrizeWinner], *, shows_all_names: bool) -> list[WinnerRow]:
    return [
        WinnerRow(
            winner,
            winner.competitor.name_for(shows_all_names=shows_all_names),
            team_rank_words(award_rank_words(winner.award))
            if winner.competitor.is_team
            else award_rank_words(winner.award),
            award_value(winner.award, tournament.club.currency),
        )
        for winner in winners
    ]
