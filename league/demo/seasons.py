from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from league.draw.sizes import usual_size
from league.models.season import TableEnd
from league.standings.presets import PRESETS
from scoring.game import Game, all_games

EVENING_COUNT = 12  # evenings per season, including tonight's
PLANNED_EVENING_COUNT = 3  # planned evenings after tonight's
LAST_YEAR_EVENING_COUNT = 6  # evenings of last year's season
PRESENT_COUNT = 30  # people at an evening, or slightly fewer
# Deals of a table, few so that the demo is created quickly. A table has more deals if ratings need more, and fewer if
# the game ends a table earlier. If the game ends a table at a total of points, the table ends at half of this total.
DEALS_PER_TABLE = 4
MAX_SIMULATED_DEALS = 200  # limit of deals at a table, far more than a table needs
PRESETS_IN_TURN = ("sum", "wins", "drop")  # presets of standings rules, one per season
DAYS_APART = 2  # days between the weekdays of two seasons


class SeasonPlan(NamedTuple):
    """The settings of one season of the demo."""

    game: Game
    rounds: int
    days_before: int  # earlier evenings are on the weekday that is this number of days before tonight's weekday
    short_tables: int  # number of tables tonight that lack their last deal
    house_rules: Mapping[str, Any]  # {}, or the game's first preset, or a change of one house rule
    preset: str  # name of the preset of standings rules

    def fields(self) -> dict[str, Any]:
        """Return the values for `Season.objects.create`."""
        end, number = _table_end(self.game)
        return {
            "name": f"{self.game.name} 2026–2027",
            "game": self.game.slug,
            "table_sizes": list(self.game.sizes),
            "end": end,
            "end_number": number,
            "house_rules": self.house_rules,
            "standings_rules": dict(_PRESETS[self.preset]),
        }

    def last_years_fields(self) -> dict[str, Any]:
        """Return the values for `Season.objects.create`, for last year's season of this game."""
        places, best = _PRESETS["final"], _PRESETS["best"]
        return {
            **self.fields(),
            "name": f"{self.game.name} 2025–2026",
            "house_rules": {},
            "standings_rules": {**best, "worth": places["worth"]},
            "planned_evenings": LAST_YEAR_EVENING_COUNT,
        }

    def table_sizes(self, evening: int) -> list[int]:
        """Return the table sizes of an evening: each unusual size once, if it fits, then the usual size.

        `evening` is the index of the evening, from 0.
        """
        usual = usual_size(self.game.usual_sizes)
        unusual = [size for size in self.game.sizes if size != usual]
        turn = evening % len(unusual) if unusual else 0
        sizes: list[int] = []
        for size in unusual[turn:] + unusual[:turn]:
            if sum(sizes) + size + usual <= PRESENT_COUNT:
                sizes.append(size)
        return sizes + [usual] * ((PRESENT_COUNT - sum(sizes)) // usual)


_PRESETS: Mapping[str, Mapping[str, Any]] = {preset.name: preset.rules for preset in PRESETS}


def _table_end(game: Game) -> tuple[TableEnd, int]:
    length = game.rules.length
    deals = max(DEALS_PER_TABLE, length.minimum) if length.length_unit == "deals" else DEALS_PER_TABLE
    end, number = game.automatic_end or (TableEnd.DEALS, deals)
    return (TableEnd.TARGET, number // 2) if end == TableEnd.TARGET else (TableEnd.DEALS, min(number, deals))


def _example_house_rules(game: Game) -> dict[str, Any]:
    if game.rules.presets:
        return dict(game.rules.presets[0].options)
    return {rule.name: list(rule.choices)[1] for rule in game.rules.house_rules[:1]}


def season_plans() -> list[SeasonPlan]:
    """Return the plan of one season per game."""
    return [
        SeasonPlan(
            game,
            rounds=1 if index else 2,
            days_before=DAYS_APART * index,
            short_tables=1 if index else 2,
            house_rules=_example_house_rules(game) if index else {},
            preset=PRESETS_IN_TURN[index % len(PRESETS_IN_TURN)],
        )
        for index, game in enumerate(all_games())
    ]
