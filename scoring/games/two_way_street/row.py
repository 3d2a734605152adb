"""A deal of Two Way Street as a row of short codes. A hand has a cell for each player (call and tricks); a duel has
four cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.row_codes import Cells, Column, Problem, Reading, RowCodes, RowReader
from scoring.rules.words import gettext_noop as _

CALL_CODES = {"h": "high", "l": "low", "b": "low"}
_DUEL = _("Dealer: seat number; direction of the winning bid: h high, l low; then the tricks of each")
_HANDS = _("The call and the tricks: h3 high with 3, l0 low with none; in capitals, H3, when forced")
_HAND = re.compile(r"([hlb])([0-9]{1,4})", re.IGNORECASE)


def columns(seats: int) -> tuple[Column, ...]:
    if seats > 2:
        typed = "[hHlLbB][0-9]{0,2}|"
        return tuple(
            Column(f"hands.{seat}", _("Seat %(number)s"), typed, width=3, number=seat + 1, legend=(_HANDS,))
            for seat in range(seats)
        )
    return (
        Column("dealer", _("Dealer"), "[12]", full=".", width=1, digits=True, seat=True, legend=(_DUEL,)),
        Column("direction", _("Direction"), "[hHlLbB]", full=".", width=1, legend=(_DUEL,)),
        *(
            Column(
                f"tricks.{seat}",
                _("Seat %(number)s"),
                "[0-9]{0,2}",
                full="[02-9]|[0-9]{2}",  # a duel has little more than ten tricks, so 20 is impossible
                width=2,
                digits=True,
                number=seat + 1,
            )
            for seat in range(2)
        ),
    )


def read(cells: Cells, seats: Sequence[int]) -> Reading:
    reader = RowReader(cells, seats)
    if len(seats) == 2:
        tricks = [reader.integer("tricks.0"), reader.integer("tricks.1")]
        direction = reader.code("direction", CALL_CODES)
        return reader.result({"direction": direction, "dealer": reader.seat("dealer"), "tricks": tricks})
    return reader.result({"hands": [_hand(reader, f"hands.{seat}") for seat in range(len(seats))]})


def _hand(reader: RowReader, name: str) -> dict[str, Any]:
    text = "".join(reader.cells.get(name, "").split())  # capitals mean forced
    match = _HAND.fullmatch(text)
    if not match:
        problem = Problem("unknown_code", {"given": text}) if text else Problem("missing", {})
        reader.problems[name] = problem
        return {}
    hand = {"call": CALL_CODES[match[1].lower()], "tricks": int(match[2])}
    return {**hand, "forced": True} if match[1].isupper() else hand


def write(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
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
    read=read,
    write=write,
    letters=_("hl"),  # high, low; French: hb
    confusable=_("hlHL"),  # French: hbHB
)
