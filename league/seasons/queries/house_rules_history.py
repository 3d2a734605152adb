"""Changes of a season's house rules, and house rules of an evening that differ from those of its season, for pages.

A change is stored only with a reason (`actions/seasons.py`). The form asks for a reason once points are recorded.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.models import Evening, HouseRulesChange, Season
from league.seasons.queries.season_game import game_of_season
from scoring.entry import filled_fields
from scoring.game import Game


class RulesChange(NamedTuple):
    """A change of a season's house rules.

    `since` is the first evening with the new rules. If it is None, the new rules apply to all evenings; if `later_only`
    is also True, only to evenings that were planned after the change.
    """

    since: Evening | None
    later_only: bool
    reason: str
    changed_at: datetime
    rules: list[tuple[str, str, str]]  # house rule, former value, new value


def house_rules_changes(season: Season, game: Game) -> list[RulesChange]:
    return [_rules_change(change, game) for change in season.house_rules_changes.select_related("since")]


def differing_house_rules(evening: Evening) -> list[str]:
    """Return the evening's differences from the house rules of its season, as texts "rule: value"."""
    if evening.kept_house_rules is None:
        return []
    game = game_of_season(evening.season)
    of_season = dict(filled_fields(game.house_rules_form(initial=evening.season.house_rules)))
    of_evening = filled_fields(game.house_rules_form(initial=evening.house_rules))
    return [f"{label}{_(': ')}{words}" for label, words in of_evening if of_season.get(label) != words]


def _rules_change(change: HouseRulesChange, game: Game) -> RulesChange:
    before, after = (filled_fields(game.house_rules_form(initial=rules)) for rules in (change.before, change.after))
    rules = [(label, was, words) for (label, was), (_label, words) in zip(before, after, strict=True) if was != words]
    return RulesChange(change.since, change.later_only, change.reason, change.changed_at, rules)
