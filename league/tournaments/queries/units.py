"""The registered units (players, pairs or teams) of a tournament: lists, numbers, fees and texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.clubs.queries.money import format_money
from league.models import Club, Tournament, TournamentUnit, UnitPlayer, visible
from league.models.tournament import ERASED_NAME, PaymentKind, TieBreak, TournamentState, UnitState
from players.names import search_words, without_accents

MAX_PROPOSED_NAMES: Final = 500  # of members, and of other players, for the name fields of the desk
COUNTED_STATES: Final = (UnitState.REGISTERED, UnitState.WAITING, UnitState.PENDING, UnitState.SEEKING)


class UnitCounts(NamedTuple):
    """The numbers of a tournament's units (players, pairs or teams) by state, and the number of free places."""

    registered: int
    waiting: int
    pending: int
    seeking: int
    free: int

    @property
    def total(self) -> int:
        return self.registered + self.waiting + self.pending + self.seeking


def count_units(tournament: Tournament) -> UnitCounts:
    """Return how many units (players, pairs or teams) of the tournament have each state, and how many places are free.

    One query.
    """
    return count_units_of([tournament])[tournament.pk]


def count_units_of(tournaments: Iterable[Tournament]) -> dict[int, UnitCounts]:
    """Return how many units (players, pairs or teams) have each state, and how many places are free, by tournament id.

    One query.
    """
    places = {tournament.pk: tournament.places for tournament in tournaments}
    by_state = TournamentUnit.objects.filter(tournament__in=places).order_by().values_list("tournament", "state")
    numbers = {(pk, state): number for pk, state, number in by_state.annotate(Count("pk"))}
    counts = {}
    for pk, number_of_places in places.items():
        registered, waiting, pending, seeking = (numbers.get((pk, state), 0) for state in COUNTED_STATES)
        counts[pk] = UnitCounts(registered, waiting, pending, seeking, max(number_of_places - registered, 0))
    return counts


def waiting_list_number(unit: TournamentUnit) -> int:
    """Return the number of the unit (player, pair or team) on the waiting list, from 1; one query."""
    before = Q(queued_at__lt=unit.queued_at) | Q(queued_at=unit.queued_at, pk__lt=unit.pk)
    waiting = TournamentUnit.objects.filter(tournament=unit.tournament_id, state=UnitState.WAITING)
    return 1 + int(waiting.filter(before).count())


def public_names(tournament: Tournament) -> list[str]:
    """Return the names of the registered players, pairs or teams that agreed to be named in public, sorted.

    Return [] after the personal data of the tournament were deleted. Two queries.
    """
    if tournament.forgotten_at is not None:
        return []
    units = tournament.units.registered().filter(names_public=True).with_players()
    return sorted((unit.title for unit in units), key=without_accents)


def desk_units(tournament: Tournament) -> list[TournamentUnit]:
    """Return all registrations of the tournament, ordered by state, then by time of registration; two queries.

    Units on the waiting list are in the order of this list.
    """
    units = list(tournament.units.select_related("plays_for").order_by("registered_at", "pk").with_players())
    states = list(UnitState)
    units.sort(key=lambda unit: (states.index(UnitState(unit.state)), _order_in_state(unit)))
    return units


def units_matching(units: Sequence[TournamentUnit], query: str) -> list[TournamentUnit]:
    """Return the units (players, pairs or teams) whose names contain all words of the search text."""
    words = search_words(query)
    return [unit for unit in units if all(word in _search_text(unit) for word in words)]


def _order_in_state(unit: TournamentUnit) -> Any:
    return (unit.queued_at if unit.state == UnitState.WAITING else unit.registered_at, unit.pk)


def _search_text(unit: TournamentUnit) -> str:
    texts = [unit.name, *(text for member in unit.members for text in (str(member), member.name))]
    return " ".join("".join(search_words(text)) for text in texts)


class DeskRow(NamedTuple):
    """A unit (player, pair or team) of a tournament with its money, in cents.

    `fee` is the unit's entry fee, `owed` the part not paid yet, `refund_due` the amount that the club must return to
    the unit. `waiting` is the unit's number on the waiting list, from 1, or None.
    """

    tournament: Tournament
    unit: TournamentUnit
    fee: int
    owed: int
    refund_due: int
    waiting: int | None = None

    @property
    def refund_due_or_paid(self) -> int:
        """The amount, in cents, that the club must return; if none, the amount that the club has returned."""
        return self.refund_due or int(self.unit.returned)

    @property
    def can_take_fee(self) -> bool:
        """Whether the page has a button that records the whole fee as paid in cash."""
        return bool(self.owed and not self.unit.paid and not self.tournament.read_only_reason)

    @property
    def can_undo_fee(self) -> bool:
        """Whether the page has a button that undoes the record of the fee paid in cash."""
        in_cash = self.unit.payment_kind == PaymentKind.CASH and self.unit.paid == self.fee
        return (
            in_cash
            and not self.unit.returned
            and self.unit.state != UnitState.CANCELLED
            and not self.tournament.read_only_reason
        )


def desk_row(tournament: Tournament, unit: TournamentUnit, now: datetime) -> DeskRow:
    """Return the unit (player, pair or team) with its fee, and the amounts that the unit and the club owe.

    Cancelled units, units of a cancelled tournament, and units that have no place after the day of the tournament, owe
    nothing.
    """
    fee_cents = unit_fee(tournament, unit)
    has_no_place = unit.state != UnitState.REGISTERED and tournament.is_over(now)
    is_cancelled = tournament.state == TournamentState.CANCELLED or unit.state == UnitState.CANCELLED
    amount_due = 0 if has_no_place or is_cancelled else fee_cents
    return DeskRow(
        tournament, unit, fee_cents, max(amount_due - unit.net_payment, 0), max(unit.net_payment - amount_due, 0)
    )


