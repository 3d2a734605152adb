"""The command `python -m league.pairing`. It reads one JSON request per line (to rank the units of a tournament, or to
pair them), and writes one JSON answer per line. A unit is a player, a pair or a team.

A wrong line does not stop the command: its answer has an error with the wrong field.
"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from league.pairing.pairing import Pairing, count_rematches, pair_by_lot, pair_by_movement, pair_by_ranking
from league.pairing.ranking import rank_units
from league.pairing.request import PairRequest, RankRequest, read_request
from league.pairing.words import WORDS
from league.standings.fields import dotted_path
from scoring import json_lines
from scoring.json_lines import MAX_DIGITS
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message


def answer(line: bytes) -> bytes:
    """Return the answer to one line of input, as a line of JSON in UTF-8. Never raise."""
    try:
        request = read_request(json_lines.parse(line, dotted_path))
        text = _encode(_ranking_answer(request) if isinstance(request, RankRequest) else _pairing_answer(request))
    except IllegalDeal as error:
        message = format_message(WORDS, error.code, error.params)
        text = json_lines.encode({"error": {"field": error.field, "message": message}})
    return json_lines.encode_line(text)


def _encode(value: dict[str, Any]) -> str:
    try:
        return json_lines.encode(value)
    except ValueError:  # Python refuses to write integers of more than some thousand digits
        raise IllegalDeal("", "long_answer", {"most": MAX_DIGITS}) from None


def _ranking_answer(request: RankRequest) -> dict[str, Any]:
    rows = rank_units(*request)
    return {"rows": [{name: _json_number(value) for name, value in row._asdict().items()} for row in rows]}


def _json_number(value: object) -> object:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    return value


def _pairing_answer(request: PairRequest) -> dict[str, Any]:
    units, constraints = request.units, request.constraints
    pairing = _compute_pairing(request)
    return {
        "tables": [[units[first], units[second]] for first, second in pairing.tables],
        "rests": None if pairing.resting_unit is None else units[pairing.resting_unit],
        "rematches": count_rematches(pairing.tables, constraints.earlier_meetings),
    }


def _compute_pairing(request: PairRequest) -> Pairing:
    if request.method == "movement":
        return pair_by_movement([unit is not None for unit in request.units], request.round_number)
    pair = pair_by_ranking if request.method == "ranking" else pair_by_lot
    return pair(request.constraints, request.seed)


def main(arguments: Sequence[str] | None = None) -> int:
    return json_lines.run_command(answer, arguments, _show_usage)


def _show_usage(arguments: Sequence[str]) -> None:
    from league.pairing.usage import PARSER

    PARSER.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
