"""`python -m league.standings`: seasons in, one JSON request a line; standings out, one JSON answer a line, in order.

Standard library only. It never stops at a bad line: that is answered with an error on its field.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from league.standings.fields import path_of
from league.standings.ranking import StandingRow, standings
from league.standings.request import read_request
from league.standings.season import Exact
from league.standings.words import WORDS
from scoring import json_lines
from scoring.json_lines import MAX_DIGITS
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message


def answer(line: bytes) -> bytes:
    """Return the answer to one line, itself a line of JSON in UTF-8: the rows, or an error. Never raises."""
    try:
        request = read_request(json_lines.parse(line, path_of))
        text = _encoded([_row(row) for row in standings(*request)])
    except IllegalDeal as error:
        text = json_lines.encode(
            {"error": {"field": error.field, "message": format_message(WORDS, error.code, error.params)}}
        )
    return json_lines.encode_line(text)


def _encoded(rows: Sequence[Mapping[str, Any]]) -> str:
    try:
        return json_lines.encode({"rows": rows})
    except ValueError:  # Python writes no integer of more than some thousand digits
        raise IllegalDeal("", "long_answer", {"most": MAX_DIGITS}) from None


def _row(row: StandingRow) -> dict[str, Any]:
    return {
        "player": row.player,
        "rank": row.rank,
        "total": _number(row.total),
        "evenings": row.evenings,
        "counted": row.counted,
        "dropped": row.dropped,
        "worth": {id_: _number(value) for id_, value in row.worth.items()},
        **row.extras,
        "adjustment": row.adjustment,
        "tie_break": row.tie_break,
        "missing": row.missing,
    }


def _number(value: Exact) -> int | tuple[int, int]:
    """Return a number as answers have it: a whole one as an integer, another as numerator and denominator."""
    return value if type(value) is int else (value.numerator, value.denominator)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a command, and return its exit status."""
    return json_lines.run_command(answer, arguments, _usage)


def _usage(arguments: Sequence[str]) -> None:
    from league.standings.usage import Usage

    Usage(answer).parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
