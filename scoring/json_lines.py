"""Commands that answer JSON lines: one request a line on standard input, an answer a line on standard output, in order.

Standard library only; knows no request. No bad line stops a command: `parse` refuses it, and the answer says so.
"""

import gc
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from string import digits
from typing import Any, BinaryIO

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    "blank": _("The line is blank."),
    "not_utf8": _("The line is not UTF-8."),
    "not_json": _("This is not JSON: %(reason)s, at character %(place)s."),
    "too_deep": _("The brackets are nested too deeply."),
    "not_a_number": _("%(given)s is not a number of JSON."),
    "long_number": _("A number has more than %(most)s digits."),
    "repeated_key": _("%(given)s is there more than once."),
}
MOST_DIGITS = 4_000  # Python writes no number of more than 4,300 digits, and points are a few times the facts
CHUNK = 65536
RARELY = 100_000  # objects that may be held between two searches for cycles

Answer = Callable[[bytes], bytes]
Path = tuple[str, ...]
Source = io.BufferedReader | io.BytesIO


def parse(line: bytes, field: Callable[[Path], str]) -> Any:
    """Return a line's JSON as the standard has it: no NaN, no infinity, no key twice, no number that can't be written.

    `field` names the field of a path in the request; the empty path is the line itself. Raises IllegalDeal.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise IllegalDeal(field(()), "not_utf8") from None
    if not text.strip():
        raise IllegalDeal(field(()), "blank")
    if len(text) > MOST_DIGITS and _has_long_number(text):
        raise IllegalDeal(field(()), "long_number", {"most": MOST_DIGITS})
    value = _decoded(text, _PLAIN, field)
    if text.count(":") == _names(value):  # one for each name: no name is there twice, and no text has a colon
        return value
    # Whether there is one, and where it stands, a slower reading tells.
    repeated = _first_repeat(_decoded(text, _LENIENT, field))
    if repeated is None:
        return value
    raise IllegalDeal(field(repeated), "repeated_key", {"given": reading.given(repeated[-1])})


def _has_long_number(text: str) -> bool:
    """Return whether more than MOST_DIGITS digits follow each other.

    One of them then stands at a multiple of MOST_DIGITS.
    """
    for at in range(0, len(text), MOST_DIGITS):
        if text[at] in digits:
            before, after = text[max(0, at - MOST_DIGITS) : at], text[at : at + MOST_DIGITS + 1]
            run = len(before) - len(before.rstrip(digits)) + len(after) - len(after.lstrip(digits))
            if run > MOST_DIGITS:
                return True
    return False


def _names(found: Any) -> int:
    """Return how many names all objects of a value have together."""
    count, values = 0, [found]
    for value in values:
        if type(value) is dict:
            count += len(value)
            values += value.values()
        elif type(value) is list:
            values += value
    return count


def _decoded(text: str, decoder: json.JSONDecoder, field: Callable[[Path], str]) -> Any:
    try:
        if text.startswith("{"):  # the usual line: spares the decoder its two searches for white space
            value, end = decoder.raw_decode(text)
            if end == len(text) or not text[end:].strip(" \t\r\n"):
                return value
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise IllegalDeal(field(()), "not_json", {"reason": error.msg, "place": error.pos + 1}) from None
    except RecursionError:
        raise IllegalDeal(field(()), "too_deep") from None
    except _NotANumber as error:
        raise IllegalDeal(field(()), "not_a_number", {"given": error.args[0]}) from None


class _NotANumber(Exception):
    """NaN or an infinity, which only JavaScript writes."""


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
    raise _NotANumber(text)


_PLAIN, _LENIENT = (json.JSONDecoder(object_pairs_hook=hook, parse_constant=_constant) for hook in (None, _lenient))
# Messages keep their letters.
encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _first_repeat(request: Any) -> Path | None:
    """Return the path of a repeated key, the outermost first, if any."""
    waiting: list[tuple[Path, Any]] = [((), request)]
    for path, value in waiting:
        if isinstance(value, _Repeating):
            return (*path, value.key)
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        waiting += [((*path, str(key)), each) for key, each in inner]
    return None


def written(text: str) -> bytes:
    """Return an answer as a line of UTF-8."""
    # A lone surrogate, the one thing that UTF-8 can't hold, goes out as JSON's own escape.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def run(answer: Answer, source: Source, sink: BinaryIO) -> None:
    """Answer every line of `source`. What has come in is answered before waiting for more."""
    for lines in _batches(source):
        sink.write(b"".join([answer(line) for line in lines]))
        sink.flush()


def _batches(source: Source) -> Iterator[list[bytes]]:
    """Yield the lines that are complete each time something arrives; the last of all may lack its end."""
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


def command(answer: Answer, arguments: Sequence[str] | None, usage: Callable[[Sequence[str]], object]) -> int:
    """Run as a command. Exit status: 0 all lines answered, 1 the reader of the answers left, 2 wrong arguments.

    Arguments, if there are any, are for `usage`, which explains the command or refuses them.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given:
        usage(given)
    gc.freeze()  # what was loaded so far stays: no need to look through it again
    gc.set_threshold(RARELY)  # what a line needs is free without being looked for
    try:
        with open(sys.stdin.fileno(), "rb", closefd=False) as source:
            run(answer, source, sys.stdout.buffer)
    except BrokenPipeError:
        # Nobody reads any more. What is left in the buffer must not be tried again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
