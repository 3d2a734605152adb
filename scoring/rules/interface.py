"""What the rules of a game provide: the value RULES of `scoring.games.<folder>.rules`.

Pure, as the rules themselves are. What the pages need besides is in scoring/game.py; docs/adding-a-game.md walks
through both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import HouseRule
from scoring.rules.score import EngineScore, Suspicion
from scoring.rules.words import Words

Sides = tuple[tuple[int, ...], ...]


class Length(NamedTuple):
    """When a table is long enough to be rated.

    A table shorter than `least` isn't rated. From `least` on it moves ratings a little, from `middle` on more, and from
    `full` on as much as a table can.
    """

    measure: str  # "deals": the number of deals; "top": the highest total
    least: int
    middle: int
    full: int
    rules: str = "club"  # the rating equation that the game begins with: "club" or "published"


class Seats(NamedTuple):
    """How many may play: `Seats(3, 6)`; `most` is None where there is no limit."""

    least: int
    most: int | None

    def __str__(self) -> str:
        if self.most is None:
            return f"{self.least} or more"
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class NoOptions(NamedTuple):
    """The options of a game without house rules."""


def each_alone(seats: int) -> Sides:
    """Return the sides of a table where everyone plays alone: ((0,), (1,), …)."""
    return tuple((seat,) for seat in range(seats))


def any_totals(totals: Sequence[int], deals: int) -> None:
    """Accept any totals: nothing ties one player's to another's."""


def no_formula(deal: Any, options: Any, seat: int, carried: Any = None) -> str:
    """Return "": the lines say it all."""
    return ""


def always(options: Any) -> bool:
    """Return True: deals hand something on whatever the house rules."""
    return True


def nothing_held(deals: Sequence[Any], options: Any) -> int:
    """Return 0: deals leave no points to the winner of the next one."""
    return 0


def no_doubts(deal: Any, options: Any, earlier: Sequence[Any]) -> tuple[Suspicion, ...]:
    """Return no doubts."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A game's rules: a value made of its functions, of which it gives those that it needs.

    `deal` and `options` are the game's own frozen values; `earlier` are the table's deals before this one, as `read`
    returned them. A game whose players may rest can't look at those: its seats change from deal to deal.
    """

    seats: Seats
    length: Length
    words: Words  # the English of every code that the functions return or raise
    read: Callable[[int, object], Any]  # (seats, facts) -> deal; IllegalDeal on the field as RULES.md spells it
    score: Callable[..., EngineScore]  # (deal, options) -> points, lines and doubts
    roles: Callable[[Any], tuple[str, ...]]  # deal -> what each seat was in it, as codes of `words`
    # (deal, options, seat) -> the seat's points as the documents write them: ((25 + 19 + 10) × 2 + 30) × 3 = 414; ""
    # where the lines say it all
    formula: Callable[..., str] = no_formula
    sides: Callable[[int], Sides] = each_alone  # seats -> who is placed together at a table: ((0, 2), (1, 3))
    # (totals by seat, deals played, 1 or more) -> None if they are possible; IllegalDeal on "totals" or "totals.SEAT"
    check_totals: Callable[[Sequence[int], int], None] = any_totals
    never_negative: bool = False  # whether no deal gives a seat less than 0 points
    options: Callable[..., Any] = NoOptions  # makes the options' value out of a value for each of the house rules
    house_rules: tuple[HouseRule, ...] = ()
    # (deal, options, earlier) -> what is doubtful because of the earlier deals: a warning, not a refusal
    doubts: Callable[[Any, Any, Sequence[Any]], Sequence[Suspicion]] = no_doubts
    # (earlier, options) -> what the earlier deals hand on to this one: `score` and `formula` take it as last argument
    carry: Callable[[Sequence[Any], Any], Any] | None = None
    hands_on: Callable[[Any], bool] = always  # options -> whether `carry` has anything to say by these house rules
    # (deals, options) -> the points that a table's deals so far leave to each winner of its next one
    held: Callable[[Sequence[Any], Any], int] = nothing_held

    def carries(self, options: Any) -> bool:
        """Return whether by these house rules a deal may give something else after other deals."""
        return self.carry is not None and self.hands_on(options)

    def holds_points(self, options: Any) -> bool:
        """Return whether these house rules let a deal leave points to the winner of the next one."""
        return self.held is not nothing_held and self.carries(options)

    def looks_back(self, options: Any) -> bool:
        """Return whether by these house rules a deal means something else after other deals."""
        return self.carries(options) or self.doubts is not no_doubts

    def check_seats(self, seats: object) -> int:
        """Return the number of seats. Raises IllegalDeal on "seats"."""
        least, most = self.seats
        if type(seats) is not int or seats < least or (most is not None and seats > most):
            raise IllegalDeal("seats", "wrong_seats", {"given": reading.given(seats), "allowed": str(self.seats)})
        return seats

    def read_options(self, raw: object) -> Any:
        """Return the options for house rules from JSON; {} gives the defaults. Raises IllegalDeal on "options.NAME"."""
        known: Mapping[str, object] = {}
        if raw is not None:
            try:
                known = reading.keyed(raw, "options", frozenset(), frozenset(rule.name for rule in self.house_rules))
            except IllegalDeal as illegal:
                if self.house_rules or illegal.code != "unknown_key":
                    raise
                raise IllegalDeal(illegal.field, "no_house_rules", {"given": illegal.params["given"]}) from None
        return self.options(**{rule.name: rule.read(known) for rule in self.house_rules})

    def read_earlier(self, seats: int, raw: object) -> tuple[Any, ...]:
        """Return the deals of a list of facts. Raises IllegalDeal on "earlier" or "earlier.INDEX.FIELD"."""
        each = enumerate(reading.items(raw, "earlier"))
        return tuple(self._read_earlier(seats, index, facts) for index, facts in each)

    def _read_earlier(self, seats: int, index: int, facts: object) -> Any:
        try:
            return self.read(seats, facts)
        except IllegalDeal as illegal:
            field = f"earlier.{index}" if illegal.field == "facts" else f"earlier.{index}.{illegal.field}"
            raise IllegalDeal(field, illegal.code, illegal.params) from None

    def carried(self, earlier: Sequence[Any], options: Any) -> tuple[Any, ...]:
        """Return what `score` and `formula` take besides: nothing, or what the earlier deals hand on."""
        return () if self.carry is None else (self.carry(earlier, options),)
