"""Standings by brute force, read from the rules' description alone: slow, with fractions, and nothing shared.

Takes a request of `python -m league.standings` that is known to be well formed, and answers as that does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Json = Mapping[str, Any]


def answer(request: Json) -> list[dict[str, Any]]:
    """Return the rows of a request."""
    return Season(request).rows()


def written(number: Fraction) -> int | list[int]:
    """Return a number as answers have it."""
    return number.numerator if number.denominator == 1 else [number.numerator, number.denominator]


class Season:
    """A request, and every question asked of it anew."""

    def __init__(self, request: Json) -> None:
        self.rules: Json = request.get("rules", {})
        self.evenings: Sequence[Json] = sorted(request["evenings"], key=lambda each: (each["date"], each["id"]))
        self.adjustments: Sequence[Json] = request.get("adjustments", [])
        self.counts: Json = self.rules.get("counts", {"which": "all"})
        results = [result["player"] for evening in self.evenings for result in evening["results"]]
        self.players = sorted({*results, *(each["player"] for each in self.adjustments)})

    # An evening

    def result(self, player: str, evening: Json) -> Json | None:
        return next((each for each in evening["results"] if each["player"] == player), None)

    def attended(self, player: str) -> list[Json]:
        return [evening for evening in self.evenings if self.result(player, evening)]

    def worth(self, player: str, evening: Json) -> Fraction | None:
        mine = self.result(player, evening)
        assert mine is not None
        rule = self.rules.get("worth", {"by": "points"})
        if rule["by"] == "points":
            return Fraction(mine["points"])
        if rule["by"] == "average":
            return Fraction(mine["points"], mine["deals"]) if mine.get("deals") else None
        if rule["by"] == "wins":
            score = mine["points"] if rule.get("plus_points") else 0
            tables = [rule[a] * mine.get(b, 0) for a, b in (("win", "won"), ("loss", "lost"), ("exempt", "exempt"))]
            return Fraction(sum(tables) + score)
        if rule["by"] == "opponents":
            tables = mine.get("tables", [])
            return sum(
                ((each["before"] + Fraction(each["level"], 2)) / each["opponents"] for each in tables), Fraction()
            )
        return self.by_place(mine, evening, rule)

    def by_place(self, mine: Json, evening: Json, rule: Json) -> Fraction:
        members = rule.get("among") == "members"
        if members and not mine.get("member", True):
            return Fraction(0)
        field = [each for each in evening["results"] if each.get("member", True) or not members]
        first = self.place(mine, field)
        sharing = sum(self.place(each, field) == first for each in field)
        points, rest = rule["points"], rule.get("rest", rule["points"][-1])
        of_place = [points[place - 1] if place <= len(points) else rest for place in range(first, first + sharing)]
        return Fraction(sum(of_place), sharing) if rule.get("shared") == "mean" else Fraction(of_place[0])

    def place(self, mine: Json, field: Iterable[Json]) -> int:
        """Return one more than those ahead: with more points, or staying while mine left."""

        def strength(each: Json) -> tuple[bool, int]:
            return not each.get("left", False), each["points"]

        return 1 + sum(strength(each) > strength(mine) for each in field)

    def value(self, player: str, evening: Json) -> Fraction | None:
        worth = self.worth(player, evening)
        weight = 1 if self.counts["which"] == "average" else evening.get("weight", 1)
        return None if worth is None else worth * weight

    # A player

    def valued(self, player: str) -> list[Json]:
        return [evening for evening in self.attended(player) if self.value(player, evening) is not None]

    def counted(self, player: str) -> list[Json]:
        valued = self.valued(player)
        which = self.counts["which"]
        finals = [evening for evening in self.evenings if evening.get("final") and self.counts.get("final")]
        always = [evening for evening in valued if evening in finals]
        others = [evening for evening in valued if evening not in finals]
        if which == "all" or (which == "average" and "n" not in self.counts):
            return valued
        if which == "drop":
            beyond = len(self.attended(player)) - self.counts["after"]
            size = len(others) - max(0, beyond) // self.counts["each"]
        else:
            size = self.counts["n"] - len(finals)
        best = self.best(player, others, min(max(size, 0), len(others)))
        return [evening for evening in valued if evening in best or evening in always]

    def best(self, player: str, evenings: Sequence[Json], size: int) -> Sequence[Json]:
        """Of all choices of this size one with the highest sum, and of those the latest evenings."""

        def merit(chosen: Sequence[Json]) -> tuple[Fraction, list[int]]:
            values = [self.value(player, evening) or Fraction() for evening in chosen]
            return sum(values, Fraction()), sorted(map(self.evenings.index, chosen), reverse=True)

        return max(combinations(evenings, size), key=merit)

    def dropped(self, player: str) -> list[Json]:
        counted = self.counted(player)
        return [evening for evening in self.valued(player) if evening not in counted]

    def total(self, player: str) -> Fraction:
        counted = self.counted(player)
        values = [self.value(player, evening) or Fraction() for evening in counted]
        extras = self.attendance(player) + self.adjustment(player)
        if self.counts["which"] != "average":
            return sum(values, Fraction()) + extras
        weights = [evening.get("weight", 1) for evening in counted]
        weighed = sum((value * weight for value, weight in zip(values, weights, strict=True)), Fraction())
        return (weighed / sum(weights) if sum(weights) else Fraction()) + extras

    def attendance(self, player: str) -> int:
        return int(self.rules.get("attendance", 0)) * len(self.attended(player))

    def adjustment(self, player: str) -> int:
        return sum(each["points"] for each in self.adjustments if each["player"] == player)

    def missing(self, player: str) -> int:
        minimum = self.rules.get("minimum", {})
        least = Fraction(minimum.get("evenings", 0))
        if "share" in minimum:
            least = Fraction(*minimum["share"]) * len(self.evenings)
        came = len(self.attended(player))
        return next(lacking for lacking in range(len(self.evenings) + 20) if came + lacking >= least)

    def is_ranked(self, player: str) -> bool:
        results = [self.result(player, evening) or {} for evening in self.attended(player)]
        return any(each.get("member", True) for each in results) and not self.missing(player)

    # Equal totals

    def split(self, group: list[str], ties: Sequence[str], last: str) -> list[tuple[str, list[str]]]:
        """Groups that stay level, best first, each with the last tie-break that split a group it was in."""
        if not ties or len(group) == 1:
            return [(last, group)]
        keys = getattr(self, f"tie_{ties[0]}")(group)
        parts = [[each for each in group if keys[each] == key] for key in sorted(set(keys.values()), reverse=True)]
        decided = ties[0] if len(parts) > 1 else last
        return [found for part in parts for found in self.split(part, ties[1:], decided)]

    def each(self, group: Iterable[str], key: Callable[[str], Any]) -> dict[str, Any]:
        return {player: key(player) for player in group}

    def sum_of(self, player: str, key: str) -> int:
        return sum((self.result(player, evening) or {}).get(key, 0) for evening in self.attended(player))

    def tie_next_best(self, group: list[str]) -> dict[str, Any]:
        def values(player: str) -> tuple[Fraction, ...]:
            return tuple(
                sorted((self.value(player, each) or Fraction() for each in self.dropped(player)), reverse=True)
            )

        return self.each(group, values)

    def tie_evenings_won(self, group: list[str]) -> dict[str, Any]:
        def won(player: str) -> int:
            mine = [(self.result(player, evening) or {}, evening["results"]) for evening in self.attended(player)]
            return sum(self.place(result, field) == 1 for result, field in mine)

        return self.each(group, won)

    def tie_total_points(self, group: list[str]) -> dict[str, Any]:
        return self.each(group, lambda player: self.sum_of(player, "points"))

    def tie_average(self, group: list[str]) -> dict[str, Any]:
        def average(player: str) -> tuple[int, Fraction]:
            deals = self.sum_of(player, "deals")
            return (1, Fraction(self.sum_of(player, "points"), deals)) if deals else (0, Fraction())

        return self.each(group, average)

    def tie_best_evening(self, group: list[str]) -> dict[str, Any]:
        def best(player: str) -> tuple[Fraction, ...]:
            return tuple(sorted(self.value(player, each) or Fraction() for each in self.valued(player))[-1:])

        return self.each(group, best)

    def tie_direct(self, group: list[str]) -> dict[str, Any]:
        common = [each for each in self.evenings if all(each in self.valued(player) for player in group)]
        return self.each(group, lambda player: sum(self.value(player, evening) or 0 for evening in common))

    def tie_wins(self, group: list[str]) -> dict[str, Any]:
        return self.each(group, lambda player: self.sum_of(player, "won"))

    def tie_more_evenings(self, group: list[str]) -> dict[str, Any]:
        return self.each(group, lambda player: len(self.attended(player)))

    def tie_fewer_evenings(self, group: list[str]) -> dict[str, Any]:
        return self.each(group, lambda player: -len(self.attended(player)))

    # The answer

    def rows(self) -> list[dict[str, Any]]:
        ranked = [player for player in self.players if self.is_ranked(player)]
        totals = {player: self.total(player) for player in self.players}
        found: list[dict[str, Any]] = []
        for total in sorted({totals[player] for player in ranked}, reverse=True):
            level = [player for player in ranked if totals[player] == total]
            for tie_break, group in self.split(level, self.rules.get("ties", []), ""):
                rank = 1 + len(found)
                found += [self.row(player, rank, tie_break) for player in sorted(group)]
        others = [player for player in self.players if player not in ranked]
        return found + [self.row(player, None, "") for player in sorted(others, key=lambda each: (-totals[each], each))]

    def row(self, player: str, rank: int | None, tie_break: str) -> dict[str, Any]:
        return {
            "player": player,
            "rank": rank,
            "total": written(self.total(player)),
            "evenings": len(self.attended(player)),
            "counted": [evening["id"] for evening in self.counted(player)],
            "dropped": [evening["id"] for evening in self.dropped(player)],
            "worth": {each["id"]: written(self.value(player, each) or Fraction()) for each in self.valued(player)},
            "attendance": self.attendance(player),
            "adjustment": self.adjustment(player),
            "tie_break": tie_break,
            "missing": self.missing(player),
        }
