"""What a secretary looks through before an evening is closed: each point is done, or says what is open and where.

Reads only. Nothing here keeps anyone from closing: that is for the secretary to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from league.clubs.queries.money import money
from league.evenings.queries.evening_board import SatRound, incomplete, sat_rounds
from league.models import Attendance, Contest, Deal, Evening, Round, Seat, Table
from league.models.evening import Presence
from league.sheets.queries.held_points import can_hold, tables_with_lost_points
from players.naming import name_sort_field
from scoring.game import Game, find_game
from scoring.numbers import localised
from scoring.phrases import refusal
from scoring.rules.errors import IllegalDeal

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

NAMED = 6  # people who have still to pay, before the rest is left to the check-in's page


class Mend(NamedTuple):
    """One thing that is open, in words, and the address at which it is put right."""

    words: str
    address: str


@dataclass(frozen=True)
class ClosingPoint:
    """A point of the list: what it says, done or not, and each thing that is open.

    `blocks` says that nothing can be closed before it is done.
    """

    says: str
    mends: tuple[Mend, ...] = ()
    blocks: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing of it is open."""
        return not self.mends


def counted(mends: Iterable[Mend], *, none: str, some: StrPromise, blocks: bool = False) -> ClosingPoint:
    """Return the point of things of one kind: says `none` where nothing is open, else `some` with their number."""
    found = tuple(mends)
    return ClosingPoint(some % {"number": len(found)}, found, blocks) if found else ClosingPoint(none)


def checklist(evening: Evening) -> list[ClosingPoint]:
    """Return every point, in the order in which an evening ends.

    Eight queries, ten where deals may leave points to the next one. The evening comes with season and club.
    """
    sittings = sat_rounds(evening)
    present = list(evening.attendances.select_related("player").order_by(f"player__{name_sort_field()}"))
    unchecked = Deal.objects.unchecked().filter(table__round__evening=evening).select_related("table__round")
    return [
        _sheets(evening, sittings),
        _sums(find_game(evening.season.game), sittings),
        *_held(evening),
        checked_point(unchecked.order_by("table__round__number", "table__number", "number")),
        contests_point(Contest.objects.of_evening(evening).waiting().with_deal()),
        _guests(present),
        _fees(evening, present),
        _planned(evening),
    ]


def _sheets(evening: Evening, sittings: Sequence[SatRound]) -> ClosingPoint:
    count = sum(len(sitting.sheets) for sitting in sittings)
    if not count:
        words = _(
            "No table was played: closing it changes nothing in the standings. If nobody came, cancel it instead."
        )
        return ClosingPoint(
            words, (Mend(_("Cancel the evening"), reverse("league:evening-cancel", args=[evening.pk])),)
        )
    done = ngettext("The evening's only sheet is in.", "All %(number)s sheets are in.", count) % {"number": count}
    return counted(
        (
            Mend(f"{round_}, {sheet.table}{_(': ')}{sheet.missing}", sheet.table.get_absolute_url())
            for round_, sheet in incomplete(sittings)
        ),
        none=done,
        some=ngettext_lazy(
            "%(number)s table is incomplete and will not count.",
            "%(number)s tables are incomplete and will not count.",
            "number",
        ),
    )


def _sums(game: Game, sittings: Sequence[SatRound]) -> ClosingPoint:
    """Return totals that the game rules out, and paper that says something else than the deals."""
    mends = tuple(
        Mend(f"{sitting.round}, {sheet.table}{_(': ')}{words}", sheet.table.get_absolute_url())
        for sitting in sittings
        for sheet in sitting.sheets
        for words in _disagreements(game, sheet.table, sheet.seats)
    )
    if mends:
        return ClosingPoint(_("Some sums are not right."), mends)
    accepted = [
        f"{sitting.round}, {sheet.table}"
        for sitting in sittings
        for sheet in sitting.sheets
        if sheet.table.complete and sheet.table.paper_accepted and any(seat.differs for seat in sheet.seats)
    ]
    if not accepted:
        return ClosingPoint(_("The sums are right."))
    words = ngettext(
        "The sums are right but for a difference from the paper that was accepted: %(tables)s.",
        "The sums are right but for differences from the paper that were accepted: %(tables)s.",
        len(accepted),
    )
    return ClosingPoint(words % {"tables": "; ".join(accepted)})


