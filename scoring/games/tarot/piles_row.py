"""The second line of a deal one for one: the dog, the teams, and the piles in the order of the seats or teams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.games.tarot.cards import CHARACTERS
from scoring.games.tarot.one_for_one import SEATS_OF_TEAMS
from scoring.row_codes import Column, Reader, number_text
from scoring.rules.words import gettext_noop as _

OUDLERS = {"2": "21", "e": "excuse", "s": "small", "p": "small"}
_POINTS = r"[0-9]{0,2}(?:[.,][05]?|½)?"
_WHEN = "[oO]"
_TIE = re.compile(r"([0-9]{4})?(?:/([0-9]{1,3}))?")


def columns(seats: int) -> tuple[Column, ...]:
    """Return the cells: dog, teams where the seats are even, and four a pile."""

    def column(name: str, label: str, typed: str, **more: Any) -> Column:
        return Column(name, label, typed, when=_WHEN, second_line=True, **more)

    found = [column("dog_points", _("Dog: points"), _POINTS, width=4, digits=True, holds=("piles",))]
    if seats in SEATS_OF_TEAMS:
        found.append(column("teams", _("Teams"), "[1-6 ]*", width=5, digits=True, needed=False))
    for pile in range(seats):
        number = pile + 1
        found += [
            column(f"piles.{pile}.points", _("Pile %(number)s: points"), _POINTS, width=4, digits=True, number=number),
            column(
                f"piles.{pile}.oudlers",
                _("Pile %(number)s: oudlers"),
                "[2eEsSpP]*",
                width=3,
                needed=False,
                number=number,
            ),
            column(
                f"piles.{pile}.tricks", _("Pile %(number)s: tricks"), "[0-9]{0,2}", width=2, digits=True, number=number
            ),
            column(
                f"piles.{pile}.tie",
                _("Pile %(number)s: tie"),
                "[0-9]{0,4}(?:/[0-9]{0,2})?",
                width=6,
                needed=False,
                number=number,
                holds=(f"piles.{pile}.characters", f"piles.{pile}.first_trick"),
            ),
        ]
    return tuple(found)


def legend() -> tuple[str, ...]:
    """Return the codes of the second line."""
    return (
        _("Teams: seat numbers, two by two: 13 24; empty when each is for himself"),
        _("Oudlers of a pile: 2 the 21, e the Excuse, s the Small"),
        _("Tie, when it is asked for: kings, queens, knights and jacks, then a stroke and the first trick won: 1020/3"),
    )


def read(reader: Reader) -> dict[str, Any]:
    """Return dog points, teams and piles."""
    teams = _teams(reader)
    count = len(teams) if teams else len(reader.seats)
    for pile in range(count, len(reader.seats)):
        reader.leave_empty(*(f"piles.{pile}.{key}" for key in ("points", "oudlers", "tricks", "tie")))
    return {
        "dog_points": reader.points("dog_points"),
        "teams": teams,
        "piles": [_pile(reader, f"piles.{pile}.") for pile in range(count)],
    }


def _teams(reader: Reader) -> list[list[int]] | None:
    """Return pairs of seats; the last pair goes without saying."""
    if len(reader.seats) not in SEATS_OF_TEAMS:
        reader.leave_empty("teams")
        return None
    text = reader.text("teams")
    if not text:
        return None
    told = [reader.seat("teams", digit) for digit in text]
    named = [seat for seat in told if seat is not None]
    left = [seat for seat in range(len(reader.seats)) if seat not in named]
    if len(named) % 2 == 0 and len(left) == 2:
        named += left
    return [named[at : at + 2] for at in range(0, len(named), 2)]


def _pile(reader: Reader, prefix: str) -> dict[str, Any]:
    codes = reader.tokens(f"{prefix}oudlers", "[2esp]", "2, e, s (p)")
    pile: dict[str, Any] = {
        "points": reader.points(f"{prefix}points"),
        "oudlers": [OUDLERS[code] for code in codes],
        "tricks": reader.whole(f"{prefix}tricks"),
    }
    text = reader.text(f"{prefix}tie")
    found = _TIE.fullmatch(text)
    if not found:
        reader.refuse(f"{prefix}tie", "unknown_code", given=text, allowed="1020, 1020/3, /3")
        return pile
    characters, first = found.groups()
    if characters:
        pile["characters"] = dict(zip(CHARACTERS, map(int, characters), strict=True))
    if first:
        pile["first_trick"] = int(first)
    return pile


def written(facts: Mapping[str, Any], seats: Sequence[int]) -> dict[str, str]:
    """Return the cells of a deal one for one that the engine accepts."""
    teams = facts.get("teams") or ()
    cells = {"dog_points": number_text(facts["dog_points"])}
    if teams:
        cells["teams"] = " ".join("".join(str(seats[seat]) for seat in team) for team in teams)
    letters = {oudler: code for code, oudler in reversed(OUDLERS.items())}
    for index, pile in enumerate(facts["piles"]):
        counts = pile.get("characters")
        first = pile.get("first_trick")
        told = "".join(str(counts[kind]) for kind in CHARACTERS) if counts else ""
        cells |= {
            f"piles.{index}.points": number_text(pile["points"]),
            f"piles.{index}.oudlers": "".join(letters[oudler] for oudler in pile["oudlers"]),
            f"piles.{index}.tricks": str(pile["tricks"]),
            f"piles.{index}.tie": told if first is None else f"{told}/{first}",
        }
    return cells
