"""Reads and checks a JSON request of `python -m league.pairing`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from league.pairing.pairing import Constraints, Pair
from league.pairing.ranking import TIE_BREAKS
from league.pairing.results import Exemption, MatchPoints, RankingRules, Round, Side, Unit
from league.standings import fields
from league.standings.fields import JsonKey
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import quote

# The keys of "ranking" beside "by", by the value of "by".
RANKING_KEYS: Mapping[str, Mapping[str, JsonKey]] = {
    "points": {},
    "wins": {},
    "match_points": {name: JsonKey(fields.count) for name in MatchPoints._fields},
}
PAIRING_METHODS = ("ranking", "lot", "movement")


class RankRequest(NamedTuple):
    rules: RankingRules
    units: Sequence[Unit]
    rounds: Sequence[Round]


class PairRequest(NamedTuple):
    """A request to pair units. `units` has None for a unit that left. `round_number` is 0 except for the method
    "movement".
    """

    method: str
    units: Sequence[Unit | None]
    constraints: Constraints
    seed: int
    round_number: int


def read_request(value: object) -> RankRequest | PairRequest:
    """Return the request in the JSON value. Raise IllegalDeal with the field that is missing, unknown or wrong."""
    if type(value) is not dict:
        raise IllegalDeal("", "not_an_object", {"given": quote(value)})
    if reading.word(value.get("do"), "do", ("rank", "pair")) == "rank":
        return _read_rank_request(value)
    return _read_pair_request(value)


def _read_rank_request(value: object) -> RankRequest:
    read = fields.read_object(value, "", _RANK_REQUEST_KEYS)
    rules: RankingRules = read["rules"]
    units: Sequence[Unit] = read["units"]
    rounds: Sequence[Round] = read["rounds"]
    known_units = frozenset(units)
    for index, round_ in enumerate(rounds):
        _check_round(round_, f"rounds.{index}", known_units)
        if round_.exempt and rules.exempt is None:
            raise IllegalDeal("rules.exempt", "missing")
    return RankRequest(rules, units, rounds)


def _check_round(round_: Round, field: str, units: Collection[Unit]) -> None:
    for table_index, sides in enumerate(round_.tables):
        for side_index, side in enumerate(sides):
            if side.unit not in units:
                side_field = f"{field}.tables.{table_index}.sides.{side_index}.unit"
                raise IllegalDeal(side_field, "unknown_unit", {"given": quote(side.unit)})
    for index, unit in enumerate(round_.exempt):
        if unit not in units:
            raise IllegalDeal(f"{field}.exempt.{index}", "unknown_unit", {"given": quote(unit)})
    _check_no_repeats([*(side.unit for sides in round_.tables for side in sides), *round_.exempt], field)


def _check_no_repeats(units: Sequence[Unit | None], field: str) -> None:
    earlier = set[Unit]()
    for unit in units:
        if unit in earlier:
            raise IllegalDeal(field, "unit_twice", {"given": quote(unit)})
        if unit is not None:
            earlier.add(unit)


def _read_pair_request(value: dict[str, Any]) -> PairRequest:
    method = reading.word(value.get("method"), "method", PAIRING_METHODS)
    is_movement = method == "movement"
    read = fields.read_object(
        value,
        "",
        {
            **_PAIR_REQUEST_KEYS,
            "units": JsonKey(_read_units_with_gaps if is_movement else _read_units),
            **({"round": JsonKey(fields.positive_integer)} if is_movement else {}),
        },
    )
    units: Sequence[Unit | None] = read["units"]
    indexes = {unit: index for index, unit in enumerate(units) if unit is not None}
    rests = [0] * len(units)
    for unit in read["rested"]:
        rests[_find_index(indexes, unit, "rested")] += 1
    met_pairs, separated = (
        frozenset(_read_pair(indexes, pair, name) for pair in read[name]) for name in ("met", "separated")
    )
    return PairRequest(method, units, Constraints(met_pairs, separated, rests), read["seed"], read.get("round", 0))


def _find_index(indexes: Mapping[Unit, int], unit: Unit, field: str) -> int:
    if unit not in indexes:
        raise IllegalDeal(field, "unknown_unit", {"given": quote(unit)})
    return indexes[unit]


def _read_pair(indexes: Mapping[Unit, int], units: Sequence[Unit], field: str) -> Pair:
    first, second = sorted(_find_index(indexes, unit, field) for unit in units)
    if first == second:
        raise IllegalDeal(field, "not_a_pair", {"given": quote(units)})
    return first, second


def _read_list(read_element: Callable[[object, str], Any], value: object, field: str) -> list[Any]:
    return [read_element(element, f"{field}.{index}") for index, element in enumerate(reading.items(value, field))]


def _read_units(value: object, field: str) -> list[Unit]:
    units = _read_list(fields.text, value, field)
    _check_no_repeats(units, field)
    return units


def _read_units_with_gaps(value: object, field: str) -> list[Unit | None]:
    """Return the units of a movement. A null is a unit that left; its starting number stays empty."""
    units = _read_list(lambda unit, path: None if unit is None else fields.text(unit, path), value, field)
    _check_no_repeats(units, field)
    return units


def _read_two_units(value: object, field: str) -> list[Unit]:
    units = _read_list(fields.text, value, field)
    if len(units) != 2:
        raise IllegalDeal(field, "not_a_pair", {"given": quote(value)})
    return units


def _read_ranking(value: object, field: str) -> tuple[str, MatchPoints]:
    """Return (`RankingRules.ranked_by`, `RankingRules.match_points`)."""
    ranking_key, options = fields.read_chosen(value, field, "by", RANKING_KEYS)
    return ranking_key, MatchPoints(**dict.fromkeys(MatchPoints._fields, 0) | dict(options))


def _read_exemption(value: object, field: str) -> Exemption:
    is_mean = type(value) is dict and "mean" in value
    read = fields.read_object(value, field, _EXEMPTION_BY_MEAN_KEYS if is_mean else _EXEMPTION_WITH_POINTS_KEYS)
    if is_mean and not read["mean"]:
        raise IllegalDeal(f"{field}.mean", "unknown_word", {"given": "false", "allowed": "true"})
    return Exemption(read.get("points"), read["win"])


def _read_ties(value: object, field: str) -> tuple[str, ...]:
    ties = [reading.word(item, field, tuple(TIE_BREAKS)) for item in reading.items(value, field)]
    for index, name in enumerate(ties):
        if name in ties[:index]:
            raise IllegalDeal(field, "repeated_key", {"given": quote(name)})
    return tuple(ties)


def _read_rules(value: object, field: str) -> RankingRules:
    read = fields.read_object(value, field, _RULES_KEYS)
    ranked_by, match_points = read.pop("ranking")
    return RankingRules(ranked_by=ranked_by, match_points=match_points, **read)


def _read_side(value: object, field: str) -> Side:
    return Side(**fields.read_object(value, field, _SIDE_KEYS))


def _read_table(value: object, field: str) -> list[Side]:
    sides: list[Side] = fields.read_object(value, field, _TABLE_KEYS)["sides"]
    if len(sides) < 2:
        raise IllegalDeal(f"{field}.sides", "one_side")
    has_forfeit = any(side.forfeit for side in sides)
    for index, side in enumerate(sides):
        if (side.points is not None) == has_forfeit:
            raise IllegalDeal(f"{field}.sides.{index}.points", "points_with_forfeit" if has_forfeit else "missing")
    return sides


def _read_round(value: object, field: str) -> Round:
    return Round(**fields.read_object(value, field, _ROUND_KEYS))


_EXEMPTION_WITH_POINTS_KEYS = {"points": JsonKey(fields.integer), "win": JsonKey(fields.flag)}
_EXEMPTION_BY_MEAN_KEYS = {"mean": JsonKey(fields.flag), "win": JsonKey(fields.flag)}
_RULES_KEYS = {
    "ranking": JsonKey(_read_ranking, ("points", MatchPoints(0, 0, 0, 0, 0))),
    "cap": JsonKey(fields.count, None),
    "exempt": JsonKey(_read_exemption, None),
    "forfeit_points": JsonKey(fields.integer, 0),
    "ties": JsonKey(_read_ties, ()),
}
_SIDE_KEYS = {
    "unit": JsonKey(fields.text),
    "points": JsonKey(fields.integer, None),
    "forfeit": JsonKey(fields.flag, False),
}
_TABLE_KEYS = {"sides": JsonKey(partial(_read_list, _read_side))}
_ROUND_KEYS = {"tables": JsonKey(partial(_read_list, _read_table), ()), "exempt": JsonKey(_read_units, ())}
_RANK_REQUEST_KEYS = {
    "do": JsonKey(fields.text),
    "rules": JsonKey(_read_rules, RankingRules()),
    "units": JsonKey(_read_units),
    "rounds": JsonKey(partial(_read_list, _read_round)),
}
_PAIR_REQUEST_KEYS = {
    "do": JsonKey(fields.text),
    "method": JsonKey(fields.text),
    "met": JsonKey(partial(_read_list, _read_two_units), ()),
    "separated": JsonKey(partial(_read_list, _read_two_units), ()),
    "rested": JsonKey(partial(_read_list, fields.text), ()),
    "seed": JsonKey(fields.count, 0),
}
