"""How a season's house rules changed while it was played, in words: from which evening on, what, and why."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.models import Evening, HouseRulesChange, Season
from scoring.entry import filled_fields
from scoring.game import Game, find_game


class ToldChange(NamedTuple):
    """One change; `since` is the first evening that it holds for, None where it holds for all or `later_only`."""

    since: Evening | None
    later_only: bool
    reason: str
    at: datetime
    rules: list[tuple[str, str, str]]  # the house rule, what it was, what it is since


def changes_of(season: Season, game: Game) -> list[ToldChange]:
    """Return the changes of a season's house rules, the newest first. One query."""
    return [_told(change, game) for change in season.house_rules_changes.select_related("since")]


def kept_rules(evening: Evening) -> list[str]:
    """Return the house rules that an evening kept and that differ from its season's of today, in words."""
    if evening.kept_house_rules is None:
        return []
    game = find_game(evening.season.game)
    now = dict(filled_fields(game.house_rules_form(initial=evening.season.house_rules)))
    kept = filled_fields(game.house_rules_form(initial=evening.house_rules))
    return [f"{label}{_(': ')}{words}" for label, words in kept if now.get(label) != words]


def _told(change: HouseRulesChange, game: Game) -> ToldChange:
    before, after = (filled_fields(game.house_rules_form(initial=each)) for each in (change.before, change.after))
    rules = [(label, was, words) for (label, was), (_label, words) in zip(before, after, strict=True) if was != words]
    return ToldChange(change.since, change.later_only, change.reason, change.changed_at, rules)
