"""A line of tarot's score sheet: from what a form holds to facts, and back again.

Knows the form's field names, not forms. `cleaned` is the cleaned_data of a valid DealForm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.field_names import flattened, nested

Teams = tuple[tuple[int, int], ...]


def facts(cleaned: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Return the facts of RULES.md; what the contract doesn't ask for is left out, whatever was typed."""
    contract = cleaned["contract"]
    if contract == "passed":
        return {"contract": contract}
    if contract == "one_for_one":
        return _one_for_one(cleaned, seats)
    partner = cleaned.get("partner")
    found = {
        "contract": contract,
        "taker": cleaned["taker"],
        "partner": None if partner == "alone" else partner,
        "points": cleaned["points"],
        "oudlers": cleaned["oudlers"],
        "small_last": cleaned["small_last"],
        "handfuls": _handfuls(cleaned, seats),
        "slam_announced": cleaned["slam_announced"] or None,
        "slam": cleaned["slam"],
    }
    return _told(found)


def _one_for_one(cleaned: Mapping[str, Any], seats: int) -> dict[str, Any]:
    teams = read_teams(cleaned.get("teams"))
    found = {
        "contract": "one_for_one",
        "dog_points": cleaned["dog_points"],
        "teams": [list(team) for team in teams] or None,
        "piles": [_pile(cleaned, index) for index in range(len(teams) or seats)],
        "small_last": cleaned["small_seat"],
        "handfuls": _handfuls(cleaned, seats),
        "slam": cleaned["slam_seat"],
    }
    return _told(found)


def _pile(cleaned: Mapping[str, Any], index: int) -> dict[str, Any]:
    prefix = f"piles.{index}."
    pile = nested({key.removeprefix(prefix): value for key, value in cleaned.items() if key.startswith(prefix)})
    return {key: value for key, value in pile.items() if key != "characters" or value}


def _handfuls(cleaned: Mapping[str, Any], seats: int) -> list[dict[str, Any]] | None:
    return [{"seat": seat, "size": cleaned[f"handful_{seat}"]} for seat in shown_handfuls(cleaned, seats)] or None


def _told(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if value is not None}


def shown_handfuls(cleaned: Mapping[str, Any], seats: int) -> list[int]:
    """Return the seats that showed one, in the order in which facts list them."""
    return [seat for seat in range(seats) if cleaned.get(f"handful_{seat}")]


def initial(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's initial values for facts that the engine accepts."""
    given = {key: facts.get(key) for key in ("contract", "taker", "points", "oudlers", "slam_announced", "dog_points")}
    found = {**given, **{f"handful_{shown['seat']}": shown["size"] for shown in facts.get("handfuls") or ()}}
    if facts["contract"] != "one_for_one":
        partner = facts.get("partner")
        sides = {"small_last": facts.get("small_last"), "slam": facts.get("slam")}
        return {**found, **sides, "partner": "alone" if partner is None else partner}
    piles = facts["piles"]
    teams = facts.get("teams")
    if teams:
        # The form names teams by their first seat; facts may list them, and so their piles, in any order.
        order = sorted(range(len(teams)), key=lambda index: min(teams[index]))
        piles = [piles[index] for index in order]
        found["teams"] = written([tuple(sorted(teams[index])) for index in order])
    found |= {"small_seat": facts.get("small_last"), "slam_seat": facts.get("slam")}
    return found | flattened({"piles": piles})


def pairings(seats: Sequence[int]) -> Iterator[Teams]:
    """Yield every way to make teams of two: 3 for 4 seats, 15 for 6."""
    if not seats:
        yield ()
        return
    first, *others = seats
    for mate in others:
        for rest in pairings([seat for seat in others if seat != mate]):
            yield ((first, mate), *rest)


def written(teams: Sequence[Sequence[int]]) -> str:
    """Return teams as one word of a form: 0-2 1-3."""
    return " ".join("-".join(map(str, team)) for team in teams)


def read_teams(text: str | None) -> Teams:
    """Return the teams of that word; none for each for himself."""
    pairs = [team.split("-") for team in (text or "").split()]
    return tuple((int(first), int(second)) for first, second in pairs)
