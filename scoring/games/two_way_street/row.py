"""A deal of Two Way Street as a row of short codes. A hand has a cell for each player (call and tricks); a duel has
four cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.row_codes import Cells, Column, ParsedRow, Problem, RowCodes, RowParser
from scoring.rules.words import gettext_noop as _

CALL_CODES = {"h": "high", "l": "low", "b": "low"}
_DUEL_LEGEND = _("Dealer: seat number; direction of the winning bid: h high, l low; then the tricks of each")
_HANDS_LEGEND = _("The call and the tricks: h3 high with 3, l0 low with none; in capitals, H3, when forced")
_HAND_PATTERN = re.compile(r"([hlb])([0-9]{1,4})", re.IGNORECASE)


def columns(seats: int) -> tuple[Column, ...]:
    if seats > 2:
        prefix_pattern = "[hHlLbB][0-9]{0,2}|"
        return tuple(
            Column(
                f"hands.{seat}", _("Seat %(number)s"), prefix_pattern, width=3, number=seat + 1, legend=(_HANDS_LEGEND,)
            )
            for seat in range(seats)
        )
    return (
        Column(
            "dealer",
            _("Dealer"),
            "[12]",
            complete_pattern=".",
            width=1,
            is_numeric=True,
            is_seat_number=True,
            legend=(_DUEL_LEGEND,),
        ),
        Column("direction", _("Direction"), "[hHlLbB]", complete_pattern=".", width=1, legend=(_DUEL_LEGEND,)),
        *(
            Column(
                f"tricks.{seat}",
                _("Seat %(number)s"),
                "[0-9]{0,2}",
                complete_pattern="[02-9]|[0-9]{2}",  # a duel has little more than ten tricks, so 20 is impossible
                width=2,
                is_numeric=True,
                number=seat + 1,
            )
            for seat in range(2)
        ),
    )


def parse(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    parser = RowParser(cells, seats)
    if len(seats) == 2:
        tricks = [parser.integer("tricks.0"), parser.integer("tricks.1")]
        direction = parser.code("direction", CALL_CODES)
        return parser.parsed_row({"direction": direction, "dealer": parser.seat("dealer"), "tricks": tricks})
    return parser.parsed_row({"hands": [_parse_hand(parser, f"hands.{seat}") for seat in range(len(seats))]})


def _parse_hand(parser: RowParser, name: str) -> dict[str, Any]:
    text = "".join(parser.cells.get(name, "").split())  # capitals mean forced
    match = _HAND_PATTERN.fullmatch(text)
    if not match:
        problem = Problem("unknown_code", {"given": text}) if text else Problem("missing", {})
        parser.problems[name] = problem
        return {}
    hand = {"call": CALL_CODES[match[1].lower()], "tricks": int(match[2])}
    return {**hand, "forced": True} if match[1].isupper() else hand


def format_cells(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    letter = dict(zip(("high", "low"), letters, strict=True))
    if len(seats) == 2:
        cells = {"dealer": str(seats[facts["dealer"]]), "direction": letter[facts["direction"]]}
        return cells | {f"tricks.{seat}": str(tricks) for seat, tricks in enumerate(facts["tricks"])}
    cells = {}
    for seat, hand in enumerate(facts["hands"]):
        call = letter[hand["call"]]
        cells[f"hands.{seat}"] = f"{call.upper() if hand.get('forced') else call}{hand['tricks']}"
    return cells


ROW = RowCodes(
    columns=columns,
    parse=parse,
    format_cells=format_cells,
    letters=_("hl"),  # high, low; French: hb
    confusable_letters=_("hlHL"),  # French: hbHB
)
