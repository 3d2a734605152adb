"""The command `python -m league.standings`. It reads one JSON request per line (a season's rules and results), and
writes one JSON answer per line (the standings).

It needs only the standard library. A wrong line does not stop the command: its answer has an error with the wrong
field.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from league.standings.fields import dotted_path
from league.standings.ranking import RankingRow, standings
from league.standings.request import read_request
from league.standings.season import ExactNumber
from league.standings.words import WORDS
from scoring import json_lines
from scoring.json_lines import MAX_DIGITS
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message


def answer(line: bytes) -> bytes:
    """Return the answer to one line of input, as a line of JSON in UTF-8. Never raise."""
    try:
        request = read_request(json_lines.parse(line, dotted_path))
        text = _encode_rows([_row_json(row) for row in standings(*request)])
    except IllegalDeal as error:
        text = json_lines.encode(
            {"error": {"field": error.field, "message": format_message(WORDS, error.code, error.params)}}
        )
    return json_lines.encode_line(text)


def _encode_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    try:
        return json_lines.encode({"rows": rows})
    except ValueError:  # Python refuses to write integers of more than some thousand digits
        raise IllegalDeal("", "long_answer", {"most": MAX_DIGITS}) from None


def _row_json(row: RankingRow) -> dict[str, Any]:
    return {
        "player": row.player,
        "rank": row.rank,
        "total": _number_json(row.total),
        "evenings": row.evenings,
        "counted": row.counted,
        "dropped": row.dropped,
        "worth": {id_: _number_json(value) for id_, value in row.worth.items()},
        **row.extras,
        "adjustment": row.adjustment,
        "tie_break": row.tie_break,
        "missing": row.missing,
    }


def _number_json(value: ExactNumber) -> int | tuple[int, int]:
    return value if type(value) is int else (value.numerator, value.denominator)


def main(arguments: Sequence[str] | None = None) -> int:
    return json_lines.run_command(answer, arguments, _parse_arguments)


def _parse_arguments(arguments: Sequence[str]) -> None:
    from league.standings.usage import UsageParser

    UsageParser(answer).parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
