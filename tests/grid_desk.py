"""What the tests of the grid share: a table to be entered, its grid's page, and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from league.models import Deal, Table
from tests.build import a_club, a_player, a_season, a_table, an_evening

NAMED_KEYS = ("Enter", "Tab", "Escape", "Insert", "Backspace")
Desk = Callable[[Table], Page]


def seated(names: list[str], game: str = "tarot", *, one_rests: bool = False, **season: Any) -> Table:
    """Return a table that stays open for twenty deals."""
    fields = {"end_number": 20, "table_sizes": [len(names)], **season}
    evening = an_evening(a_season(a_club(), game, **fields))
    return a_table(evening, [a_player(name, "") for name in names], one_rests=one_rests)


def facts_of(table: Table) -> list[Any]:
    return list(Deal.objects.filter(table=table).not_voided().values_list("facts", flat=True))


def press(page: Page, typed: str) -> None:
    for key in typed.split():
        for single_key in [key] if key in NAMED_KEYS or key.startswith("Arrow") else key:
            page.keyboard.press(single_key)