def check_in_words(tournament: Tournament, unit: TournamentUnit, now: datetime) -> str:
    """Return a message after a check-in: number and name of the player, pair or team, and the amount still to pay."""
    words = _("Number %(number)s: %(unit)s") % {"number": unit.number, "unit": unit.title}
    owed = desk_row(tournament, unit, now).owed
    return f"{words}. {_('To pay:')} {format_money(owed, tournament.club.currency)}" if owed else words


class Payments(NamedTuple):
    """Sums of a tournament's entry fees, in cents. Amounts that were returned are subtracted.

    `by_kind` has the name and the sum of each kind of payment, `total` their sum. `owed` are fees not paid yet. After
    the start of the tournament, `owed_by_absent` are unpaid fees of units (players, pairs or teams) that are not
    checked in; they are not part of `owed`. `refund_due` is the amount that the club must return.
    """

    by_kind: Sequence[tuple[str, int]]
    total: int
    owed: int
    owed_by_absent: int
    refund_due: int


def sum_payments(rows: Sequence[DeskRow]) -> Payments:
    """Return the sums of the payments for all registrations.

    Cancelled registrations are included, since their money may not have been returned yet.
    """
    units = [row.unit for row in rows]
    registered = [row for row in rows if row.unit.state == UnitState.REGISTERED]
    by_kind = [
        (str(kind.label), sum(unit.net_payment for unit in units if unit.payment_kind == kind)) for kind in PaymentKind
    ]
    return Payments(
        [kind_sum for kind_sum in by_kind if kind_sum[1]],
        sum(unit.net_payment for unit in units),
        sum(row.owed for row in registered if must_pay_fee(row.tournament, row.unit)),
        sum(row.owed for row in registered if not must_pay_fee(row.tournament, row.unit)),
        sum(row.refund_due for row in rows),
    )


def must_pay_fee(tournament: Tournament, unit: TournamentUnit) -> bool:
    """Return whether the unit (player, pair or team) must pay.

    A unit must pay if it has a place and, after the start of the tournament, is checked in.
    """
    return unit.state == UnitState.REGISTERED and (unit.number is not None or not tournament.has_started)


def unit_fee(tournament: Tournament, unit: TournamentUnit) -> int:
    """Return the sum of the entry fees of all players of the unit (player, pair or team), in cents."""
    return int(tournament.fee) * len(unit.members)


def fee_words(tournament: Tournament) -> str:
    """Return the entry fee in words, "8 € for each player, 16 € for the pair"; "" if there is no fee."""
    if not tournament.fee:
        return ""
    fee_of_player, fee_of_unit = (
        format_money(cents, tournament.club.currency) for cents in (tournament.fee, tournament.unit_fee)
    )
    if tournament.unit_size == 1:
        return fee_of_player
    params = {"fee": fee_of_player, "unit_fee": fee_of_unit}
    if tournament.unit_size == 2 and not tournament.plays_apart:
        return _("%(fee)s for each player, %(unit_fee)s for the pair") % params
    return _("%(fee)s for each player, %(unit_fee)s for the team") % params


def proposed_names(club: Club) -> list[str]:
    """Return names that a form proposes: the club's players, then names from registrations for its tournaments.

    Two queries.
    """
    members = [str(player) for player in visible.players_of(club).order_by("sort_key")[:MAX_PROPOSED_NAMES]]
    entries = UnitPlayer.objects.filter(unit__tournament__club=club, player=None).exclude(name=ERASED_NAME)
    other_names = entries.order_by("name").values_list("name", flat=True).distinct()[:MAX_PROPOSED_NAMES]
    return list(dict.fromkeys([*members, *other_names]))


def unit_count_words(tournament: Tournament, count: int) -> str:
    """Return the number of units (players, pairs or teams) in words, "12 pairs"."""
    number = {"count": count}
    if tournament.unit_size == 1:
        return ngettext("%(count)s player", "%(count)s players", count) % number
    if tournament.unit_size == 2 and not tournament.plays_apart:
        return ngettext("%(count)s pair", "%(count)s pairs", count) % number
    return ngettext("%(count)s team", "%(count)s teams", count) % number


def round_end_words(tournament: Tournament) -> str:
    """Return the limits of a round in words, "2,001 points or 40 minutes"; "" if a round has no limits."""
    parts = []
    if tournament.deals:
        parts.append(ngettext("%(count)s deal", "%(count)s deals", tournament.deals) % {"count": tournament.deals})
    if tournament.target:
        parts.append(_points_words(tournament.target))
    if tournament.minutes:
        parts.append(
            ngettext("%(count)s minute", "%(count)s minutes", tournament.minutes) % {"count": tournament.minutes}
        )
    return _(" or ").join(parts)


def tie_break_words(tournament: Tournament) -> str:
    """Return the names of the tie-breaks, in order, "Points, Fewest points against"; "" without tie-breaks."""
    return ", ".join(str(TieBreak(name).label) for name in tournament.ties)


def rest_score_words(tournament: Tournament) -> str:
    """Return the score of a unit (player, pair or team) that sits a round out, in words, "972 points and a win"."""
    points = tournament.exempt_points
    score = _("the mean of the round") if points is None else _points_words(points)
    return _("%(score)s and a win") % {"score": score} if tournament.exempt_wins else score


def _points_words(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", points) % {"count": points}


def format_words(tournament: Tournament) -> str:
    """Return the number and length of the rounds in words, "4 rounds of 12 deals"."""
    rounds = ngettext("%(count)s round", "%(count)s rounds", tournament.rounds) % {"count": tournament.rounds}
    end = round_end_words(tournament)
    return _("%(rounds)s of %(end)s") % {"rounds": rounds, "end": end} if end else rounds
