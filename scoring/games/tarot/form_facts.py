"""Conversion of values of tarot's deal form to facts (JSON of what happened at the table), and back.

`cleaned` is the `cleaned_data` of a valid DealForm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.field_names import flatten_facts, nest_facts

Teams = tuple[tuple[int, int], ...]


def facts_of_form(cleaned: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Return the facts (JSON of what happened; RULES.md) of a submitted form. Leave out the values of fields that the
    contract does not need.
    """
    contract = cleaned["contract"]
    if contract == "passed":
        return {"contract": contract}
    if contract == "one_for_one":
        return _one_for_one_facts(cleaned, seats)
    partner = cleaned.get("partner")
    values = {
        "contract": contract,
        "taker": cleaned["taker"],
        "partner": None if partner == "alone" else partner,
        "points": cleaned["points"],
        "oudlers": cleaned["oudlers"],
        "small_last": cleaned["small_last"],
        "handfuls": _handful_facts(cleaned, seats),
        "slam_announced": cleaned["slam_announced"] or None,
        "slam": cleaned["slam"],
    }
    return _remove_none(values)


def _one_for_one_facts(cleaned: Mapping[str, Any], seats: int) -> dict[str, Any]:
    teams = read_teams(cleaned.get("teams"))
    values = {
        "contract": "one_for_one",
        "dog_points": cleaned["dog_points"],
        "teams": [list(team) for team in teams] or None,
        "piles": [_pile_facts(cleaned, index) for index in range(len(teams) or seats)],
        "small_last": cleaned["small_seat"],
        "handfuls": _handful_facts(cleaned, seats),
        "slam": cleaned["slam_seat"],
    }
    return _remove_none(values)


def _pile_facts(cleaned: Mapping[str, Any], index: int) -> dict[str, Any]:
    prefix = f"piles.{index}."
    pile = nest_facts({key.removeprefix(prefix): value for key, value in cleaned.items() if key.startswith(prefix)})
    return {key: value for key, value in pile.items() if key != "characters" or value}


def _handful_facts(cleaned: Mapping[str, Any], seats: int) -> list[dict[str, Any]] | None:
    return [{"seat": seat, "size": cleaned[f"handful_{seat}"]} for seat in handful_seats(cleaned, seats)] or None


def _remove_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def handful_seats(cleaned: Mapping[str, Any], seats: int) -> list[int]:
    """Return the seats for which the form has a handful, in ascending order, as in the list `handfuls` of the facts."""
    return [seat for seat in range(seats) if cleaned.get(f"handful_{seat}")]


def initial_values(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial values of the form for the facts (JSON of what happened) of a legal deal."""
    values: dict[str, Any] = {
        key: facts.get(key) for key in ("contract", "taker", "points", "oudlers", "slam_announced", "dog_points")
    }
    values |= {f"handful_{handful['seat']}": handful["size"] for handful in facts.get("handfuls") or ()}
    if facts["contract"] != "one_for_one":
        partner = facts.get("partner")
        sides = {"small_last": facts.get("small_last"), "slam": facts.get("slam")}
        return {**values, **sides, "partner": "alone" if partner is None else partner}
    piles = facts["piles"]
    teams = facts.get("teams")
    if teams:
        # The form sorts teams by their first seat; facts may list teams and piles in any order.
        order = sorted(range(len(teams)), key=lambda index: min(teams[index]))
        piles = [piles[index] for index in order]
        values["teams"] = teams_value([tuple(sorted(teams[index])) for index in order])
    values |= {"small_seat": facts.get("small_last"), "slam_seat": facts.get("slam")}
    return values | flatten_facts({"piles": piles})


def pairings(seats: Sequence[int]) -> Iterator[Teams]:
    """Yield all divisions of the seats into teams of two: 3 divisions of 4 seats, 15 of 6."""
    if not seats:
        yield ()
        return
    first, *mates = seats
    for mate in mates:
        for rest in pairings([seat for seat in mates if seat != mate]):
            yield ((first, mate), *rest)


def teams_value(teams: Sequence[Sequence[int]]) -> str:
    """Return the teams of seats as the text of a form field: "0-2 1-3"."""
    return " ".join("-".join(map(str, team)) for team in teams)


def read_teams(text: str | None) -> Teams:
    """Return the teams for a text that `teams_value` returned; () if it is empty."""
    pairs = [team.split("-") for team in (text or "").split()]
    return tuple((int(first), int(second)) for first, second in pairs)
