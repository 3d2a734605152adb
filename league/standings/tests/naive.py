"""Standings by brute force, written from the description of the rules: slow, with fractions, no shared code.

The input is a well-formed request of `python -m league.standings`; the output is the same as its answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Json = Mapping[str, Any]


def answer(request: Json) -> list[dict[str, Any]]:
    return Season(request).rows()


def number_json(number: Fraction) -> int | list[int]:
    return number.numerator if number.denominator == 1 else [number.numerator, number.denominator]


class Season:
    """A request; every value is computed again at each call."""

    def __init__(self, request: Json) -> None:
        self.rules: Json = request.get("rules", {})
        self.evenings: Sequence[Json] = sorted(request["evenings"], key=lambda item: (item["date"], item["id"]))
        self.adjustments: Sequence[Json] = request.get("adjustments", [])
        self.counts: Json = self.rules.get("counts", {"which": "all"})
        results = [result["player"] for evening in self.evenings for result in evening["results"]]
        self.players = sorted({*results, *(item["player"] for item in self.adjustments)})

    # An evening

    def result(self, player: str, evening: Json) -> Json | None:
        return next((item for item in evening["results"] if item["player"] == player), None)

    def attended(self, player: str) -> list[Json]:
        return [evening for evening in self.evenings if self.result(player, evening)]

    def worth(self, player: str, evening: Json) -> Fraction | None:
        own_result = self.result(player, evening)
        assert own_result is not None
        rule = self.rules.get("worth", {"by": "points"})
        if rule["by"] == "points":
            return Fraction(own_result["points"])
        if rule["by"] == "average":
            return Fraction(own_result["points"], own_result["deals"]) if own_result.get("deals") else None
        if rule["by"] == "wins":
            score = own_result["points"] if rule.get("plus_points") else 0
            tables = [
                rule[a] * own_result.get(b, 0) for a, b in (("win", "won"), ("loss", "lost"), ("exempt", "exempt"))
            ]
            return Fraction(sum(tables) + score)
        if rule["by"] == "opponents":
            tables = own_result.get("tables", [])
            return sum(
                ((item["before"] + Fraction(item["level"], 2)) / item["opponents"] for item in tables), Fraction()
            )
        return self.place_worth(own_result, evening, rule)

    def place_worth(self, own_result: Json, evening: Json, rule: Json) -> Fraction:
        members = rule.get("among") == "members"
        if members and not own_result.get("member", True):
            return Fraction(0)
        field = [item for item in evening["results"] if item.get("member", True) or not members]
        first = self.place(own_result, field)
        sharing = sum(self.place(item, field) == first for item in field)
        points, rest = rule["points"], rule.get("rest", rule["points"][-1])
        of_place = [points[place - 1] if place <= len(points) else rest for place in range(first, first + sharing)]
        return Fraction(sum(of_place), sharing) if rule.get("shared") == "mean" else Fraction(of_place[0])

    def place(self, own_result: Json, field: Iterable[Json]) -> int:
        """Return one more than the number of better results: more points, or stayed while this player left."""

        def strength(result: Json) -> tuple[bool, int]:
            return not result.get("left", False), result["points"]

        return 1 + sum(strength(item) > strength(own_result) for item in field)

    def value(self, player: str, evening: Json) -> Fraction | None:
        worth = self.worth(player, evening)
        weight = 1 if self.counts["which"] == "average" else evening.get("weight", 1)
        return None if worth is None else worth * weight

    # A player

    def valued(self, player: str) -> list[Json]:
        return [evening for evening in self.attended(player) if self.value(player, evening) is not None]

    def counted_evenings(self, player: str) -> list[Json]:
        valued = self.valued(player)
        which = self.counts["which"]
        finals = [evening for evening in self.evenings if evening.get("final") and self.counts.get("final")]
        always = [evening for evening in valued if evening in finals]
        candidates = [evening for evening in valued if evening not in finals]
        if which == "all" or (which == "average" and "n" not in self.counts):
            return valued
        if which == "drop":
            beyond = len(self.attended(player)) - self.counts["after"]
            size = len(candidates) - max(0, beyond) // self.counts["each"]
        else:
            size = self.counts["n"] - len(finals)
        best = self.best(player, candidates, min(max(size, 0), len(candidates)))
        return [evening for evening in valued if evening in best or evening in always]

    def best(self, player: str, evenings: Sequence[Json], size: int) -> Sequence[Json]:
        """Return the choice of this size with the highest sum; of equal sums, the latest evenings."""

        def merit(choice: Sequence[Json]) -> tuple[Fraction, list[int]]:
            values = [self.value(player, evening) or Fraction() for evening in choice]
            return sum(values, Fraction()), sorted(map(self.evenings.index, choice), reverse=True)

        return max(combinations(evenings, size), key=merit)

    def dropped_evenings(self, player: str) -> list[Json]:
        counted_evenings = self.counted_evenings(player)
        return [evening for evening in self.valued(player) if evening not in counted_evenings]

    def total(self, player: str) -> Fraction:
        counted_evenings = self.counted_evenings(player)
        values = [self.value(player, evening) or Fraction() for evening in counted_evenings]
        extras = self.attendance(player) + self.adjustment(player)
        if self.counts["which"] != "average":
            return sum(values, Fraction()) + extras
        weights = [evening.get("weight", 1) for evening in counted_evenings]
        weighed = sum((value * weight for value, weight in zip(values, weights, strict=True)), Fraction())
        return (weighed / sum(weights) if sum(weights) else Fraction()) + extras

    def attendance(self, player: str) -> int:
        return int(self.rules.get("attendance", 0)) * len(self.attended(player))

    def adjustment(self, player: str) -> int:
        return sum(item["points"] for item in self.adjustments if item["player"] == player)

    def missing(self, player: str) -> int:
        minimum = self.rules.get("minimum", {})
        minimum_evenings = Fraction(minimum.get("evenings", 0))
        if "share" in minimum:
            minimum_evenings = Fraction(*minimum["share"]) * len(self.evenings)
        attended_count = len(self.attended(player))
        return next(
            lacking for lacking in range(len(self.evenings) + 20) if attended_count + lacking >= minimum_evenings
        )

    def is_ranked(self, player: str) -> bool:
        results = [self.result(player, evening) or {} for evening in self.attended(player)]
        return any(item.get("member", True) for item in results) and not self.missing(player)

    # Equal totals

    def split(self, group: list[str], ties: Sequence[str], last: str) -> list[tuple[str, list[str]]]:
        """Return the groups that stay level, best first, each with the last tie-break that split it."""
        if not ties or len(group) == 1:
            return [(last, group)]
        keys = getattr(self, f"tie_{ties[0]}")(group)
        parts = [[item for item in group if keys[item] == key] for key in sorted(set(keys.values()), reverse=True)]
        decided = ties[0] if len(parts) > 1 else last
        return [groups for part in parts for groups in self.split(part, ties[1:], decided)]

    def key_by_player(self, group: Iterable[str], key: Callable[[str], Any]) -> dict[str, Any]:
        return {player: key(player) for player in group}

    def sum_of(self, player: str, key: str) -> int:
        return sum((self.result(player, evening) or {}).get(key, 0) for evening in self.attended(player))

    def tie_next_best(self, group: list[str]) -> dict[str, Any]:
        def values(player: str) -> tuple[Fraction, ...]:
            return tuple(
                sorted((self.value(player, item) or Fraction() for item in self.dropped_evenings(player)), reverse=True)
            )

        return self.key_by_player(group, values)

    def tie_evenings_won(self, group: list[str]) -> dict[str, Any]:
        def won(player: str) -> int:
            own_result = [(self.result(player, evening) or {}, evening["results"]) for evening in self.attended(player)]
            return sum(self.place(result, field) == 1 for result, field in own_result)

        return self.key_by_player(group, won)

    def tie_total_points(self, group: list[str]) -> dict[str, Any]:
        return self.key_by_player(group, lambda player: self.sum_of(player, "points"))

    def tie_average(self, group: list[str]) -> dict[str, Any]:
        def average(player: str) -> tuple[int, Fraction]:
            deals = self.sum_of(player, "deals")
            return (1, Fraction(self.sum_of(player, "points"), deals)) if deals else (0, Fraction())

        return self.key_by_player(group, average)

    def tie_best_evening(self, group: list[str]) -> dict[str, Any]:
        def best(player: str) -> tuple[Fraction, ...]:
            return tuple(sorted(self.value(player, item) or Fraction() for item in self.valued(player))[-1:])

        return self.key_by_player(group, best)

    def tie_direct(self, group: list[str]) -> dict[str, Any]:
        common = [item for item in self.evenings if all(item in self.valued(player) for player in group)]
        return self.key_by_player(group, lambda player: sum(self.value(player, evening) or 0 for evening in common))

    def tie_wins(self, group: list[str]) -> dict[str, Any]:
        return self.key_by_player(group, lambda player: self.sum_of(player, "won"))

    def tie_more_evenings(self, group: list[str]) -> dict[str, Any]:
        return self.key_by_player(group, lambda player: len(self.attended(player)))

    def tie_fewer_evenings(self, group: list[str]) -> dict[str, Any]:
        return self.key_by_player(group, lambda player: -len(self.attended(player)))

    # The answer

    def rows(self) -> list[dict[str, Any]]:
        ranked = [player for player in self.players if self.is_ranked(player)]
        totals = {player: self.total(player) for player in self.players}
        rows: list[dict[str, Any]] = []
        for total in sorted({totals[player] for player in ranked}, reverse=True):
            level = [player for player in ranked if totals[player] == total]
            for tie_break, group in self.split(level, self.rules.get("ties", []), ""):
                rank = 1 + len(rows)
                rows += [self.row(player, rank, tie_break) for player in sorted(group)]
        unranked = [player for player in self.players if player not in ranked]
        return rows + [
            self.row(player, None, "") for player in sorted(unranked, key=lambda item: (-totals[item], item))
        ]

    def row(self, player: str, rank: int | None, tie_break: str) -> dict[str, Any]:
        return {
            "player": player,
            "rank": rank,
            "total": number_json(self.total(player)),
            "evenings": len(self.attended(player)),
            "counted": [evening["id"] for evening in self.counted_evenings(player)],
            "dropped": [evening["id"] for evening in self.dropped_evenings(player)],
            "worth": {item["id"]: number_json(self.value(player, item) or Fraction()) for item in self.valued(player)},
            "attendance": self.attendance(player),
            "adjustment": self.adjustment(player),
            "tie_break": tie_break,
            "missing": self.missing(player),
        }
