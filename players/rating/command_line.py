"""The command `python -m players.rating`: reads results as JSON lines, and writes ratings as JSON lines.

Only this module gets the lengths of games from the registry. The input is strict: a boolean is no number, each key must
be known and occur once, whole numbers must be JSON integers.
"""

import argparse
import datetime
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from players.rating.backtest import LOG_LOSS_OF_CHANCE, backtest_rules
from players.rating.k_factor import RULES
from players.rating.reference import PlayerRating, Result, Side, periods, rate_results
from scoring import json_lines, registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import TableLength
from scoring.rules.reading import integer, items, quote
from scoring.rules.words import COMMON_WORDS, Words, format_message, gettext_noop

_ = gettext_noop

WORDS: Words = {
    **COMMON_WORDS,
    **dict.fromkeys(json_lines.WORDS, _("This is not a line of JSON.")),
    "repeated_key": _("This is given twice."),
    "unknown_game": _("%(given)s is no game; there are: %(allowed)s."),
    "not_a_date": _("%(given)s is not a date like 2026-10-02."),
    "not_a_name": _("%(given)s is not a player's name."),
    "too_few_sides": _("A table has at least 2 sides."),
    "no_players": _("A side has at least one player."),
    "too_many_players": _("A table has at most %(most)s players."),
    "twice_at_table": _("%(given)s is at this table twice."),
}

MAX_NUMBER: Final = 10**9  # limit of totals, numbers of deals and round numbers
MAX_PLAYERS: Final = 100  # at a table; keeps K within 64 bits (k_factor.club_stake)
MAX_PLAYER_NAME_LENGTH: Final = 200
RESULT_KEYS: Final = frozenset({"game", "date", "round", "deals", "sides"})
SIDE_KEYS: Final = frozenset({"players", "total"})
SURROGATE_PATTERN: Final = re.compile("[\ud800-\udfff]")
DATE_PATTERN: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

TableLengths = Mapping[str, TableLength]  # by the game's slug


class InvalidLine(ValueError):
    """A line of input is not a valid result. `line` counts from 1; `field` is a path with dots: "sides.1.total"."""

    def __init__(self, line: int, field: str, problem: str) -> None:
        super().__init__(line, field, problem)
        self.line = line
        self.field = field
        self.problem = problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.field}: {self.problem}"


def read_results(lines: bytes, lengths: TableLengths) -> dict[str, list[Result[str]]]:
    """Return the results by game, from JSON lines. Raise InvalidLine for the first line that is not a valid result."""
    results: dict[str, list[Result[str]]] = {}
    for number, line in enumerate(lines.removesuffix(b"\n").split(b"\n") if lines else [], start=1):
        try:
            game, result = _parse_result(line, lengths)
        except IllegalDeal as error:
            raise InvalidLine(number, error.field, format_message(WORDS, error.code, error.params)) from error
        results.setdefault(game, []).append(result)
    return results


def rating_lines(results: Mapping[str, Sequence[Result[str]]], lengths: TableLengths) -> Iterator[str]:
    for game in sorted(results):
        final_ratings = rate_results(results[game], lengths[game]).state.ratings
        for player in sorted(final_ratings, key=lambda player: (-final_ratings[player].micro, player)):
            yield _write_object(
                game=json.dumps(game),
                player=_json_text(player),
                rating=_decimal(final_ratings[player].micro, 6),
                tables=str(final_ratings[player].tables),
                provisional=json.dumps(final_ratings[player].provisional),
            )


def history_lines(results: Mapping[str, Sequence[Result[str]]], lengths: TableLengths) -> Iterator[str]:
    for game in sorted(results):
        for period in periods(results[game], lengths[game]):
            for player, rating in sorted(period.changes.ratings.items()):
                yield _write_object(
                    game=json.dumps(game),
                    date=json.dumps(period.date.isoformat()),
                    round=str(period.round),
                    player=_json_text(player),
                    **_rating_fields(rating),
                )


