"""The second line of short codes for a deal "one for one" (without a taker): the teams, the dog (the hidden cards), and
the piles in the order of seats or teams.

A pile is typed without separators: `30es6` is 30 points, the Excuse and the Small, 6 tricks. So oudlers are letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.games.tarot.cards import CHARACTERS
from scoring.games.tarot.one_for_one import TEAM_TABLE_SIZES, TRICK_COUNTS
from scoring.row_codes import Column, RowParser, plain_number_text
from scoring.rules.words import gettext_noop as _

OUDLER_NAMES = ("21", "excuse", "small")  # the oudlers, in the order of their letters in a row's `letters`
OUDLER_CODES = {**dict.fromkeys("tv", "21"), "e": "excuse", **dict.fromkeys("sp", "small")}
POINTS_PREFIX = r"[0-9]{0,2}(?:[.,][05]?|½)?"
# Texts of the contract's cell: a deal "one for one", alone or in teams, in English and French.
_ALONE_CODE, _TEAMS_CODE = "[oO]", "[mMeE]"
_ONE_FOR_ONE_CODE = "[oOmMeE]"
_TIE_PATTERN = re.compile(r"([0-9]{4})?(?:/([0-9]{1,3}))?")


def columns(seats: int) -> tuple[Column, ...]:
    """Return the columns of the second line: teams (only at tables of 4 or 6), points in the dog (the hidden cards),
    and four columns for each pile.
    """

    def column(
        name: str, label: str, prefix_pattern: str, needed_pattern: str = _ONE_FOR_ONE_CODE, **settings: Any
    ) -> Column:
        return Column(name, label, prefix_pattern, needed_pattern=needed_pattern, second_line=True, **settings)

    cells = []
    if seats in TEAM_TABLE_SIZES:
        pairs = _("Teams: seat numbers, two by two: 13 24; the last two go without saying")
        cells.append(column("teams", _("Teams"), "[1-6 ]*", _TEAMS_CODE, width=5, is_numeric=True, legend=(pairs,)))
    legend = (
        _("A pile: 30te6 is 30 points, the 21 and the Excuse, 6 tricks. Oudlers: t the 21, e the Excuse, s the Small"),
    )
    tie_legend = _(
        "Tie, when it is asked for: kings, queens, knights and jacks, then a stroke and the first trick won: 1020/3"
    )
    cells.append(
        column("dog_points", _("Dog: points"), POINTS_PREFIX, width=4, is_numeric=True, other_facts=("piles",))
    )
    for pile in range(seats):
        number = pile + 1
        needed_pattern = _ALONE_CODE if seats in TEAM_TABLE_SIZES and number > seats // 2 else _ONE_FOR_ONE_CODE
        points, oudlers = _("Pile %(number)s: points"), _("Pile %(number)s: oudlers")
        tricks, tie = _("Pile %(number)s: tricks"), _("Pile %(number)s: tie")
        cells += [
            column(
                f"piles.{pile}.points",
                points,
                POINTS_PREFIX,
                needed_pattern,
                width=4,
                is_numeric=True,
                number=number,
                legend=legend,
            ),
            column(
                f"piles.{pile}.oudlers",
                oudlers,
                "[tTvVeEsSpP]*",
                needed_pattern,
                width=3,
                needed=False,
                number=number,
                legend=legend,
            ),
            column(
                f"piles.{pile}.tricks",
                tricks,
                "[0-9]{0,2}",
                needed_pattern,
                complete_pattern=_complete_number_pattern(max(TRICK_COUNTS[seats])),
                width=2,
                is_numeric=True,
                number=number,
            ),
            column(
                f"piles.{pile}.tie",
                tie,
                "[0-9]{0,4}(?:/[0-9]{0,2})?",
                needed_pattern,
                width=6,
                needed=False,
                on_demand=True,
                number=number,
                other_facts=(f"piles.{pile}.characters", f"piles.{pile}.first_trick"),
                legend=(tie_legend,),
            ),
        ]
    return tuple(cells)


def _complete_number_pattern(maximum: int) -> str:
    """Return a regular expression for a complete number up to `maximum`.

    It matches two digits, or one digit that is not the start of a larger allowed number.
    """
    return f"[{''.join(str(digit) for digit in range(10) if not 0 < digit * 10 <= maximum)}]|[0-9]{{2}}"


def parse(parser: RowParser, in_teams: bool) -> dict[str, Any]:
    """Return the facts (JSON of what happened) of a deal's second line of codes: dog points, teams and piles.

    With `in_teams` the cell of the teams is required.
    """
    if in_teams and len(parser.seats) not in TEAM_TABLE_SIZES:
        parser.add_problem("contract", "unknown_code", given=parser.text("contract"))
    elif in_teams and not parser.text("teams"):
        parser.add_problem("teams", "missing")
    teams = _parse_teams(parser)
    count = len(teams) if teams else len(parser.seats)
    for pile in range(count, len(parser.seats)):
        parser.require_empty(*(f"piles.{pile}.{key}" for key in ("points", "oudlers", "tricks", "tie")))
    return {
        "dog_points": parser.points("dog_points"),
        "teams": teams,
        "piles": [_parse_pile(parser, f"piles.{pile}.") for pile in range(count)],
    }


def _parse_teams(parser: RowParser) -> list[list[int]] | None:
    """Return the teams as pairs of seats; the last pair need not be typed. None without teams."""
    if len(parser.seats) not in TEAM_TABLE_SIZES:
        parser.require_empty("teams")
        return None
    text = parser.text("teams")
    if not text:
        return None
    seats = [seat for digit in text if (seat := parser.seat("teams", digit)) is not None]
    missing = [seat for seat in range(len(parser.seats)) if seat not in seats]
    if len(seats) % 2 == 0 and len(missing) == 2:
        seats += missing
    return [seats[index : index + 2] for index in range(0, len(seats), 2)]


def _parse_pile(parser: RowParser, prefix: str) -> dict[str, Any]:
    codes = parser.tokens(f"{prefix}oudlers", "[tvesp]")
    pile: dict[str, Any] = {
        "points": parser.points(f"{prefix}points"),
        "oudlers": [OUDLER_CODES[code] for code in codes],
        "tricks": parser.integer(f"{prefix}tricks"),
    }
    text = parser.text(f"{prefix}tie")
    match = _TIE_PATTERN.fullmatch(text)
    if not match:
        parser.add_problem(f"{prefix}tie", "unknown_code", given=text)
        return pile
    characters, first = match.groups()
    if characters:
        pile["characters"] = dict(zip(CHARACTERS, map(int, characters), strict=True))
    if first:
        pile["first_trick"] = int(first)
    return pile


def format_cells(facts: Mapping[str, Any], seats: Sequence[int], letters: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of the second line for the facts (JSON of what happened) of a deal "one for one" (without a
    taker). `letters` are the codes of the oudlers.
    """
    teams = facts.get("teams") or ()
    cells = {"dog_points": plain_number_text(facts["dog_points"])}
    if teams:
        cells["teams"] = " ".join("".join(str(seats[seat]) for seat in team) for team in teams)
    for index, pile in enumerate(facts["piles"]):
        counts = pile.get("characters")
        first = pile.get("first_trick")
        tie = "".join(str(counts[kind]) for kind in CHARACTERS) if counts else ""
        cells |= {
            f"piles.{index}.points": plain_number_text(pile["points"]),
            f"piles.{index}.oudlers": "".join(letters[oudler] for oudler in pile["oudlers"]),
            f"piles.{index}.tricks": str(pile["tricks"]),
            f"piles.{index}.tie": tie if first is None else f"{tie}/{first}",
        }
    return cells
