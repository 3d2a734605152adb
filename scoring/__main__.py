"""`python -m scoring`: deals in, one JSON request a line; points in, one JSON answer a line, in order.

Standard library only. Knows the games by the registry alone, and what a request is; what a deal is, the games know.
It never stops at a bad line: that is answered with an error, on the field `request` when it is no request at all.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, BinaryIO

from scoring import json_lines, registry
from scoring.json_lines import Source, encode, written
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.score import Suspicion
from scoring.rules.words import Words, say
from scoring.rules.words import gettext_noop as _

WORDS: Words = {**json_lines.WORDS, "needed": _("%(given)s is needed.")}
NEEDED = ("game", "seats", "facts")
MORE = ("options", "earlier")
KEYS = frozenset({*NEEDED, *MORE})
MOST_TEXTS, LONGEST_TEXT = 20_000, 400  # kept in memory: a few megabytes
GAMES = tuple(registry.slugs())


def answer(line: bytes) -> bytes:
    """Return the answer to one line, a line of JSON in UTF-8: points, lines and warnings, or an error. Never raise."""
    words = WORDS
    try:
        request = _request(line)
        slug = request["game"]
        rules = registry.rules(slug)
        words = rules.words
        seats = rules.check_seats(request["seats"])
        house_rules, before = request.get("options"), request.get("earlier")
        if before is None and (house_rules is None or house_rules == {}):  # by far the usual case
            points, lines, warnings = rules.score(rules.read(seats, request["facts"]), *_usual(slug))
        else:
            options = rules.read_options(house_rules)
            deal = rules.read(seats, request["facts"])
            earlier = () if before is None else rules.read_earlier(seats, before)
            points, lines, warnings = rules.score(deal, options, *rules.carried(earlier, options))
            warnings = (*warnings, *rules.doubts(deal, options, earlier))
    except IllegalDeal as error:
        return written(encode({"error": _message(error, words)}))
    known = _told.get
    told = [
        known((slug, code, given, *params.values())) or _tell(slug, words, code, params, given)
        for code, params, _clause, given in lines
    ]
    doubts = encode([_message(warning, words) for warning in warnings]) if warnings else "[]"
    return written(f'{{"points": {list(points)}, "lines": [{", ".join(told)}], "warnings": {doubts}}}')


def _message(about: IllegalDeal | Suspicion, words: Words) -> dict[str, str]:
    return {"field": about.field, "message": say(words, about.code, about.params)}


@cache
def _usual(slug: str) -> tuple[Any, ...]:
    """Return what a deal is scored with when neither house rules nor earlier deals are given."""
    rules = registry.rules(slug)
    options = rules.read_options({})
    return (options, *rules.carried((), options))


# Lines as JSON, by game, code, points and parameters, and their reasons alone: a season's deals have few that differ.
_told: dict[tuple[object, ...], str] = {}
_reasons: dict[tuple[object, ...], str] = {}


def _tell(slug: str, words: Words, code: str, params: Mapping[str, Param], given: tuple[int, ...]) -> str:
    """Return a line in English, as JSON; keep it, but never more than some megabytes."""
    values = tuple(params.values())
    reason = _reasons.get((slug, code, *values))
    if reason is None:
        reason = _kept(_reasons, (slug, code, *values), encode(say(words, code, params)))
    # As encode would write it: Python writes a list of integers as JSON does.
    return _kept(_told, (slug, code, given, *values), f'{{"reason": {reason}, "points": {list(given)}}}')


def _kept(texts: dict[tuple[object, ...], str], key: tuple[object, ...], text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        if len(texts) >= MOST_TEXTS:
            texts.clear()
        texts[key] = text
    return text


def _request(line: bytes) -> dict[str, Any]:
    """Return a request of the right shape and a known game. Raises IllegalDeal on `request` for anything else."""
    request = json_lines.parse(line, _field)
    if type(request) is not dict:
        raise IllegalDeal("request", "not_an_object", {"given": reading.given(request)})
    if not request.keys() <= KEYS:
        unknown = next(key for key in request if key not in KEYS)
        allowed = ", ".join((*NEEDED, *MORE))
        raise IllegalDeal("request", "unknown_key", {"given": reading.given(unknown), "allowed": allowed})
    get = request.get
    for name in NEEDED:
        if get(name) is None:
            raise IllegalDeal("request", "needed", {"given": name})
    reading.word(get("game"), "request", GAMES)
    return request


def _field(path: tuple[str, ...]) -> str:
    """Return a path in the request as a field: facts' own names alone, others' after `options` or `earlier`."""
    if len(path) < 2 or path[0] not in ("facts", *MORE):
        return "request"
    if not all(part.isdecimal() or part.isidentifier() for part in path) or sum(map(len, path)) > reading.CUT:
        return path[0]
    return ".".join(path[1:] if path[0] == "facts" else path)


def run(source: Source, sink: BinaryIO) -> None:
    """Answer every line of `source`."""
    json_lines.run(answer, source, sink)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a command, and return its exit status."""
    return json_lines.command(answer, arguments, _usage)


def _usage(arguments: Sequence[str]) -> None:
    from scoring.usage import Parser

    Parser(answer).parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
