"""The interface of a game's rules: each game has a value RULES in its module `scoring.games.<folder>.rules`. No Django.

scoring/game.py has the interface of a game for pages; docs/adding-a-game.md explains both.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import HouseRule, Preset
from scoring.rules.score import DealWarning, EngineScore, Line
from scoring.rules.words import Words

Sides = tuple[tuple[int, ...], ...]


class TableLength(NamedTuple):
    """The limits of a table's length that decide its weight in ratings. The length is the table's number of deals, or
    its highest total.

    A table shorter than `minimum` is not rated. The weight is 0.5 from `minimum` on, 0.7 from `middle` on, and 1 from
    `full` on.
    """

    length_unit: str  # "deals": the number of deals; "top": the highest total
    minimum: int
    middle: int
    full: int
    rating_equation: str = "club"  # the default rating equation: "club" or "published"


class Seats(NamedTuple):
    """The smallest and largest number of players of a game: `Seats(3, 6)`. `maximum` is None without a limit."""

    minimum: int
    maximum: int | None

    def __str__(self) -> str:
        if self.maximum is None:
            return f"{self.minimum} or more"
        return f"{self.minimum}" if self.minimum == self.maximum else f"{self.minimum} to {self.maximum}"


class NoOptions(NamedTuple):
    """The options of a game that has no house rules."""


class ScoredDeal(NamedTuple):
    """The result of reading and scoring a deal.

    `deal` is the object that the game's rules read from the recorded facts. `points` are by seat; `lines` explain them.
    `warnings` include warnings that depend on earlier deals. `roles` has the role of each seat, such as "taker", a key
    of the game's words. `last`: the deal was scored as the last deal of its table.
    """

    deal: Any
    points: tuple[int, ...]
    lines: tuple[Line, ...]
    warnings: tuple[DealWarning, ...]
    roles: tuple[str, ...]
    last: bool = False


# The defaults of the functions below, for games that do not need them.


def one_seat_per_side(seats: int, options: Any) -> Sides:
    return tuple((seat,) for seat in range(seats))


def accept_any_totals(totals: Sequence[int], deals: int, options: Any) -> None:
    pass


def no_formula(deal: Any, options: Any, seat: int, carried: Any = None) -> str:
    return ""


def true_for_all_options(options: Any) -> bool:
    return True


def no_held_points(deals: Sequence[Any], options: Any) -> int:
    return 0


def never_dealt_again(deal: Any, options: Any) -> bool:
    return False


def no_warnings_from_earlier(deal: Any, options: Any, earlier: Sequence[Any]) -> tuple[DealWarning, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A game's rules: its functions and constants.

    `deal` and `options` are frozen values of the game; `earlier` are the table's previous deals, in order, as `read`
    returned them. A game with resting players can't use `earlier`, because its seats change from deal to deal.

    Code outside `scoring` calls `play`, never `read` or `score`.
    """

    seats: Seats
    length: TableLength
    words: Words  # the English text of every code that the functions return or raise
    read: Callable[[int, object], Any]  # (seats, facts) -> deal; raises IllegalDeal with a field of RULES.md
    score: Callable[..., EngineScore]  # (deal, options[, carried][, last=]) -> points, lines and warnings
    roles: Callable[[Any], tuple[str, ...]]  # deal -> each seat's role, as a code of `words`; at most 16 characters
    # (deal, options, seat[, carried][, last=]) -> the computation of the seat's points in the documents' notation:
    # ((25 + 19 + 10) × 2 + 30) × 3 = 414, or 6 = 6; "" only for 0 points, or for all seats in a game without formulas
    formula: Callable[..., str] = no_formula
    # (seats, options) -> the seats that are ranked together: ((0, 2), (1, 3))
    sides: Callable[[int, Any], Sides] = one_seat_per_side
    # (totals by seat, deals played, 1 or more, options) -> None if they are possible; IllegalDeal on "totals" or
    # "totals.SEAT"
    check_totals: Callable[[Sequence[int], int, Any], None] = accept_any_totals
    never_negative: bool = False  # no deal gives a seat less than 0 points
    options: Callable[..., Any] = NoOptions  # creates the options; takes a value for each house rule, by name
    house_rules: tuple[HouseRule, ...] = ()
    presets: tuple[Preset, ...] = ()  # usual house rules
    # (deal, options, earlier) -> warnings that follow from the earlier deals
    warnings_from_earlier: Callable[[Any, Any, Sequence[Any]], Sequence[DealWarning]] = no_warnings_from_earlier
    # (earlier, options) -> a value that `score` and `formula` take as third argument, such as points in dispute
    carry: Callable[[Sequence[Any], Any], Any] | None = None
    # options -> whether `carry` has an effect under these house rules
    carry_has_effect: Callable[[Any], bool] = true_for_all_options
    # (deals, options[, last=]) -> the points that each winner of the next deal gets from the table's deals so far
    held_points: Callable[..., int] = no_held_points
    # `score`, `formula` and `held_points` take last=True if the deal is the last of its table
    scores_last_deal: bool = False
    # options -> whether `last` may change points or lines
    last_flag_has_effect: Callable[[Any], bool] = true_for_all_options
    # (deal, options) -> whether the deal gives no points, for example if everyone passed; a season may deal it again
    may_be_dealt_again: Callable[[Any, Any], bool] = never_dealt_again

    def uses_earlier_points(self, options: Any) -> bool:
        """Return whether, under these house rules, earlier deals may change the points of a deal through `carry`."""
        return self.carry is not None and self.carry_has_effect(options)

    def depends_on_last_deal(self, options: Any) -> bool:
        """Return whether, under these house rules, a deal may give other points or lines (reasons for points) if it is
        the table's last deal.
        """
        return self.scores_last_deal and self.last_flag_has_effect(options)

    @property
    def has_passed_deals(self) -> bool:
        """Whether the game can have deals without points that a season may deal again."""
        return self.may_be_dealt_again is not never_dealt_again

    def holds_points(self, options: Any) -> bool:
        """Return whether, under these house rules, the winners of the next deal may get points from earlier deals."""
        return self.held_points is not no_held_points and self.uses_earlier_points(options)

    def needs_earlier(self, options: Any) -> bool:
        """Return whether, under these house rules, the points or warnings of a deal may depend on the table's earlier
        deals.
        """
        return self.uses_earlier_points(options) or self.warnings_from_earlier is not no_warnings_from_earlier

    def play(
        self, seats: object, facts: object, options: Any, earlier: Sequence[Any] = (), last: bool = False
    ) -> ScoredDeal:
        """Read and score a deal. Raise IllegalDeal if the rules do not allow the number of seats or the facts.

        `facts` is JSON of what happened at the table; `options` comes from `read_options`. `earlier` has the `deal` of
        each previous deal of the table (from `read_earlier` or a ScoredDeal); it may be empty if `needs_earlier` is
        false. `last` is true for the table's last deal.
        """
        deal = self.read(self.check_seats(seats), facts)
        arguments = (deal, options) if self.carry is None else (deal, options, self.carry(earlier, options))
        score = self.score(*arguments, **self.last_deal_kwargs(last)) if last else self.score(*arguments)
        warnings = score.warnings
        if self.warnings_from_earlier is not no_warnings_from_earlier:
            warnings = (*warnings, *self.warnings_from_earlier(deal, options, earlier))
        return ScoredDeal(deal, score.points, score.lines, warnings, self.roles(deal), last)

    def play_table(
        self,
        deals: Iterable[tuple[int, object]],
        options: Any,
        earlier: Sequence[Any] = (),
        *,
        remaining: int | None = None,
        count_passed: bool = True,
    ) -> Iterator[ScoredDeal | IllegalDeal]:
        """Yield the results of the deals of a table, in order. `deals` are pairs: number of players, facts.

        The deal with the number `remaining` (from 1) is the table's last deal; None: no deal is the last. If
        `count_passed` is false, deals that are dealt again do not count for this number. For a deal that can't be read,
        and for later deals whose result may depend on it, the function yields an IllegalDeal.
        """
        needs_earlier = self.needs_earlier(options)
        previous = list(earlier)
        refusal: IllegalDeal | None = None  # the error of an earlier deal
        deal_count = 0
        for index, (seats, facts) in enumerate(deals, len(previous)):
            if refusal is not None:
                yield refusal
                continue
            try:
                played = self.play(seats, facts, options, previous, deal_count + 1 == remaining)
            except IllegalDeal as illegal:
                yield illegal
                deal_count += 1
                if needs_earlier:
                    refusal = _error_in_earlier_deal(index, illegal)
            else:
                yield played
                deal_count += count_passed or not self.may_be_dealt_again(played.deal, options)
                if needs_earlier:
                    previous.append(played.deal)

    def check_seats(self, seats: object) -> int:
        minimum, maximum = self.seats
        if type(seats) is not int or seats < minimum or (maximum is not None and seats > maximum):
            raise IllegalDeal("seats", "wrong_seats", {"given": reading.quote(seats), "allowed": str(self.seats)})
        return seats

    def read_options(self, raw: object) -> Any:
        """Return the options for house rules (JSON); {} gives the defaults. Raise IllegalDeal with the field
        "options" or "options.NAME".
        """
        house_rules: Mapping[str, object] = {}
        if raw is not None:
            names = frozenset(rule.name for rule in self.house_rules)
            try:
                house_rules = reading.checked_object(raw, "options", frozenset(), names)
            except IllegalDeal as illegal:
                if self.house_rules or illegal.code != "unknown_key":
                    raise
                raise IllegalDeal(illegal.field, "no_house_rules", {"given": illegal.params["given"]}) from None
        return self.options(**{rule.name: rule.read(house_rules) for rule in self.house_rules})

    def preset_of(self, options: Any) -> Preset | None:
        """Return the preset whose house rules are exactly these options, or None."""
        return next((preset for preset in self.presets if self.read_options(preset.options) == options), None)

    def read_earlier(self, seats: int, raw: object) -> tuple[Any, ...]:
        """Return the table's earlier deals from their facts. Raise IllegalDeal with the field "earlier" or
        "earlier.INDEX.FIELD".
        """
        deals = []
        for index, facts in enumerate(reading.items(raw, "earlier")):
            try:
                deals.append(self.read(seats, facts))
            except IllegalDeal as illegal:
                raise _error_in_earlier_deal(index, illegal) from None
        return tuple(deals)

    def last_deal_kwargs(self, last: bool) -> dict[str, bool]:
        """Return the keyword argument `last` for `score` and `formula`: empty unless this is the last deal and the game
        uses it.
        """
        return {"last": True} if last and self.scores_last_deal else {}

    def carry_arguments(self, earlier: Sequence[Any], options: Any) -> tuple[Any, ...]:
        """Return the extra positional arguments for `score` and `formula`: the value of `carry`, or none if the game
        has no `carry`.
        """
        return () if self.carry is None else (self.carry(earlier, options),)


def _error_in_earlier_deal(index: int, illegal: IllegalDeal) -> IllegalDeal:
    field = f"earlier.{index}" if illegal.field == "facts" else f"earlier.{index}.{illegal.field}"
    return IllegalDeal(field, illegal.code, illegal.params)
