"""`python -m scoring`: deals in, one JSON request a line; points in, one JSON answer a line, in order.

Standard library only. Knows the games by the registry alone, and what a request is; what a deal is, the games know.
It never stops at a bad line: that is answered with an error, on the field `request` when it is no request at all.
"""

import gc
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, BinaryIO

from scoring import registry
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.score import Suspicion
from scoring.rules.words import Words, say
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    "blank": _("The line is blank."),
    "not_utf8": _("The line is not UTF-8."),
    "not_json": _("This is not JSON: %(reason)s, at character %(place)s."),
    "too_deep": _("The brackets are nested too deeply."),
    "not_a_number": _("%(given)s is not a number of JSON."),
    "long_number": _("A number has more than %(most)s digits."),
    "repeated_key": _("%(given)s is there more than once."),
    "needed": _("%(given)s is needed."),
}
NEEDED = ("game", "seats", "facts")
KEYS = frozenset({*NEEDED, "options"})
MOST_DIGITS = 4_000  # Python writes no number of more than 4,300 digits, and points are a few times the facts
MOST_TEXTS, LONGEST_TEXT = 20_000, 400  # kept in memory: a few megabytes
CHUNK = 65536
RARELY = 100_000  # objects that may be held between two searches for cycles

_DIGITS = re.compile(r"\d+", re.ASCII)
GAMES = tuple(registry.slugs())

Source = io.BufferedReader | io.BytesIO


def answer(line: bytes) -> bytes:
    """The answer to one line, itself a line of JSON in UTF-8: points, lines and warnings, or an error. Never raises."""
    words = WORDS
    try:
        request = _request(line)
        slug = request["game"]
        rules = registry.rules(slug)
        words = rules.WORDS
        seats = rules.check_seats(request["seats"])
        given = request.get("options")
        options = _default_options(slug) if given is None else rules.read_options(given)
        points, lines, warnings = rules.score(rules.read(seats, request["facts"]), options)
    except IllegalDeal as error:
        return _written(_encode({"error": _message(error, words)}))
    known = _told.get
    told = [
        known((slug, code, given, *params.values())) or _tell(slug, words, code, params, given)
        for code, params, _clause, given in lines
    ]
    doubts = _encode([_message(warning, words) for warning in warnings]) if warnings else "[]"
    return _written(f'{{"points": {list(points)}, "lines": [{", ".join(told)}], "warnings": {doubts}}}')


def _written(text: str) -> bytes:
    # A lone surrogate, the one thing that UTF-8 can't hold, goes out as JSON's own escape.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _message(about: IllegalDeal | Suspicion, words: Words) -> dict[str, str]:
    return {"field": about.field, "message": say(words, about.code, about.params)}


@cache
def _default_options(slug: str) -> Any:
    return registry.rules(slug).read_options({})


# Lines as JSON, by game, code, points and parameters, and their reasons alone: a season's deals have few that differ.
_told: dict[tuple[object, ...], str] = {}
_reasons: dict[tuple[object, ...], str] = {}


def _tell(slug: str, words: Words, code: str, params: Mapping[str, Param], given: tuple[int, ...]) -> str:
    """A line in English, as JSON; kept, but never more than some megabytes."""
    values = tuple(params.values())
    reason = _reasons.get((slug, code, *values))
    if reason is None:
        reason = _kept(_reasons, (slug, code, *values), _encode(say(words, code, params)))
    # As _encode would write it: Python writes a list of integers as JSON does.
    return _kept(_told, (slug, code, given, *values), f'{{"reason": {reason}, "points": {list(given)}}}')


