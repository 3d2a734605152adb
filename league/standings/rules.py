"""A season's standings rules: read from JSON, frozen, and refused on their field."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from league.standings import fields
from league.standings.choice import CHOICES
from league.standings.extras import EXTRAS
from league.standings.fields import Chosen, Key
from league.standings.minimum import MINIMUMS, NONE
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTHS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import quote

POINTS = Chosen("points")
ALL = Chosen("all")


@dataclass(frozen=True)
class StandingsRules:
    """What an evening is worth, which count, who is ranked, what comes on top, and what decides between equals.

    `final` says that the season's final always counts, `partners` how many different ones somebody needs to be ranked,
    `rests` how many points a round gives that was sat out.
    """

    worth: Chosen = POINTS
    counts: Chosen = ALL
    final: bool = False
    minimum: Chosen = NONE
    partners: int = 0
    rests: int = 0
    extras: tuple[tuple[str, int], ...] = tuple((name, 0) for name in EXTRAS)
    ties: tuple[str, ...] = ()

    @property
    def reads(self) -> frozenset[str]:
        """What these rules read of a PlayerEvening, as `Worth.reads`: nothing else has to be filled in."""
        names = {*WORTHS[self.worth.name].reads, *(name for tie in self.ties for name in TIE_BREAKS[tie].reads)}
        said = {"partners": self.partners, "rests": self.rests}
        return frozenset(names | {name for name, number in said.items() if number})


def read_rules(value: object, field: str = "rules", unknown: Collection[str] = ()) -> StandingsRules:
    """Return the rules that a season was told, {} for all points of all evenings. Raises IllegalDeal.

    Keys that are `unknown` here are refused.
    """
    read = fields.keyed(value, field, {name: key for name, key in _KEYS.items() if name not in unknown})
    counts, final = read.pop("counts")
    extras = tuple((name, read.pop(name)) for name in EXTRAS)
    return StandingsRules(counts=counts, final=final, extras=extras, **read)


def written_rules(rules: StandingsRules) -> dict[str, Any]:
    """Return the JSON that `read_rules` reads as these rules; what is as usual is left out."""
    final = {"final": True} if rules.final else {}
    written: dict[str, Any] = {
        "worth": _written("by", rules.worth, WORTHS[rules.worth.name].keys),
        "counts": _written("which", rules.counts, CHOICES[rules.counts.name].keys) | final,
        "minimum": {name: _plain(said) for name, said in rules.minimum.options},
        "partners": rules.partners,
        "rests": rules.rests,
        **dict(rules.extras),
        "ties": list(rules.ties),
    }
    usual = {"worth": {"by": POINTS.name}, "counts": {"which": ALL.name}, "minimum": dict(NONE.options), "ties": []}
    return {name: value for name, value in written.items() if value != usual.get(name, 0)}


def _written(by: str, chosen: Chosen, keys: Mapping[str, Key]) -> dict[str, Any]:
    said = {name: _plain(value) for name, value in chosen.options if value != keys[name].default}
    return {by: chosen.name, **said}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _worth(value: object, field: str) -> Chosen:
    return fields.chosen(value, field, "by", {name: worth.keys for name, worth in WORTHS.items()})


def _counts(value: object, field: str) -> tuple[Chosen, bool]:
    keys = {name: {**choice.keys, "final": Key(fields.flag, False)} for name, choice in CHOICES.items()}
    chosen = fields.chosen(value, field, "which", keys)
    options = dict(chosen.options)
    final = options.pop("final")
    return Chosen(chosen.name, tuple(options.items())), final


def _minimum(value: object, field: str) -> Chosen:
    absent: Any = object()
    read = fields.keyed(value, field, {name: Key(each.read, absent) for name, each in MINIMUMS.items()})
    said = [(name, minimum) for name, minimum in read.items() if minimum is not absent]
    if len(said) > 1:
        raise IllegalDeal(fields.inside(field, said[-1][0]), "two_minimums", {"allowed": ", ".join(MINIMUMS)})
    return Chosen(said[0][0], tuple(said)) if said else NONE


def _ties(value: object, field: str) -> tuple[str, ...]:
    ties = tuple(reading.word(each, field, tuple(TIE_BREAKS)) for each in reading.items(value, field))
    for name in ties:
        if ties.count(name) > 1:
            raise IllegalDeal(field, "repeated_key", {"given": quote(name)})
    return ties


_KEYS: Mapping[str, Key] = {
    "worth": Key(_worth, POINTS),
    "counts": Key(_counts, (ALL, False)),
    "minimum": Key(_minimum, NONE),
    "partners": Key(fields.count, 0),
    "rests": Key(fields.integer, 0),
    **{name: Key(fields.count, 0) for name in EXTRAS},
    "ties": Key(_ties, ()),
}
