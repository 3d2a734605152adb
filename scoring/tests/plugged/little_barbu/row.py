"""Little Barbu's row of short codes: dealer, contract, what each player took, and who doubled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.row_codes import Cells, Column, ParsedRow, RowCodes, RowParser
from scoring.rules.words import gettext_noop as _

CONTRACTS = {"t": "tricks", "p": "tricks", "q": "queens", "d": "queens", "b": "barbu"}  # in English and in French
CODES = _("Contract: T no tricks, Q no queens, B Barbu")
COUNTS = _("Each player: how many tricks, queens or kings of hearts")
DOUBLED = _("Doubled by: the seat numbers of those who doubled the dealer, 24")


def columns(seats: int) -> tuple[Column, ...]:
    """Return the cells of a row. A number of one digit needs no second key."""
    label = _("Seat %(number)s")
    return (
        Column("dealer", _("Dealer"), "[1-5]", complete_pattern=".", width=1, is_numeric=True, is_seat_number=True),
        Column("contract", _("Contract"), "[tTpPqQdDbB]", complete_pattern=".", width=1, legend=(CODES,)),
        *(
            Column(
                f"taken.{seat}",
                label,
                "[0-8]",
                complete_pattern=".",
                width=1,
                is_numeric=True,
                number=seat + 1,
                legend=(COUNTS,),
            )
            for seat in range(seats)
        ),
        Column("doubled", _("Doubled by"), "[1-5 ]*", width=4, is_numeric=True, needed=False, legend=(DOUBLED,)),
    )


def parse(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    parser = RowParser(cells, seats)
    doubling = [parser.seat("doubled", number) for number in parser.tokens("doubled", "[1-5]")]
    return parser.parsed_row(
        {
            "contract": parser.code("contract", CONTRACTS),
            "dealer": parser.seat("dealer"),
            "taken": [parser.integer(f"taken.{seat}") for seat in range(len(seats))],
            "doubled": [seat in doubling for seat in range(len(seats))],
        }
    )


def format_cells(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    letter = dict(zip(("tricks", "queens", "barbu"), letters, strict=True))
    doubled = enumerate(facts.get("doubled") or ())
    return {
        "dealer": str(seats[facts["dealer"]]),
        "contract": letter[facts["contract"]],
        **{f"taken.{seat}": str(count) for seat, count in enumerate(facts["taken"])},
        "doubled": "".join(str(seats[seat]) for seat, doubles in doubled if doubles),
    }


ROW = RowCodes(
    columns=columns,
    parse=parse,
    format_cells=format_cells,
    letters=_("TQB"),  # no tricks, no queens, Barbu; French: PDB
    confusable_letters=_("tqb"),  # French: pdb
)
