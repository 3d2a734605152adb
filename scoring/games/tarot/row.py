"""A deal of tarot as a row of short codes, in the order of the printed sheet: taker, contract, partner, oudlers,
points, extras.

English and French codes are in one table, for pages in both languages: no letter has two meanings. The piles of a deal
"one for one" (without a taker) are in a second line (piles_row.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.games.tarot import piles_row
from scoring.games.tarot.one_for_one import TEAM_TABLE_SIZES
from scoring.row_codes import Cells, Column, ParsedRow, RowCodes, RowParser, plain_number_text
from scoring.rules.words import gettext_noop as _

CONTRACT_CODES = {
    **dict.fromkeys("tp", "take"),
    "g": "guard",
    **dict.fromkeys("ws", "guard_without"),
    **dict.fromkeys("ac", "guard_against"),
    "o": "one_for_one",
    **dict.fromkeys("me", "one_for_one"),  # with mates, en équipes
    **dict.fromkeys("x-", "passed"),
}
HANDFUL_CODES = {"h": "simple", "p": "simple", "d": "double", "t": "triple"}
SIDE_CODES = {"+": "attack", "-": "defence"}
NO_PLAYER = "0"  # in the cell of the taker or of the partner
_ONE_FOR_ONE_IN_TEAMS = "one_for_one_in_teams"
# The contracts, and the words in the cell "extras", in the order of their letters in `ROW.letters`.
_CONTRACT_NAMES = ("take", "guard", "guard_without", "guard_against", "one_for_one", _ONE_FOR_ONE_IN_TEAMS, "passed")
_EXTRAS_CELL_WORDS = ("simple", "double", "triple", "slam", "announced")
# Matches the texts of the contract's cell for which a deal has a taker; also the empty text.
_CONTRACT_WITH_TAKER = r"[^oOmMeExX-]?"
_FACTS_OF_EXTRAS = ("small_last", "handfuls", "slam", "slam_announced")
_EXTRAS_PREFIX = r"(?:[hHpPdDtT][1-6]?|[sScC][-−+1-6]?|[aA]|\+[1-6]?|[-−]| )*"


def columns(seats: int) -> tuple[Column, ...]:
    seat = "[0-5]" if seats < 5 else "[0-6]"  # a resting player has a number too, so numbers can be one higher
    partner = Column(
        "partner",
        _("Partner"),
        f"[-−]|{seat}",
        complete_pattern=".",
        needed_pattern=_CONTRACT_WITH_TAKER,
        width=1,
        is_numeric=True,
        is_seat_number=True,
        legend=(_("Partner: seat number; 0 when the taker is alone"),),
    )
    no_taker = _("Taker: seat number; 0 or nothing when nobody takes")
    contracts = (
        _("Contract: T take, G guard, W without, A against, O one for one, X passed"),
        *([_("Contract: M one for one in teams of two")] if seats in TEAM_TABLE_SIZES else []),
    )
    return (
        Column(
            "taker",
            _("Taker"),
            seat,
            complete_pattern=".",
            width=1,
            is_numeric=True,
            is_seat_number=True,
            needed=False,
            legend=(no_taker,),
        ),
        Column(
            "contract", _("Contract"), "[tTpPgGwWsSaAcCoOmMeExX]|-", complete_pattern=".", width=1, legend=contracts
        ),
        *([partner] if seats >= 5 else []),
        Column(
            "oudlers",
            _("Oudlers"),
            "[0-3]",
            complete_pattern=".",
            needed_pattern=_CONTRACT_WITH_TAKER,
            width=1,
            is_numeric=True,
        ),
        Column(
            "points",
            _("Points"),
            piles_row.POINTS_PREFIX,
            needed_pattern=_CONTRACT_WITH_TAKER,
            width=4,
            is_numeric=True,
        ),
        Column(
            "extras",
            _("Extras"),
            _EXTRAS_PREFIX,
            needed_pattern="[^xX-]?",
            width=6,
            needed=False,
            other_facts=_FACTS_OF_EXTRAS,
            legend=(
                _("Extras: + or − when the attack or the defence won the Small last"),
                _("Extras: handfuls h1 simple, d1 double, t1 triple, of seat 1; without a number of the taker"),
                _("Extras: s+ or s− when a side won every trick; a for a slam announced"),
                _("One for one, extras: +1 when seat 1 won the Small last, s1 when it won every trick; h1, d1, t1"),
            ),
        ),
        *piles_row.columns(seats),
    )


def parse(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    """Return the facts (JSON of what happened) of a row (RULES.md, T1 and T3), or the problems of its cells."""
    parser = RowParser(cells, seats)
    contract = parser.code("contract", CONTRACT_CODES)
    if contract in ("one_for_one", "passed"):
        parser.require_empty("taker", other_text="0")
        parser.require_empty("oudlers", "points", "partner")
        if contract == "one_for_one":
            in_teams = parser.text("contract") != "o"
            return parser.parsed_row(
                {"contract": contract, **_parse_extras_by_seats(parser), **piles_row.parse(parser, in_teams)}
            )
        parser.require_empty("extras")
        return parser.parsed_row({"contract": contract})
    taker = parser.seat("taker", other_text=NO_PLAYER)
    facts = {
        "contract": contract,
        "taker": taker,
        "partner": _parse_partner(parser),
        "oudlers": _parse_oudlers(parser),
        "points": parser.points("points"),
        **_parse_extras(parser, taker),
    }
    return parser.parsed_row(facts)


def _parse_oudlers(parser: RowParser) -> int | None:
    """Return the number of oudlers; add a problem for a number above 3, before the row is scored."""
    number = parser.integer("oudlers")
    if number is not None and number > 3:
        parser.add_problem("oudlers", "not_among", given=parser.text("oudlers"), allowed="0, 1, 2, 3")
    return number


def _parse_partner(parser: RowParser) -> int | None:
    if len(parser.seats) < 5:
        parser.require_empty("partner")
        return None
    return None if parser.text("partner") in ("0", "-") else parser.seat("partner", other_text=NO_PLAYER)


def _parse_extras(parser: RowParser, taker: int | None) -> dict[str, Any]:
    """Return the facts (JSON of what happened) in the cell "extras" of a deal with a taker."""
    facts: dict[str, Any] = {}
    handfuls = []
    for code in parser.tokens("extras", r"[hpdt][1-6]?|[sc][-+]|[-+a]"):
        if code[0] in HANDFUL_CODES:
            seat = parser.seat("extras", code[1:]) if code[1:] else taker
            handfuls.append({"seat": seat, "size": HANDFUL_CODES[code[0]]})
        elif code == "a":
            _set_once(parser, facts, "slam_announced", True, code)
        elif code in SIDE_CODES:
            _set_once(parser, facts, "small_last", SIDE_CODES[code], code)
        else:
            _set_once(parser, facts, "slam", SIDE_CODES[code[1]], code)
    return {**facts, "handfuls": handfuls or None}


def _parse_extras_by_seats(parser: RowParser) -> dict[str, Any]:
    """Return the facts (JSON of what happened) in the cell "extras" of a deal "one for one" (without a taker): they
    belong to seats instead of sides.
    """
    facts: dict[str, Any] = {}
    handfuls = []
    for code in parser.tokens("extras", r"[hpdtsc+][1-6]"):
        seat = parser.seat("extras", code[1:])
        if code[0] in HANDFUL_CODES:
            handfuls.append({"seat": seat, "size": HANDFUL_CODES[code[0]]})
        else:
            _set_once(parser, facts, "small_last" if code[0] == "+" else "slam", seat, code)
    return {**facts, "handfuls": handfuls or None}


def _set_once(parser: RowParser, facts: dict[str, Any], name: str, value: object, code: str) -> None:
    if name in facts:
        parser.add_problem("extras", "code_twice", given=code)
    facts[name] = value


def format_cells(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    contract = facts["contract"]
    cells = {"contract": letters[_CONTRACT_NAMES.index(_ONE_FOR_ONE_IN_TEAMS if facts.get("teams") else contract)]}
    if contract == "passed":
        return cells
    code = dict(zip((*_EXTRAS_CELL_WORDS, *piles_row.OUDLER_NAMES), letters[len(_CONTRACT_NAMES) :], strict=True))
    if contract == "one_for_one":
        cells["extras"] = "".join(_format_extras_by_seats(facts, seats, code))
        return cells | piles_row.format_cells(facts, seats, code)
    cells |= {
        "taker": str(seats[facts["taker"]]),
        "oudlers": str(facts["oudlers"]),
        "points": plain_number_text(facts["points"]),
        "extras": "".join(_format_extras(facts, seats, code)),
    }
    if len(seats) >= 5:
        partner = facts.get("partner")
        cells["partner"] = "0" if partner is None else str(seats[partner])
    return cells


def _format_handfuls(facts: Mapping[str, Any], seats: Sequence[int], code: Mapping[str, str]) -> Iterator[str]:
    for handful in facts.get("handfuls") or ():
        yield f"{code[handful['size']]}{seats[handful['seat']]}"


def _format_extras(facts: Mapping[str, Any], seats: Sequence[int], code: Mapping[str, str]) -> Iterator[str]:
    signs = {side: sign for sign, side in SIDE_CODES.items()}
    if facts.get("small_last"):
        yield signs[facts["small_last"]]
    yield from _format_handfuls(facts, seats, code)
    if facts.get("slam_announced"):
        yield code["announced"]
    if facts.get("slam"):
        yield code["slam"] + signs[facts["slam"]]


def _format_extras_by_seats(facts: Mapping[str, Any], seats: Sequence[int], code: Mapping[str, str]) -> Iterator[str]:
    if facts.get("small_last") is not None:
        yield f"+{seats[facts['small_last']]}"
    yield from _format_handfuls(facts, seats, code)
    if facts.get("slam") is not None:
        yield f"{code['slam']}{seats[facts['slam']]}"


ROW = RowCodes(
    columns=columns,
    parse=parse,
    format_cells=format_cells,
    # Take, guard, guard without, guard against, one for one, the same in teams, passed; then simple, double and triple
    # handful, slam, announced; then the 21, the Excuse and the Small of a pile. French: PGSCOEXpdtcavep
    letters=_("TGWAOMXhdtsates"),
    confusable_letters=_("tgwahd"),  # French: pgscd
    selector_cell="contract",
)
