"""The command `python -m scoring`. It reads one JSON request per line: a deal, its game and its house rules. It writes
one JSON answer per line, in the same order: the points of each seat, the reasons for them, and warnings.

It needs only the standard library. A wrong line does not stop the command: its answer has an `error`. The error's
`field` is "request" if the line is not a valid request.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, BinaryIO

from scoring import json_lines, registry
from scoring.json_lines import Source, encode
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.score import DealWarning
from scoring.rules.words import Words, format_message
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    **json_lines.WORDS,
    "needed": _("%(given)s is needed."),
    "by_totals": _("Deals of a game by totals are not scored: only the totals of a table are entered."),
}
REQUIRED_KEYS = ("game", "seats", "facts")
OPTIONAL_KEYS = ("options", "earlier", "last")
REQUEST_KEYS = frozenset({*REQUIRED_KEYS, *OPTIONAL_KEYS})
# Limits of each cache: number of texts, length of a text. Together a few megabytes.
MAX_CACHED_TEXTS, MAX_CACHED_LENGTH = 20_000, 400
GAMES = tuple(registry.slugs())


def answer(line: bytes) -> bytes:
    """Return the answer to one line of input, as a line of JSON. Never raise: the answer to a wrong request is an
    error.
    """
    words = WORDS
    try:
        request = _parse_request(line)
        slug = request["game"]
        rules = registry.rules(slug)
        words = rules.words
        house_rules, earlier = request.get("options"), request.get("earlier")
        seats = rules.check_seats(request["seats"])
        options = _default_options(slug) if house_rules in (None, {}) else rules.read_options(house_rules)
        previous = () if earlier is None else rules.read_earlier(seats, earlier)
        played = rules.play(seats, request["facts"], options, previous, request.get("last") is True)
    except IllegalDeal as error:
        return json_lines.encode_line(encode({"error": _message_json(error, words)}))
    cached = _json_of_lines.get
    lines = [
        cached((slug, code, points, *params.values())) or _line_json(slug, words, code, params, points)
        for code, params, _clause, points in played.lines
    ]
    warnings = encode([_message_json(warning, words) for warning in played.warnings]) if played.warnings else "[]"
    text = f'{{"points": {list(played.points)}, "lines": [{", ".join(lines)}], "warnings": {warnings}}}'
    return json_lines.encode_line(text)


def _message_json(problem: IllegalDeal | DealWarning, words: Words) -> dict[str, str]:
    return {"field": problem.field, "message": format_message(words, problem.code, problem.params)}


@cache
def _default_options(slug: str) -> Any:
    return registry.rules(slug).read_options({})


# Caches of lines and reasons as JSON: in the deals of a season, the same lines and reasons occur very often.
_json_of_lines: dict[tuple[object, ...], str] = {}
_reasons: dict[tuple[object, ...], str] = {}


def _line_json(slug: str, words: Words, code: str, params: Mapping[str, Param], points: tuple[int, ...]) -> str:
    """Return a line (a reason for points) as JSON, and store it and its text in the caches."""
    values = tuple(params.values())
    reason = _reasons.get((slug, code, *values))
    if reason is None:
        reason = _store_in_cache(_reasons, (slug, code, *values), encode(format_message(words, code, params)))
    # `encode` is not needed for the points: Python formats a list of integers as JSON does.
    return _store_in_cache(
        _json_of_lines, (slug, code, points, *values), f'{{"reason": {reason}, "points": {list(points)}}}'
    )


def _store_in_cache(cache_: dict[tuple[object, ...], str], key: tuple[object, ...], text: str) -> str:
    if len(text) <= MAX_CACHED_LENGTH:
        if len(cache_) >= MAX_CACHED_TEXTS:
            cache_.clear()
        cache_[key] = text
    return text


def _parse_request(line: bytes) -> dict[str, Any]:
    request = json_lines.parse(line, _error_field)
    if type(request) is not dict:
        raise IllegalDeal("request", "not_an_object", {"given": reading.quote(request)})
    if not request.keys() <= REQUEST_KEYS:
        unknown = next(key for key in request if key not in REQUEST_KEYS)
        allowed = ", ".join((*REQUIRED_KEYS, *OPTIONAL_KEYS))
        raise IllegalDeal("request", "unknown_key", {"given": reading.quote(unknown), "allowed": allowed})
    get = request.get
    if get("game") == registry.TOTALS:
        raise IllegalDeal("game", "by_totals")
    for name in REQUIRED_KEYS:
        if get(name) is None:
            raise IllegalDeal("request", "needed", {"given": name})
    reading.word(get("game"), "request", GAMES)
    reading.boolean(get("last"), "request")
    return request


def _error_field(path: tuple[str, ...]) -> str:
    """Return the field name that an error shows for a path of keys in the request.

    A path of facts is shown without its first key: `points` for `facts.points`. A path of options or of earlier deals
    is shown whole; if it is long, or a key is not a plain name, only its first key. Other paths: "request".
    """
    if len(path) < 2 or path[0] not in ("facts", "options", "earlier"):
        return "request"
    if (
        not all(part.isdecimal() or part.isidentifier() for part in path)
        or sum(map(len, path)) > reading.MAX_QUOTE_LENGTH
    ):
        return path[0]
    return ".".join(path[1:] if path[0] == "facts" else path)


def answer_lines(source: Source, sink: BinaryIO) -> None:
    json_lines.answer_lines(answer, source, sink)


def main(arguments: Sequence[str] | None = None) -> int:
    return json_lines.run_command(answer, arguments, _show_usage)


def _show_usage(arguments: Sequence[str]) -> None:
    from scoring.usage import Parser

    Parser(answer).parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
