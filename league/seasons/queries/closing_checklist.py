"""The checklist before closing a season. An open evening prevents the closing; the other items are warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from league.evenings.queries.closing_checklist import (
    ChecklistItem,
    OpenTask,
    deal_location,
    make_checklist_item,
    open_contests_item,
    table_location,
    unchecked_deals_item,
    unchecked_totals_item,
)
from league.models import Contest, Deal, Evening, Season, Standing, Table
from league.models.evening import EveningState
from league.seasons.queries.season_game import game_of_season
from league.sheets.queries.missing_deals import missing_text

_ORDER_OF_DEALS = (
    "table__round__evening__date",
    "table__round__evening",
    "table__round__number",
    "table__number",
    "number",
)


def season_checklist(season: Season, rows: Sequence[Standing], *, now: datetime) -> list[ChecklistItem]:
    """Return the items of the checklist. `rows` are the standings that the closing would store."""
    evenings = list(season.evenings.order_by("date", "pk"))
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    contests = Contest.objects.filter(deal__table__round__evening__season=season)
    return [
        _open_evenings_item(evenings),
        _planned_evenings_item(evenings),
        _incomplete_tables_item(season, closed),
        _unchecked_results_item(season, closed),
        open_contests_item(contests.unanswered().with_club(), _deal_location),
        _provisional_evenings_item(closed, now),
        _pending_work_item(season),
        _champions_item(season, rows),
    ]


def _unchecked_results_item(season: Season, closed: Sequence[Evening]) -> ChecklistItem:
    if game_of_season(season).has_deals:
        deals = Deal.objects.unchecked().filter(table__round__evening__in=closed)
        return unchecked_deals_item(
            deals.select_related("table__round__evening").order_by(*_ORDER_OF_DEALS), _deal_location
        )
    tables = Table.objects.in_evenings(closed).with_unchecked_totals()
    return unchecked_totals_item(tables, lambda table: f"{table.round.evening}, {table_location(table)}")


def _deal_location(deal: Deal) -> str:
    return f"{deal.table.round.evening}, {deal_location(deal)}"


def _open_evenings_item(evenings: Sequence[Evening]) -> ChecklistItem:
    return make_checklist_item(
        _evening_tasks(evening for evening in evenings if evening.state == EveningState.OPEN),
        done_text=_("No evening is open."),
        tasks_text=ngettext_lazy(
            "%(number)s evening is still open: close or cancel it first.",
            "%(number)s evenings are still open: close or cancel them first.",
            "number",
        ),
        blocks_closing=True,
    )


def _planned_evenings_item(evenings: Sequence[Evening]) -> ChecklistItem:
    return make_checklist_item(
        _evening_tasks(evening for evening in evenings if evening.state == EveningState.PLANNED),
        done_text=_("No evening is only planned."),
        tasks_text=ngettext_lazy(
            "%(number)s evening is planned and will not be played.",
            "%(number)s evenings are planned and will not be played.",
            "number",
        ),
    )


def _evening_tasks(evenings: Iterable[Evening]) -> Iterator[OpenTask]:
    for evening in evenings:
        yield OpenTask(str(evening), evening.get_absolute_url())


def _incomplete_tables_item(season: Season, closed: Sequence[Evening]) -> ChecklistItem:
    tasks = []
    for table in Table.objects.in_evenings(closed).incomplete():
        table.round.evening.season = season
        words = f"{table.round.evening}, {table.round}, {table}{_(': ')}{missing_text(table, season)}"
        tasks.append(OpenTask(words, table.get_absolute_url()))
    return make_checklist_item(
        tasks,
        done_text=_("Every table of the closed evenings is complete."),
        tasks_text=ngettext_lazy(
            "%(number)s table is incomplete and does not count.",
            "%(number)s tables are incomplete and do not count.",
            "number",
        ),
    )


def _provisional_evenings_item(closed: Sequence[Evening], now: datetime) -> ChecklistItem:
    return make_checklist_item(
        _evening_tasks(evening for evening in closed if evening.is_provisional(now)),
        done_text=_("All results of the closed evenings are final."),
        tasks_text=ngettext_lazy(
            "The results of %(number)s evening are provisional: closing the season ends the members' time to object.",
            "The results of %(number)s evenings are provisional: closing the season ends the members' time to object.",
            "number",
        ),
    )


def _pending_work_item(season: Season) -> ChecklistItem:
    if season.pending_recomputes.exists():
        return ChecklistItem(_("Results came in that the standings don't have yet: closing the season computes them."))
    return ChecklistItem(_("The standings have all results of the closed evenings."))


def _champions_item(season: Season, rows: Sequence[Standing]) -> ChecklistItem:
    count = sum(row.rank == 1 for row in rows)
    if count > 1:
        return ChecklistItem(
            _("%(number)s players share the first place: each of them is champion.") % {"number": count}
        )
    if count:
        return ChecklistItem(_("The champion is known."))
    rules = OpenTask(_("Standings rules"), reverse("league:standings-rules", args=[season.pk]))
    return ChecklistItem(_("Nobody is ranked: the season has no champion."), (rules,))
