"""The points of a deal of contrée, computed a second time from the text of the rules: slowly, without lines.

Shares no code with the game.
"""

from collections.abc import Mapping
from typing import Any

DEFAULTS: Mapping[str, Any] = {
    "scoring": "points_and_contract",
    "failed_base": 160,
    "capot": 250,
    "capot_scoring": "contract",
    "generale": 500,
    "all_tricks": 252,
    "redouble": 4,
    "doubled_base": "plain",
    "failed_belote": "defence",
    "belote_helps": True,
    "must_beat_defence": False,
    "announcements": False,
    "rounding": None,
}


Sums = dict[str, int]  # by side: "attack" and "defence"


def naive_points(facts: Mapping[str, Any], options: Mapping[str, Any]) -> list[int]:
    if facts["taker"] is None:
        return [0, 0, 0, 0]
    rules = {**DEFAULTS, **options}
    sweeper = {"attack": "attack", "taker": "attack", "defence": "defence", None: None}[facts.get("all_tricks")]
    belotes = {side: 20 * ((facts.get("belotes") or {}).get(side) or 0) for side in ("attack", "defence")}
    announced = {side: (facts.get("announcements") or {}).get(side) or 0 for side in ("attack", "defence")}
    cards = {"attack": facts["points"], "defence": 152 - facts["points"]}
    cards[facts["last_trick"]] += 10
    if sweeper is not None:
        everything = announced["attack"] + announced["defence"]
        cards = {side: rules["all_tricks"] if side == sweeper else 0 for side in cards}
        announced = {side: everything if side == sweeper else 0 for side in cards}
    contract_made = _is_made(facts, rules, cards, belotes, announced)
    winner = "attack" if contract_made else "defence"
    totals = _totals(facts, rules, cards, winner, winner_has_all=sweeper == winner)
    if rules["scoring"] != "contract":
        keeps_own = contract_made and facts.get("double") is None
        for side in ("attack", "defence"):
            totals[side if keeps_own or rules["failed_belote"] == "holder" else winner] += belotes[side]
            totals[side if keeps_own else winner] += announced[side]
    mine, theirs = (_round(totals[side], rules["rounding"]) for side in ("attack", "defence"))
    return [mine if seat % 2 == facts["taker"] % 2 else theirs for seat in range(4)]


def _is_made(facts: Mapping[str, Any], rules: Mapping[str, Any], cards: Sums, belotes: Sums, announced: Sums) -> bool:
    contract = facts["contract"]
    if contract == "capot":
        return facts.get("all_tricks") in ("attack", "taker")
    if contract == "generale":
        return facts.get("all_tricks") == "taker"
    reached = cards["attack"] + announced["attack"]
    if rules["belote_helps"]:
        reached += belotes["attack"]
    sums = {side: cards[side] + belotes[side] + announced[side] for side in cards}
    beats = sums["attack"] > sums["defence"] or not rules["must_beat_defence"]
    return bool(reached >= contract and beats)


def _totals(
    facts: Mapping[str, Any], rules: Mapping[str, Any], cards: Sums, winner: str, *, winner_has_all: bool
) -> Sums:
    contract, doubled = facts["contract"], facts.get("double")
    is_named = contract in ("capot", "generale")
    flat = is_named and rules["capot_scoring"] == "flat"
    value = rules[contract] if is_named else contract
    if rules["scoring"] == "points" and not flat:
        value = 0
    base_counts = not flat and rules["scoring"] != "contract"
    base = (rules["all_tricks"] if winner_has_all else rules["failed_base"]) if base_counts else 0
    totals = {"attack": 0, "defence": 0}
    if doubled is not None:
        times = {"double": 2, "redouble": rules["redouble"]}[doubled]
        base_times = {"multiplied": times, "plain": 1, "none": 0}[rules["doubled_base"]]
        totals[winner] = value * times + base * base_times
    elif winner == "defence":
        totals["defence"] = base + value
    else:
        totals = dict(cards) if base_counts else totals
        totals["attack"] += value
    return totals


def _round(points: int, rounding: str | None) -> int:
    if rounding is None:
        return points
    rest = points % 10
    return points - rest + (10 if rest >= (5 if rounding == "five_up" else 6) else 0)
