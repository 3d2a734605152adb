"""Commands that read one JSON request per line from standard input, and write one answer per line in the same order.

They need only the standard library. A wrong line does not stop a command: `parse` raises IllegalDeal, and the answer is
an error.
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
MAX_DIGITS = 4_000  # Python formats at most 4,300 digits, and points may have a few digits more than the facts
CHUNK_BYTES = 65536
GC_THRESHOLD = 100_000  # new objects between two garbage collections

AnswerFunction = Callable[[bytes], bytes]  # a line of input -> a line of output
KeyPath = tuple[str, ...]
Source = io.BufferedReader | io.BytesIO


def parse(line: bytes, field: Callable[[KeyPath], str]) -> Any:
    """Return the value of a line of strict JSON. `field` returns the field name for a path of keys in the request.

    Raise IllegalDeal if the line is blank, is not UTF-8, is not JSON, or is nested too deeply, and for NaN, infinity, a
    repeated key, and a number with more than MAX_DIGITS digits. For a repeated key the path ends with this key; for
    other errors it is empty.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise IllegalDeal(field(()), "not_utf8") from None
    if not text.strip():
        raise IllegalDeal(field(()), "blank")
    if len(text) > MAX_DIGITS and _has_long_number(text):
        raise IllegalDeal(field(()), "long_number", {"most": MAX_DIGITS})
    value = _decode(text, _PLAIN_DECODER, field)
    if text.count(":") == _count_keys(value):  # a colon for each key: no key is repeated, and no string has a colon
        return value
    repeated = _find_repeated_key(_decode(text, _REPEAT_MARKING_DECODER, field))  # slower
    if repeated is None:
        return value
    raise IllegalDeal(field(repeated), "repeated_key", {"given": reading.quote(repeated[-1])})


def _has_long_number(text: str) -> bool:
    """Return whether the text has a run of more than MAX_DIGITS digits.

    For speed, only every MAX_DIGITS-th character is tested: each longer run has a digit at one of them.
    """
    for index in range(0, len(text), MAX_DIGITS):
        if text[index] in digits:
            before, after = text[max(0, index - MAX_DIGITS) : index], text[index : index + MAX_DIGITS + 1]
            run = len(before) - len(before.rstrip(digits)) + len(after) - len(after.lstrip(digits))
            if run > MAX_DIGITS:
                return True
    return False


def _count_keys(root: Any) -> int:
    count, values = 0, [root]
    for value in values:
        if type(value) is dict:
            count += len(value)
            values += value.values()
        elif type(value) is list:
            values += value
    return count


def _decode(text: str, decoder: json.JSONDecoder, field: Callable[[KeyPath], str]) -> Any:
    try:
        if text.startswith("{"):  # the usual line; faster than `decode`, which searches for white space twice
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
    """The JSON has NaN or an infinity."""


class _RepeatingObject(dict[str, Any]):
    """A JSON object with a repeated `key`; it has the last value of the key."""

    key: str


def _mark_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object as a dict: a _RepeatingObject if a key is repeated."""
    marked = _RepeatingObject(pairs)
    if len(marked) == len(pairs):
        return dict(marked)
    keys: set[str] = set()
    for key, _value in pairs:
        if key in keys:
            marked.key = key
        keys.add(key)
    return marked


def _refuse_constant(text: str) -> None:
    raise _NotANumber(text)


_PLAIN_DECODER, _REPEAT_MARKING_DECODER = (
    json.JSONDecoder(object_pairs_hook=hook, parse_constant=_refuse_constant) for hook in (None, _mark_repeats)
)
# Messages are UTF-8, not escaped.
encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _find_repeated_key(request: Any) -> KeyPath | None:
    """Return the path of the first repeated key in a value that `_REPEAT_MARKING_DECODER` decoded, or None."""
    queue: list[tuple[KeyPath, Any]] = [((), request)]
    for path, value in queue:
        if isinstance(value, _RepeatingObject):
            return (*path, value.key)
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        queue += [((*path, str(key)), child) for key, child in inner]
    return None


def encode_line(text: str) -> bytes:
    # UTF-8 can't encode a lone surrogate: write it as an escape of JSON.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def answer_lines(answer: AnswerFunction, source: Source, sink: BinaryIO) -> None:
    """Write the answer to each line of `source` to `sink`, in order. All complete lines are answered before more input
    is awaited.
    """
    for lines in _line_batches(source):
        sink.write(b"".join([answer(line) for line in lines]))
        sink.flush()


def _line_batches(source: Source) -> Iterator[list[bytes]]:
    """Yield lists of complete lines. The last line of the source may have no line feed."""
    pieces: list[bytes] = []  # of an incomplete line
    while chunk := source.read1(CHUNK_BYTES):
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = b"".join([*pieces, lines[0]])
            pieces = []
            yield lines
        if rest:
            pieces.append(rest)
    if pieces:
        yield [b"".join(pieces)]


def run_command(
    answer: AnswerFunction, arguments: Sequence[str] | None, usage: Callable[[Sequence[str]], object]
) -> int:
    """Answer the lines of standard input; return the exit status.

    The status is 0 (all lines answered), 1 (output pipe closed), 2 (wrong arguments) or 130 (Ctrl-C). If there are
    arguments, `usage` is called with them first: it prints the help or reports wrong arguments, and exits.
    """
    command_arguments = sys.argv[1:] if arguments is None else arguments
    if command_arguments:
        usage(command_arguments)
    gc.freeze()  # exclude the loaded modules from garbage collection
    gc.set_threshold(GC_THRESHOLD)  # collect seldom, because a request leaves no reference cycles
    try:
        with open(sys.stdin.fileno(), "rb", closefd=False) as source:
            answer_lines(answer, source, sys.stdout.buffer)
    except BrokenPipeError:
        # Discard the buffer: Python flushes it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
