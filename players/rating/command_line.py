"""`python -m players.rating`: reads results and writes ratings, as JSON lines.

Reading is strict: no booleans as numbers, no unknown or repeated keys, whole numbers as JSON integers.
"""

import argparse
import datetime
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from players.rating.backtest import COIN, trials
from players.rating.k_factor import RULES
from players.rating.reference import Result, Side, periods, recompute
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Length
from scoring.rules.reading import given, items, whole
from scoring.rules.words import KERNEL, Words, gettext_noop, say

_ = gettext_noop

WORDS: Words = {
    **KERNEL,
    "not_json": _("This is not a line of JSON."),
    "repeated_key": _("This is given twice."),
    "unknown_game": _("%(given)s is no game; there are: %(allowed)s."),
    "not_a_date": _("%(given)s is not a date like 2026-10-02."),
    "not_a_name": _("%(given)s is not a player's name."),
    "too_few_sides": _("A table has at least 2 sides."),
    "no_players": _("A side has at least one player."),
    "too_many_players": _("A table has at most %(most)s players."),
    "twice_at_table": _("%(given)s is at this table twice."),
}

MAXIMUM: Final = 10**9  # of a total, a number of deals and the number of a round
MOST_PLAYERS: Final = 100  # at a table; keeps K within 64 bits (k_factor.club_stake)
LONGEST_NAME: Final = 200
KEYS: Final = frozenset({"game", "date", "round", "deals", "sides"})
SIDE_KEYS: Final = frozenset({"players", "total"})
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")  # UTF-8 can't encode it
DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Lengths = Mapping[str, Length]


class BadLine(ValueError):
    """A line that is not a valid result. `line` counts from 1; `field` is dotted: "sides.1.total"."""

    def __init__(self, line: int, field: str, problem: str) -> None:
        super().__init__(line, field, problem)
        self.line = line
        self.field = field
        self.problem = problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.field}: {self.problem}"


@dataclass(frozen=True, repr=False)
class _Pairs:
    """A JSON object with its keys as written, including repeated ones."""

    pairs: list[tuple[str, Any]]

    def __repr__(self) -> str:
        return repr(dict(self.pairs))


def read_results(lines: bytes, lengths: Lengths) -> dict[str, list[Result[str]]]:
    """Return the results of JSON lines by game. Raise BadLine for the first invalid line."""
    results: dict[str, list[Result[str]]] = {}
    for number, line in enumerate(lines.removesuffix(b"\n").split(b"\n") if lines else [], start=1):
        try:
            game, result = _result(line, lengths)
        except IllegalDeal as error:
            raise BadLine(number, error.field, say(WORDS, error.code, error.params)) from error
        results.setdefault(game, []).append(result)
    return results


def ratings(results: Mapping[str, Sequence[Result[str]]], lengths: Lengths) -> Iterator[str]:
    """Yield a line for each player with a rated table, by game, descending rating and player."""
    for game in sorted(results):
        state = recompute(results[game], lengths[game]).state
        for player, rating in sorted(state.ratings.items(), key=lambda pair: (-pair[1].micro, pair[0])):
            yield _object(
                game=json.dumps(game),
                player=_text(player),
                rating=_decimal(rating.micro, 6),
                tables=str(rating.tables),
                provisional=json.dumps(rating.provisional),
            )


def histories(results: Mapping[str, Sequence[Result[str]]], lengths: Lengths) -> Iterator[str]:
    """Yield a line per player and period with a rated table: the rating after it. By game, date, round, player."""
    for game in sorted(results):
        for period in periods(results[game], lengths[game]):
            for player, rating in sorted(period.changes.ratings.items()):
                yield _object(
                    game=json.dumps(game),
                    date=json.dumps(period.date.isoformat()),
                    round=str(period.round),
                    player=_text(player),
                    rating=_decimal(rating.micro, 6),
                    n=_decimal(rating.n, 3),
                    tables=str(rating.tables),
                    dates=str(rating.dates),
                    opponents=str(rating.opponents),
                    provisional=json.dumps(rating.provisional),
                )


def backtests(results: Mapping[str, Sequence[Result[str]]], lengths: Lengths) -> Iterator[str]:
    """Yield a line for each game and each of the rating rules: the quality of their predictions."""
    for game in sorted(results):
        for trial in trials(results[game], lengths[game]):
            yield _object(
                game=json.dumps(game),
                rules=json.dumps(trial.rules),
                tables=str(trial.tables),
                pairs=str(trial.pairs),
                log_loss=f"{trial.log_loss:.6f}",
                coin=f"{COIN:.6f}",
                better_by=f"{trial.better_by:z.2f}",
                verdict=json.dumps(trial.verdict),
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read results from standard input and write ratings. Return 2, and write nothing, if a line is invalid."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.backtest and options.rules:
        parser.error("argument --rules: not allowed with argument --backtest, which tries all of them")
    lengths = {slug: registry.rules(slug).length for slug in registry.slugs()}
    for game, rules in options.rules:
        lengths[game] = lengths[game]._replace(rules=rules)
    try:
        results = read_results(sys.stdin.buffer.read(), lengths)
    except BadLine as error:
        sys.stderr.write(f"{error}\n")
        return 2
    output = backtests if options.backtest else histories if options.history else ratings
    sys.stdout.buffer.write("".join(f"{line}\n" for line in output(results, lengths)).encode())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m players.rating",
        description="Rate results. Reads a JSON object a line from standard input, in any order, and writes one a "
        "line: for each player with a rated table in a game, the rating after the last result.",
        allow_abbrev=False,
        epilog='A result: {"game": "GAME", "date": "2026-10-02", "round": 1, "deals": 9, '
        '"sides": [{"players": ["anna"], "total": 25}, {"players": ["bob"], "total": 18}]}. '
        "A bad line is named with its field on standard error; the exit status is then 2 and nothing is written.",
    )
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        type=_rules,
        metavar="GAME=" + "|".join(RULES),
        help="rate a game by other rules than its own; may be given for several games",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--history", action="store_true", help="write what each player holds after each period instead"
    )
    instead.add_argument(
        "--backtest",
        action="store_true",
        help="write for each game and rating rules how well they predicted the results that came next, instead: "
        "log_loss is what a prediction cost on average, better_by how many percent less than by a coin's",
    )
    return parser


