"""Reads and checks a JSON request of `python -m league.standings`: standings rules, evenings and adjustments of a
season.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from league.standings import fields
from league.standings.fields import JsonKey
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsAdjustment, SeasonEvening, TableResult
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import quote

# Rules that requests can't use, because requests do not have the results that these rules need.
RULES_NOT_IN_REQUESTS = ("partners", "rests")


class Request(NamedTuple):
    rules: StandingsRules
    evenings: Sequence[SeasonEvening]
    adjustments: Sequence[PointsAdjustment]


def read_request(value: object) -> Request:
    """Return the season in a JSON request: rules, evenings and adjustments. Raise IllegalDeal with the wrong field."""
    read = fields.read_object(value, "", _REQUEST_KEYS)
    return Request(read["rules"], read["evenings"], read["adjustments"])


def _rules(value: object, field: str) -> StandingsRules:
    return StandingsRules.from_json(value, field, refused_keys=RULES_NOT_IN_REQUESTS)


def _evenings(value: object, field: str) -> list[SeasonEvening]:
    evenings = [_evening(item, f"{field}.{index}") for index, item in enumerate(reading.items(value, field))]
    ids = set()
    for evening in evenings:
        if evening.id in ids:
            raise IllegalDeal(field, "evening_twice", {"given": quote(evening.id)})
        ids.add(evening.id)
    if sum(evening.final for evening in evenings) > 1:
        raise IllegalDeal(field, "two_finals")
    return evenings


def _evening(value: object, field: str) -> SeasonEvening:
    return SeasonEvening(**fields.read_object(value, field, _EVENING_KEYS))


def _results(value: object, field: str) -> list[PlayerEvening]:
    results = [
        _read_result_fast(item) or _result(item, f"{field}.{index}")
        for index, item in enumerate(reading.items(value, field))
    ]
    if len({result.player for result in results}) < len(results):
        players = set()
        for index, result in enumerate(results):
            if result.player in players:
                raise IllegalDeal(f"{field}.{index}.player", "player_twice", {"given": quote(result.player)})
            players.add(result.player)
    return results


def _read_result_fast(value: Any) -> PlayerEvening | None:
    """Return a player's result if all values are valid: this is faster than `_result`. Return None if a value may be
    wrong: then `_result` reads the object again and finds the error.
    """
    try:
        result = PlayerEvening(**value)
        player, points, deals, member, left_early, won, lost, exempt, tables, _rests, _partners = result
    except TypeError:
        return None
    if not (
        type(player) is str
        and type(points) is type(deals) is type(won) is type(lost) is type(exempt) is int
        and type(member) is type(left_early) is bool
        and deals >= 0 <= won
        and lost >= 0 <= exempt
        and value.keys().isdisjoint(RULES_NOT_IN_REQUESTS)
    ):
        return None
    if tables == ():
        return result
    usual_tables = _read_tables_fast(tables)
    return None if usual_tables is None else result._replace(tables=usual_tables)


def _read_tables_fast(value: Any) -> tuple[TableResult, ...] | None:
    try:
        tables = tuple([TableResult(**item) for item in value])
    except TypeError:
        return None
    for opponents, before, level in tables:
        if not (
            type(opponents) is type(before) is type(level) is int
            and before >= 0 <= level
            and before + level <= opponents > 0
        ):
            return None
    return tables if type(value) is list else None


def _result(value: object, field: str) -> PlayerEvening:
    return PlayerEvening(**fields.read_object(value, field, _RESULT_KEYS))


def _tables(value: object, field: str) -> tuple[TableResult, ...]:
    return tuple(_table(item, f"{field}.{index}") for index, item in enumerate(reading.items(value, field)))


def _table(value: object, field: str) -> TableResult:
    table = TableResult(**fields.read_object(value, field, _TABLE_KEYS))
    if table.before + table.level > table.opponents:
        raise IllegalDeal(
            field, "too_many_placed", {"given": quote(table.before + table.level), "most": quote(table.opponents)}
        )
    return table


def _adjustments(value: object, field: str) -> list[PointsAdjustment]:
    return [
        PointsAdjustment(**fields.read_object(item, f"{field}.{index}", _ADJUSTMENT_KEYS))
        for index, item in enumerate(reading.items(value, field))
    ]


_TABLE_KEYS = {
    "opponents": JsonKey(fields.positive_integer),
    "before": JsonKey(fields.count),
    "level": JsonKey(fields.count),
}
_RESULT_KEYS = {
    "player": JsonKey(fields.text),
    "points": JsonKey(fields.integer),
    **{name: JsonKey(fields.count, 0) for name in ("deals", "won", "lost", "exempt")},
    "member": JsonKey(fields.flag, True),
    "left": JsonKey(fields.flag, False),
    "tables": JsonKey(_tables, ()),
}
_EVENING_KEYS = {
    "id": JsonKey(fields.text),
    "date": JsonKey(fields.date),
    "weight": JsonKey(fields.count, 1),
    "final": JsonKey(fields.flag, False),
    "results": JsonKey(_results),
}
_ADJUSTMENT_KEYS = {"player": JsonKey(fields.text), "points": JsonKey(fields.integer)}
_REQUEST_KEYS = {
    "rules": JsonKey(_rules, StandingsRules()),
    "evenings": JsonKey(_evenings),
    "adjustments": JsonKey(_adjustments, ()),
}