def backtest_lines(results: Mapping[str, Sequence[Result[str]]], lengths: TableLengths) -> Iterator[str]:
    for game in sorted(results):
        for trial in backtest_rules(results[game], lengths[game]):
            yield _write_object(
                game=json.dumps(game),
                rules=json.dumps(trial.rules),
                tables=str(trial.tables),
                pairs=str(trial.pairs),
                log_loss=f"{trial.log_loss:.6f}",
                coin=f"{LOG_LOSS_OF_CHANCE:.6f}",
                better_by=f"{trial.better_by:z.2f}",
                verdict=json.dumps(trial.verdict),
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Rate the results in standard input, and print ratings, histories or back-tests as JSON lines.

    Return the exit status: 0, or 2 without output if a line is wrong.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.backtest and options.rules:
        parser.error("argument --rules: not allowed with argument --backtest, which tries all of them")
    lengths = {slug: registry.rules(slug).length for slug in registry.slugs()}
    for game, rules in options.rules:
        lengths[game] = lengths[game]._replace(rating_equation=rules)
    try:
        results = read_results(sys.stdin.buffer.read(), lengths)
    except InvalidLine as error:
        sys.stderr.write(f"{error}\n")
        return 2
    make_lines = backtest_lines if options.backtest else history_lines if options.history else rating_lines
    sys.stdout.buffer.write("".join(f"{line}\n" for line in make_lines(results, lengths)).encode())
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
        type=_parse_rules,
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


def _parse_rules(argument: str) -> tuple[str, str]:
    game, _equals, rules = argument.partition("=")
    if game not in registry.slugs():
        raise argparse.ArgumentTypeError(f"{game!r} is no game; there are: {', '.join(registry.slugs())}")
    if rules not in RULES:
        raise argparse.ArgumentTypeError(f"{rules!r} is not one of: {', '.join(RULES)}")
    return game, rules


def _parse_result(line: bytes, lengths: TableLengths) -> tuple[str, Result[str]]:
    raw = json_lines.parse(line, lambda path: ".".join(path) or "line")
    result = _read_object(raw, "line", RESULT_KEYS - {"deals"}, RESULT_KEYS)
    game = result["game"]
    if type(game) is not str or game not in lengths:
        raise IllegalDeal("game", "unknown_game", {"given": quote(game), "allowed": ", ".join(lengths)})
    date = _parse_date(result["date"])
    number = integer(result["round"], "round", 1, MAX_NUMBER)
    deals = result.get("deals")
    if deals is not None or lengths[game].length_unit == "deals":
        deals = integer(deals, "deals", 1, MAX_NUMBER)
    sides = tuple(_parse_side(side, f"sides.{index}") for index, side in enumerate(items(result["sides"], "sides")))
    _check_table(sides)
    return game, Result(date, number, sides, deals)


def _parse_side(raw: object, field: str) -> Side[str]:
    side = _read_object(raw, field, SIDE_KEYS, SIDE_KEYS)
    names = items(side["players"], f"{field}.players")
    if not names:
        raise IllegalDeal(f"{field}.players", "no_players")
    players = tuple(_parse_name(name, f"{field}.players.{index}") for index, name in enumerate(names))
    return Side(players, integer(side["total"], f"{field}.total", -MAX_NUMBER, MAX_NUMBER))


def _check_table(sides: Sequence[Side[str]]) -> None:
    if len(sides) < 2:
        raise IllegalDeal("sides", "too_few_sides")
    if sum(len(side.players) for side in sides) > MAX_PLAYERS:
        raise IllegalDeal("sides", "too_many_players", {"most": MAX_PLAYERS})
    earlier_players: set[str] = set()
    for index, side in enumerate(sides):
        for member, player in enumerate(side.players):
            if player in earlier_players:
                raise IllegalDeal(f"sides.{index}.players.{member}", "twice_at_table", {"given": quote(player)})
            earlier_players.add(player)


def _parse_name(value: object, field: str) -> str:
    """Return a player's name. Raise IllegalDeal for blank or long text, and for text that UTF-8 can't encode (a lone
    surrogate).
    """
    if (
        type(value) is not str
        or not value.strip()
        or len(value) > MAX_PLAYER_NAME_LENGTH
        or SURROGATE_PATTERN.search(value)
    ):
        raise IllegalDeal(field, "not_a_name", {"given": quote(value)})
    return value


def _parse_date(value: object) -> datetime.date:
    if type(value) is str and DATE_PATTERN.fullmatch(value):  # fromisoformat alone takes weeks and 20261002 too
        try:
            return datetime.date.fromisoformat(value)
        except ValueError:
            pass
    raise IllegalDeal("date", "not_a_date", {"given": quote(value)})


def _read_object(value: object, field: str, required: frozenset[str], allowed: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise IllegalDeal(field, "not_an_object", {"given": quote(value)})
    for key in value:
        if key not in allowed:
            raise IllegalDeal(field, "unknown_key", {"given": quote(key), "allowed": ", ".join(sorted(allowed))})
    prefix = "" if field == "line" else f"{field}."
    for key in sorted(required - value.keys()):
        raise IllegalDeal(f"{prefix}{key}", "missing")
    return value


def _rating_fields(rating: PlayerRating) -> dict[str, str]:
    return {
        "rating": _decimal(rating.micro, 6),
        "n": _decimal(rating.experience, 3),
        "tables": str(rating.tables),
        "dates": str(rating.dates),
        "opponents": str(rating.opponents),
        "provisional": json.dumps(rating.provisional),
    }


def _write_object(**values: str) -> str:
    """Return a JSON object as text. The values are JSON texts already: numbers are written digit by digit, without
    floats.
    """
    return "{" + ", ".join(f'"{name}": {value}' for name, value in values.items()) + "}"


def _decimal(value: int, decimals: int) -> str:
    whole_part, rest = divmod(abs(value), 10**decimals)
    return f"{'-' if value < 0 else ''}{whole_part}.{rest:0{decimals}}"


def _json_text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
