"""The checklist that a secretary sees before closing an evening.

Each item is done, or lists open tasks with links. Most open items are only warnings: the secretary may close anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from league.clubs.queries.money import format_money
from league.evenings.queries.played_rounds import PlayedRound, incomplete_tables, played_rounds
from league.models import Attendance, Contest, Deal, Evening, Round, Seat, Table
from league.models.evening import AttendanceRole
from league.seasons.queries.season_game import game_of_season
from league.sheets.queries.held_points import can_have_held_points, tables_with_lost_points
from players.naming import name_sort_field
from scoring.game import Game
from scoring.numbers import localise
from scoring.phrases import refusal_text
from scoring.rules.errors import IllegalDeal

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MAX_UNPAID_FEES_LISTED = 6  # people with unpaid fees; the check-in page lists all


class OpenTask(NamedTuple):
    """A task that is not done: its text, and the URL of the page where the user does it."""

    words: str
    address: str


@dataclass(frozen=True)
class ChecklistItem:
    """An item to check before closing an evening or a season. It is done if it has no tasks.

    If `blocks_closing`, the tasks must be done before the closing.
    """

    text: str
    tasks: tuple[OpenTask, ...] = ()
    blocks_closing: bool = False

    @property
    def is_done(self) -> bool:
        return not self.tasks


def make_checklist_item(
    tasks: Iterable[OpenTask], *, done_text: str, tasks_text: StrPromise, blocks_closing: bool = False
) -> ChecklistItem:
    """Return a checklist item with the tasks.

    Its text is `done_text` if there are no tasks. Otherwise it is `tasks_text`, with the number of tasks as "number".
    """
    tasks = tuple(tasks)
    if not tasks:
        return ChecklistItem(done_text)
    return ChecklistItem(tasks_text % {"number": len(tasks)}, tasks, blocks_closing)


def checklist(evening: Evening) -> list[ChecklistItem]:
    """Return the checklist of the evening. Fetch the evening by `with_season()`."""
    rounds = played_rounds(evening)
    attendances = list(evening.attendances.select_related("player").order_by(f"player__{name_sort_field()}"))
    return [
        _incomplete_tables_item(evening, rounds),
        _wrong_sums_item(evening, rounds),
        *_catch_up_games_item(rounds),
        *_held_points_item(evening),
        _unchecked_entries_item(evening),
        open_contests_item(Contest.objects.in_evening(evening).unanswered().with_deal()),
        _one_name_guests_item(attendances),
        _unpaid_fees_item(evening, attendances),
        _planned_rounds_item(evening),
    ]


def _incomplete_tables_item(evening: Evening, rounds: Sequence[PlayedRound]) -> ChecklistItem:
    count = sum(len(played_round.tables_with_seats) for played_round in rounds)
    if not count:
        words = _(
            "No table was played: closing it changes nothing in the standings. If nobody came, cancel it instead."
        )
        return ChecklistItem(
            words, (OpenTask(_("Cancel the evening"), reverse("league:evening-cancel", args=[evening.pk])),)
        )
    all_in = ngettext("The evening's only sheet is in.", "All %(number)s sheets are in.", count) % {"number": count}
    return make_checklist_item(
        (
            OpenTask(f"{round_}, {sheet.table}{_(': ')}{sheet.missing_text}", sheet.table.get_absolute_url())
            for round_, sheet in incomplete_tables(rounds)
        ),
        done_text=all_in,
        tasks_text=ngettext_lazy(
            "%(number)s table is incomplete and will not count.",
            "%(number)s tables are incomplete and will not count.",
            "number",
        ),
    )


def _wrong_sums_item(evening: Evening, rounds: Sequence[PlayedRound]) -> ChecklistItem:
    game = game_of_season(evening.season)
    tasks = tuple(
        OpenTask(f"{played_round.round}, {sheet.table}{_(': ')}{words}", sheet.table.get_absolute_url())
        for played_round in rounds
        for sheet in played_round.tables_with_seats
        for words in _total_errors(game, evening, sheet.table, sheet.seats)
    )
    if tasks:
        return ChecklistItem(_("Some sums are not right."), tasks)
    accepted = [
        f"{played_round.round}, {sheet.table}"
        for played_round in rounds
        for sheet in played_round.tables_with_seats
        if sheet.table.complete and sheet.table.paper_accepted and any(seat.differs_from_sheet for seat in sheet.seats)
    ]
    if not accepted:
        return ChecklistItem(_("The sums are right."))
    words = ngettext(
        "The sums are right but for a difference from the paper that was accepted: %(tables)s.",
        "The sums are right but for differences from the paper that were accepted: %(tables)s.",
        len(accepted),
    )
    return ChecklistItem(words % {"tables": _("; ").join(accepted)})


def _total_errors(game: Game, evening: Evening, table: Table, seats: Sequence[Seat]) -> Iterator[str]:
    if not table.complete:
        return
    try:
        totals = [evening.season.convert_points(seat.points) for seat in seats]
        game.rules.check_totals(totals, table.deals, game.rules.read_options(evening.house_rules))
    except IllegalDeal as illegal:
        yield refusal_text(game, illegal, [str(seat.player) for seat in seats])
    for seat in seats:
        if seat.differs_from_sheet and not table.paper_accepted:
            yield _("%(player)s has %(written)s on paper, and %(points)s by the deals.") % {
                "player": seat.player,
                "written": localise(seat.sheet_total or 0),
                "points": localise(seat.points),
            }


def _catch_up_games_item(rounds: Sequence[PlayedRound]) -> Iterator[ChecklistItem]:
    games = [(played_round.round, rest) for played_round in rounds for rest in played_round.rests if rest.is_catch_up]
    if games:
        yield make_checklist_item(
            (
                OpenTask(f"{round_}{_(': ')}{rest.player}", reverse("league:catch-up", args=[round_.pk]))
                for round_, rest in games
                if rest.lacks_points
            ),
            done_text=_("All catch-up games have points."),
            tasks_text=ngettext_lazy(
                "%(number)s catch-up game has no points: the player gets nothing for the round.",
                "%(number)s catch-up games have no points: the players get nothing for the round.",
                "number",
            ),
        )


def _held_points_item(evening: Evening) -> Iterator[ChecklistItem]:
    if not can_have_held_points(evening):
        return
    yield make_checklist_item(
        (
            OpenTask(
                _("%(table)s: %(points)s held, and nobody gets them. Was another deal played? Then record it.")
                % {"table": f"{table.round}, {table}", "points": localise(points)},
                reverse("league:deal-record", args=[table.pk]),
            )
            for table, points in tables_with_lost_points(evening)
        ),
        done_text=_("No complete table ended with points held."),
        tasks_text=ngettext_lazy(
            "%(number)s complete table ended with points held: they are lost unless another deal is recorded.",
            "%(number)s complete tables ended with points held: they are lost unless another deal is recorded.",
            "number",
        ),
    )


def _unchecked_entries_item(evening: Evening) -> ChecklistItem:
    if game_of_season(evening.season).has_deals:
        deals = Deal.objects.unchecked().filter(table__round__evening=evening).select_related("table__round")
        return unchecked_deals_item(deals.order_by("table__round__number", "table__number", "number"))
    return unchecked_totals_item(Table.objects.in_evenings([evening]).with_unchecked_totals())


def table_location(table: Table) -> str:
    return f"{table.round}, {table}"


def deal_location(deal: Deal) -> str:
    return f"{deal.table.round}, {deal.table}, {deal}"


def unchecked_deals_item(deals: Iterable[Deal], location: Callable[[Deal], str] = deal_location) -> ChecklistItem:
    """Return a checklist item for the deals that players entered by phone and that nobody has checked.

    `location` returns the text that names a deal.
    """
    return make_checklist_item(
        (OpenTask(location(deal), deal.get_absolute_url()) for deal in deals),
        done_text=_("Every deal that was entered at a table is checked."),
        tasks_text=ngettext_lazy(
            "%(number)s deal was entered at a table and is not checked yet.",
            "%(number)s deals were entered at a table and are not checked yet.",
            "number",
        ),
    )


def unchecked_totals_item(tables: Iterable[Table], location: Callable[[Table], str] = table_location) -> ChecklistItem:
    """Return a checklist item for the tables whose totals players entered by phone and nobody has checked.

    `location` returns the text that names a table.
    """
    return make_checklist_item(
        (OpenTask(location(table), table.get_absolute_url()) for table in tables),
        done_text=_("All totals that were entered at a table are checked."),
        tasks_text=ngettext_lazy(
            "The totals of %(number)s table were entered there and are not checked yet.",
            "The totals of %(number)s tables were entered there and are not checked yet.",
            "number",
        ),
    )


def open_contests_item(contests: Iterable[Contest], location: Callable[[Deal], str] = deal_location) -> ChecklistItem:
    """Return a checklist item for the contests (players' objections to deals) without an answer.

    `location` returns the text that names a deal.
    """
    tasks = tuple(
        OpenTask(
            f"{location(contest.deal)}{_(': ')}{contest.reason}",
            reverse("league:contest-answer", args=[contest.pk]),
        )
        for contest in contests
    )
    return make_checklist_item(
        tasks,
        done_text=_("No contested deal waits."),
        tasks_text=ngettext_lazy(
            "%(number)s contested deal waits for an answer.",
            "%(number)s contested deals wait for an answer.",
            "number",
        ),
    )


def _one_name_guests_item(present: Sequence[Attendance]) -> ChecklistItem:
    """List guests without a family name, because they cannot be identified later."""
    return make_checklist_item(
        (
            OpenTask(str(row.player), reverse("league:attendance-name", args=[row.pk]) + "?close")
            for row in present
            if row.standing == AttendanceRole.GUEST and not row.player.family_name
        ),
        done_text=_("Every guest is known by given name and family name."),
        tasks_text=ngettext_lazy(
            "%(number)s guest is known by one name only.", "%(number)s guests are known by one name only.", "number"
        ),
    )


def _unpaid_fees_item(evening: Evening, present: Sequence[Attendance]) -> ChecklistItem:
    owing = [row for row in present if row.owed]
    if not owing:
        return ChecklistItem(_("Every fee is paid.") if any(row.fee for row in present) else _("No fee is due."))
    currency = evening.season.club.currency
    words = ngettext(
        "%(number)s player has still to pay, %(sum)s in all.",
        "%(number)s players have still to pay, %(sum)s in all.",
        len(owing),
    )
    tasks = [
        OpenTask(
            f"{row.player}{_(': ')}{format_money(row.owed, currency)}",
            reverse("league:attendance-edit", args=[row.pk]),
        )
        for row in owing[:MAX_UNPAID_FEES_LISTED]
    ]
    if len(owing) > MAX_UNPAID_FEES_LISTED:
        others_text = _("and %(number)s more, at check-in") % {"number": len(owing) - MAX_UNPAID_FEES_LISTED}
        tasks.append(OpenTask(others_text, reverse("league:attendance", args=[evening.pk])))
    return ChecklistItem(
        words % {"number": len(owing), "sum": format_money(sum(row.owed for row in owing), currency)},
        tuple(tasks),
    )


def _planned_rounds_item(evening: Evening) -> ChecklistItem:
    rounds: list[Round] = list(evening.rounds.planned())
    address = reverse("league:draw", args=[evening.pk])
    return make_checklist_item(
        (OpenTask(str(round_), address) for round_ in rounds),
        done_text=_("No planned round is left."),
        tasks_text=ngettext_lazy(
            "%(number)s planned round was not played: closing takes it away.",
            "%(number)s planned rounds were not played: closing takes them away.",
            "number",
        ),
    )
