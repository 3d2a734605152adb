"""Ranks after each of the last evenings of a season."""

from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsAdjustment, SeasonEvening
from league.standings.season_ranking import ranks_after_evenings

# Two evenings end 81, −27, −27, −27; the third −90, 270, −90, −90: 72, 216, −144, −144.
POINTS = [(81, -27, -27, -27), (81, -27, -27, -27), (-90, 270, -90, -90)]
EVENINGS = [
    SeasonEvening(f"e{day}", f"2026-09-0{day}", [PlayerEvening(*result) for result in zip("ABCD", row, strict=True)])
    for day, row in enumerate(POINTS, start=1)
]
AFTER = [
    ("e1", {"A": 1, "B": 2, "C": 2, "D": 2}),
    ("e2", {"A": 1, "B": 2, "C": 2, "D": 2}),
    ("e3", {"B": 1, "A": 2, "C": 3, "D": 3}),
]
RULES = StandingsRules()


def test_each_evening_has_the_ranks_of_the_season_so_far() -> None:
    assert ranks_after_evenings(RULES, EVENINGS[::-1], max_evenings=20, max_results=1000) == AFTER


def test_only_the_last_evenings_are_ranked() -> None:
    assert ranks_after_evenings(RULES, EVENINGS, max_evenings=2, max_results=1000) == AFTER[1:]


def test_a_large_season_has_fewer_evenings_but_one_at_least() -> None:
    # Of 12, 8 and 4 results.
    assert ranks_after_evenings(RULES, EVENINGS, max_evenings=20, max_results=20) == AFTER[1:]
    assert ranks_after_evenings(RULES, EVENINGS, max_evenings=20, max_results=1) == AFTER[2:]


def test_adjustments_count_from_the_start() -> None:
    [(_evening, first), *_rest] = ranks_after_evenings(
        RULES, EVENINGS, [PointsAdjustment("A", -200)], max_evenings=20, max_results=1000
    )
    assert first == {"B": 1, "C": 1, "D": 1, "A": 4}


def test_a_player_below_the_minimum_has_no_rank() -> None:
    rules = StandingsRules.from_json({"minimum": {"evenings": 2}})
    assert [
        len(ranks) for _evening, ranks in ranks_after_evenings(rules, EVENINGS, max_evenings=20, max_results=1000)
    ] == [
        0,
        4,
        4,
    ]


def test_no_evening_has_no_ranks() -> None:
    assert ranks_after_evenings(RULES, [], max_evenings=20, max_results=1000) == []