def _kept(texts: dict[tuple[object, ...], str], key: tuple[object, ...], text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        if len(texts) >= MOST_TEXTS:
            texts.clear()
        texts[key] = text
    return text


def _request(line: bytes) -> dict[str, Any]:
    """A request of the right shape and a known game; IllegalDeal on `request` for anything else."""
    request = _parse(line)
    if type(request) is not dict:
        raise IllegalDeal("request", "not_an_object", {"given": reading.given(request)})
    if not request.keys() <= KEYS:
        unknown = next(key for key in request if key not in KEYS)
        allowed = ", ".join((*NEEDED, "options"))
        raise IllegalDeal("request", "unknown_key", {"given": reading.given(unknown), "allowed": allowed})
    get = request.get
    for name in NEEDED:
        if get(name) is None:
            raise IllegalDeal("request", "needed", {"given": name})
    reading.word(get("game"), "request", GAMES)
    return request


def _parse(line: bytes) -> Any:
    """JSON as the standard has it: no NaN, no infinity, no key twice, and no number that can't be written again."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise IllegalDeal("request", "not_utf8") from None
    if not text.strip():
        raise IllegalDeal("request", "blank")
    if len(text) > MOST_DIGITS and any(len(run[0]) > MOST_DIGITS for run in _DIGITS.finditer(text)):
        raise IllegalDeal("request", "long_number", {"most": MOST_DIGITS})
    value = _decoded(text, _PLAIN)
    if text.count(":") == _names(value):  # one for each name: no name is there twice, and no text has a colon
        return value
    # Whether there is one, and where it stands, a slower reading tells.
    repeated = _first_repeat(_decoded(text, _LENIENT))
    if repeated is None:
        return value
    field, key = repeated
    raise IllegalDeal(field, "repeated_key", {"given": reading.given(key)})


def _names(found: Any) -> int:
    """How many names all objects of a value have together."""
    count, values = 0, [found]
    for value in values:
        if type(value) is dict:
            count += len(value)
            values += value.values()
        elif type(value) is list:
            values += value
    return count


def _decoded(text: str, decoder: json.JSONDecoder) -> Any:
    try:
        if text.startswith("{"):  # the usual line: spares the decoder its two searches for white space
            value, end = decoder.raw_decode(text)
            if end == len(text) or not text[end:].strip(" \t\r\n"):
                return value
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise IllegalDeal("request", "not_json", {"reason": error.msg, "place": error.pos + 1}) from None
    except RecursionError:
        raise IllegalDeal("request", "too_deep") from None


class _Repeating(dict[str, Any]):
    """An object that has a key twice: the last value, as ever, and which key it is."""

    key: str


def _lenient(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = _Repeating(pairs)
    if len(found) == len(pairs):
        return dict(found)
    seen: set[str] = set()
    for key, _value in pairs:
        if key in seen:
            found.key = key
        seen.add(key)
    return found


def _constant(text: str) -> None:
    raise IllegalDeal("request", "not_a_number", {"given": text})


_PLAIN, _LENIENT = (json.JSONDecoder(object_pairs_hook=hook, parse_constant=_constant) for hook in (None, _lenient))
# Messages keep their letters.
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _first_repeat(request: Any) -> tuple[str, str] | None:
    """The field of a repeated key as the game spells it, `hands.0.call`, and the key; the outermost first, if any."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), request)]
    for path, value in waiting:
        if isinstance(value, _Repeating):
            return _field((*path, value.key)), value.key
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        waiting += [((*path, str(key)), each) for key, each in inner]
    return None


def _field(path: tuple[str, ...]) -> str:
    """A path in the request as a field: facts' own names stand alone, options' after `options`."""
    if len(path) < 2 or path[0] not in ("facts", "options"):
        return "request"
    if not all(part.isdecimal() or part.isidentifier() for part in path) or sum(map(len, path)) > reading.CUT:
        return path[0]
    return ".".join(path[1:] if path[0] == "facts" else path)


def run(source: Source, sink: BinaryIO) -> None:
    """Answer every line of `source`. What has come in is answered before waiting for more."""
    for lines in _batches(source):
        sink.write(b"".join([answer(line) for line in lines]))
        sink.flush()


def _batches(source: Source) -> Iterator[list[bytes]]:
    """The lines that are complete each time something arrives; the last of all may lack its end."""
    started: list[bytes] = []  # pieces of a line whose end is still to come
    while chunk := source.read1(CHUNK):
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = b"".join([*started, lines[0]])
            started = []
            yield lines
        if rest:
            started.append(rest)
    if started:
        yield [b"".join(started)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a command. Exit status: 0 all lines answered, 1 the reader of the answers left, 2 wrong arguments."""
    given = sys.argv[1:] if arguments is None else arguments
    if given:
        from scoring.usage import Parser

        Parser(answer).parse_args(given)
    gc.freeze()  # what was loaded so far stays: no need to look through it again
    gc.set_threshold(RARELY)  # what a line needs is free without being looked for
    try:
        with open(sys.stdin.fileno(), "rb", closefd=False) as source:
            run(source, sys.stdout.buffer)
    except BrokenPipeError:
        # Nobody reads any more. What is left in the buffer must not be tried again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