def _rules(argument: str) -> tuple[str, str]:
    game, _equals, rules = argument.partition("=")
    if game not in registry.slugs():
        raise argparse.ArgumentTypeError(f"{game!r} is no game; there are: {', '.join(registry.slugs())}")
    if rules not in RULES:
        raise argparse.ArgumentTypeError(f"{rules!r} is not one of: {', '.join(RULES)}")
    return game, rules


def _result(line: bytes, lengths: Lengths) -> tuple[str, Result[str]]:
    try:
        raw = json.loads(line.decode(), object_pairs_hook=_Pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:  # also not UTF-8, and numbers of thousands of digits
        raise IllegalDeal("line", "not_json") from error
    result = _keyed(raw, "line", KEYS - {"deals"}, KEYS)
    game = result["game"]
    if type(game) is not str or game not in lengths:
        raise IllegalDeal("game", "unknown_game", {"given": given(game), "allowed": ", ".join(lengths)})
    date = _date(result["date"])
    number = whole(result["round"], "round", 1, MAXIMUM)
    deals = result.get("deals")
    if deals is not None or lengths[game].measure == "deals":
        deals = whole(deals, "deals", 1, MAXIMUM)
    sides = tuple(_side(side, f"sides.{index}") for index, side in enumerate(items(result["sides"], "sides")))
    _check_table(sides)
    return game, Result(date, number, sides, deals)


def _side(raw: object, field: str) -> Side[str]:
    side = _keyed(raw, field, SIDE_KEYS, SIDE_KEYS)
    names = items(side["players"], f"{field}.players")
    if not names:
        raise IllegalDeal(f"{field}.players", "no_players")
    players = tuple(_name(name, f"{field}.players.{index}") for index, name in enumerate(names))
    return Side(players, whole(side["total"], f"{field}.total", -MAXIMUM, MAXIMUM))


def _check_table(sides: Sequence[Side[str]]) -> None:
    if len(sides) < 2:
        raise IllegalDeal("sides", "too_few_sides")
    if sum(len(side.players) for side in sides) > MOST_PLAYERS:
        raise IllegalDeal("sides", "too_many_players", {"most": MOST_PLAYERS})
    players: set[str] = set()
    for index, side in enumerate(sides):
        for member, player in enumerate(side.players):
            if player in players:
                raise IllegalDeal(f"sides.{index}.players.{member}", "twice_at_table", {"given": given(player)})
            players.add(player)


def _name(value: object, field: str) -> str:
    if type(value) is not str or not value.strip() or len(value) > LONGEST_NAME or LONE_SURROGATE.search(value):
        raise IllegalDeal(field, "not_a_name", {"given": given(value)})
    return value


def _date(value: object) -> datetime.date:
    if type(value) is str and DATE.fullmatch(value):  # fromisoformat also accepts weeks and 20261002
        try:
            return datetime.date.fromisoformat(value)
        except ValueError:
            pass
    raise IllegalDeal("date", "not_a_date", {"given": given(value)})


def _keyed(value: object, field: str, required: frozenset[str], allowed: frozenset[str]) -> Mapping[str, Any]:
    """Return the object's values by key. Raise IllegalDeal for missing, unknown and repeated keys."""
    if not isinstance(value, _Pairs):
        raise IllegalDeal(field, "not_an_object", {"given": given(value)})
    prefix = "" if field == "line" else f"{field}."
    result: dict[str, Any] = {}
    for key, member in value.pairs:
        if key not in allowed:
            raise IllegalDeal(field, "unknown_key", {"given": given(key), "allowed": ", ".join(sorted(allowed))})
        if key in result:
            raise IllegalDeal(f"{prefix}{key}", "repeated_key")
        result[key] = member
    for key in sorted(required - result.keys()):
        raise IllegalDeal(f"{prefix}{key}", "missing")
    return result


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _object(**values: str) -> str:
    """Return a JSON object. `values` are JSON texts, so that decimals never pass through floats."""
    return "{" + ", ".join(f'"{name}": {value}' for name, value in values.items()) + "}"


def _decimal(value: int, places: int) -> str:
    whole_part, rest = divmod(abs(value), 10**places)
    return f"{'-' if value < 0 else ''}{whole_part}.{rest:0{places}}"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
