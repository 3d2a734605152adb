"""The standings rules of a season as a frozen object; it is read from JSON and written to JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Self

from league.standings import fields
from league.standings.counted_evenings import COUNTED_EVENINGS_RULES
from league.standings.extras import EXTRAS
from league.standings.fields import JsonKey, RuleWithOptions
from league.standings.minimum import MINIMUM_RULES, NO_MINIMUM
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTH_RULES
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import quote

WORTH_BY_POINTS = RuleWithOptions("points")
COUNT_ALL_EVENINGS = RuleWithOptions("all")


@dataclass(frozen=True)
class StandingsRules:
    worth: RuleWithOptions = WORTH_BY_POINTS
    counts: RuleWithOptions = COUNT_ALL_EVENINGS
    final: bool = False  # the season's final always counts
    minimum: RuleWithOptions = NO_MINIMUM
    partners: int = 0  # different partners that a player needs to be ranked
    rests: int = 0  # points for each round sat out
    extras: tuple[tuple[str, int], ...] = tuple((name, 0) for name in EXTRAS)
    ties: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, value: object, field: str = "rules", refused_keys: Collection[str] = ()) -> Self:
        """Return the rules for JSON from the database or from a request; {} means that all points of all evenings
        count.

        Keys in `refused_keys` count as unknown. Raise IllegalDeal with the path of the wrong value, which begins with
        `field`.
        """
        values = fields.read_object(
            value, field, {name: key for name, key in _RULE_KEYS.items() if name not in refused_keys}
        )
        counts, final = values.pop("counts")
        extras = tuple((name, values.pop(name)) for name in EXTRAS)
        return cls(counts=counts, final=final, extras=extras, **values)

    def to_json(self) -> dict[str, Any]:
        """Return the rules as JSON for `from_json`. Rules and keys with their default values are left out."""
        final = {"final": True} if self.final else {}
        values: dict[str, Any] = {
            "worth": _options_json("by", self.worth, WORTH_RULES[self.worth.name].keys),
            "counts": _options_json("which", self.counts, COUNTED_EVENINGS_RULES[self.counts.name].keys) | final,
            "minimum": {name: _json_value(minimum) for name, minimum in self.minimum.options},
            "partners": self.partners,
            "rests": self.rests,
            **dict(self.extras),
            "ties": list(self.ties),
        }
        defaults = {
            "worth": {"by": WORTH_BY_POINTS.name},
            "counts": {"which": COUNT_ALL_EVENINGS.name},
            "minimum": dict(NO_MINIMUM.options),
            "ties": [],
        }
        return {name: value for name, value in values.items() if value != defaults.get(name, 0)}

    @property
    def needed_fields(self) -> frozenset[str]:
        """The optional fields of PlayerEvening that these rules need, in addition to `deals`, `member` and `left`.

        The input may leave out the other fields.
        """
        names = set(WORTH_RULES[self.worth.name].needed_fields)
        names.update(name for tie in self.ties for name in TIE_BREAKS[tie].needed_fields)
        numbers = {"partners": self.partners, "rests": self.rests}
        return frozenset(names | {name for name, number in numbers.items() if number})


def _options_json(name_key: str, rule: RuleWithOptions, keys: Mapping[str, JsonKey]) -> dict[str, Any]:
    options = {name: _json_value(value) for name, value in rule.options if value != keys[name].default}
    return {name_key: rule.name, **options}


def _json_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _read_worth(value: object, field: str) -> RuleWithOptions:
    return fields.read_chosen(value, field, "by", {name: worth.keys for name, worth in WORTH_RULES.items()})


def _read_counts(value: object, field: str) -> tuple[RuleWithOptions, bool]:
    keys = {
        name: {**choice.keys, "final": JsonKey(fields.flag, False)} for name, choice in COUNTED_EVENINGS_RULES.items()
    }
    rule = fields.read_chosen(value, field, "which", keys)
    options = dict(rule.options)
    final = options.pop("final")
    return RuleWithOptions(rule.name, tuple(options.items())), final


def _read_minimum(value: object, field: str) -> RuleWithOptions:
    absent: Any = object()
    values = fields.read_object(
        value, field, {name: JsonKey(rule.parse, absent) for name, rule in MINIMUM_RULES.items()}
    )
    minimums = [(name, minimum) for name, minimum in values.items() if minimum is not absent]
    if len(minimums) > 1:
        raise IllegalDeal(
            fields.join_path(field, minimums[-1][0]), "two_minimums", {"allowed": ", ".join(MINIMUM_RULES)}
        )
    return RuleWithOptions(minimums[0][0], tuple(minimums)) if minimums else NO_MINIMUM


def _read_ties(value: object, field: str) -> tuple[str, ...]:
    ties = tuple(reading.word(name, field, tuple(TIE_BREAKS)) for name in reading.items(value, field))
    for name in ties:
        if ties.count(name) > 1:
            raise IllegalDeal(field, "repeated_key", {"given": quote(name)})
    return ties


_RULE_KEYS: Mapping[str, JsonKey] = {
    "worth": JsonKey(_read_worth, WORTH_BY_POINTS),
    "counts": JsonKey(_read_counts, (COUNT_ALL_EVENINGS, False)),
    "minimum": JsonKey(_read_minimum, NO_MINIMUM),
    "partners": JsonKey(fields.count, 0),
    "rests": JsonKey(fields.integer, 0),
    **{name: JsonKey(fields.count, 0) for name in EXTRAS},
    "ties": JsonKey(_read_ties, ()),
}