def _disagreements(game: Game, table: Table, seats: Sequence[Seat]) -> Iterator[str]:
    if not table.complete:
        return
    try:
        game.rules.check_totals([seat.points for seat in seats], table.deals)
    except IllegalDeal as illegal:
        yield refusal(game, illegal, [str(seat.player) for seat in seats])
    for seat in seats:
        if seat.differs and not table.paper_accepted:
            yield _("%(player)s has %(written)s on paper, and %(points)s by the deals.") % {
                "player": seat.player,
                "written": localised(seat.on_paper or 0),
                "points": localised(seat.points),
            }


def _held(evening: Evening) -> Iterator[ClosingPoint]:
    """Yield the point of complete tables whose last deals left points to nobody, where house rules hold points."""
    if not can_hold(evening):
        return
    yield counted(
        (
            Mend(
                _("%(table)s: %(points)s held, nobody’s by this season’s rules. Record one more deal?")
                % {"table": f"{table.round}, {table}", "points": localised(points)},
                reverse("league:deal-record", args=[table.pk]),
            )
            for table, points in tables_with_lost_points(evening)
        ),
        none=_("No complete table ended with points held."),
        some=ngettext_lazy(
            "%(number)s complete table ended with points held: they are lost unless another deal is recorded.",
            "%(number)s complete tables ended with points held: they are lost unless another deal is recorded.",
            "number",
        ),
    )


def place_of(deal: Deal) -> str:
    """Return where in its evening a deal is."""
    return f"{deal.table.round}, {deal.table}, {deal}"


def checked_point(deals: Iterable[Deal], place: Callable[[Deal], str] = place_of) -> ClosingPoint:
    """Return what is to be said of the deals that nobody has checked."""
    return counted(
        (Mend(place(deal), deal.get_absolute_url()) for deal in deals),
        none=_("Every deal that was entered at a table is checked."),
        some=ngettext_lazy(
            "%(number)s deal was entered at a table and is not checked yet.",
            "%(number)s deals were entered at a table and are not checked yet.",
            "number",
        ),
    )


def contests_point(waiting: Iterable[Contest], place: Callable[[Deal], str] = place_of) -> ClosingPoint:
    """Return what is to be said of the contests that wait for an answer."""
    mends = tuple(
        Mend(
            f"{place(contest.deal)}{_(': ')}{contest.reason}",
            reverse("league:contest-answer", args=[contest.pk]),
        )
        for contest in waiting
    )
    return ClosingPoint(_("Contested deals wait for an answer.") if mends else _("No contested deal waits."), mends)


def _guests(present: Sequence[Attendance]) -> ClosingPoint:
    """Return guests of whom only one name is known: next month nobody will know who that was."""
    return counted(
        (
            Mend(str(row.player), reverse("league:attendance-name", args=[row.pk]) + "?close")
            for row in present
            if row.standing == Presence.GUEST and not row.player.family_name
        ),
        none=_("Every guest is known by given name and family name."),
        some=ngettext_lazy(
            "%(number)s guest is known by one name only.", "%(number)s guests are known by one name only.", "number"
        ),
    )


def _fees(evening: Evening, present: Sequence[Attendance]) -> ClosingPoint:
    owing = [row for row in present if row.owed]
    if not owing:
        return ClosingPoint(_("Every fee is paid.") if any(row.fee for row in present) else _("No fee is due."))
    currency = evening.season.club.currency
    words = ngettext(
        "%(number)s player has still to pay, %(sum)s in all.",
        "%(number)s players have still to pay, %(sum)s in all.",
        len(owing),
    )
    mends = [
        Mend(
            f"{row.player}{_(': ')}{money(row.owed, currency)}",
            reverse("league:attendance-edit", args=[row.pk]),
        )
        for row in owing[:NAMED]
    ]
    if len(owing) > NAMED:
        said = _("and %(number)s more, at check-in") % {"number": len(owing) - NAMED}
        mends.append(Mend(said, reverse("league:attendance", args=[evening.pk])))
    return ClosingPoint(
        words % {"number": len(owing), "sum": money(sum(row.owed for row in owing), currency)}, tuple(mends)
    )


def _planned(evening: Evening) -> ClosingPoint:
    rounds: list[Round] = list(evening.rounds.planned())
    address = reverse("league:draw", args=[evening.pk])
    return counted(
        (Mend(str(each), address) for each in rounds),
        none=_("No planned round is left."),
        some=ngettext_lazy(
            "%(number)s planned round was not played: closing takes it away.",
            "%(number)s planned rounds were not played: closing takes them away.",
            "number",
        ),
    )
