"""The numbers of RATINGS.md, and numbers computed from them by hand."""

import datetime
import subprocess
import sys
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from pathlib import Path

import pytest

from players.rating import k_factor
from players.rating.expectation import CERTAINTY, EXPECTATION_TABLE, MICRO_POINTS_PER_POINT, expected_score
from players.rating.reference import (
    START_RATING,
    PlayerRating,
    Result,
    Side,
    State,
    periods,
    rate_period,
    rate_results,
    years_away,
)
from scoring.rules.interface import TableLength

FRIDAY = datetime.date(2026, 10, 2)
TAROT = TableLength("deals", 4, 10, 20, "club")
BELOTE = TableLength("deals", 4, 8, 12, "club")
TWO_WAY = TableLength("top", 12, 19, 25, "published")
EMPTY_STATE: State[str] = State({}, {})


def table(*totals: int, date: datetime.date = FRIDAY, number: int = 1, deals: int | None = None) -> Result[str]:
    """Return a result of players a, b, c …, without partners."""
    return Result(date, number, tuple(Side((chr(97 + index),), total) for index, total in enumerate(totals)), deals)


def gains_of(result: Result[str], length: TableLength, before: State[str] = EMPTY_STATE) -> dict[str, int]:
    """In micro-points, by player."""
    after = rate_period(before, [result], length).ratings
    return {player: rating.micro - before.ratings.get(player, PlayerRating()).micro for player, rating in after.items()}


def test_expectation_table_is_the_curve_rounded_half_even() -> None:
    with localcontext(prec=60):
        curve = [CERTAINTY / (1 + Decimal(10) ** (Decimal(-points) / 400)) for points in range(1201)]
        assert list(EXPECTATION_TABLE) == [
            int(expectation.quantize(Decimal(1), ROUND_HALF_EVEN)) for expectation in curve
        ]


def test_expectation_between_points_is_on_the_line_rounded_down_for_the_stronger() -> None:
    assert expected_score(0) == CERTAINTY // 2
    assert expected_score(25 * MICRO_POINTS_PER_POINT) == EXPECTATION_TABLE[25]
    # e[0] = 500,000,000 and e[1] = 501,439,112: 1,439,112 · 0.000001 = 1.439112, rounded down to 1.
    assert (EXPECTATION_TABLE[0], EXPECTATION_TABLE[1]) == (500_000_000, 501_439_112)
    assert expected_score(1) == 500_000_001
    assert expected_score(-1) == 499_999_999
    assert (
        expected_score(5_000 * MICRO_POINTS_PER_POINT)
        == expected_score(1_200 * MICRO_POINTS_PER_POINT)
        == EXPECTATION_TABLE[1200]
    )


def test_published_table_of_four() -> None:
    # 32 × (3 × ½), then 32 × (1½ − 1) for the second, and 32 × (½·1 − 3·½ + 0) for the two who tie.
    assert gains_of(table(25, 18, 12, 12), TWO_WAY) == {
        "a": 48_000_000, "b": 16_000_000, "c": -32_000_000, "d": -32_000_000,
    }  # fmt: skip


def test_club_belote_from_the_start() -> None:
    result = Result(FRIDAY, 1, (Side(("anna", "bob"), 1100), Side(("carl", "dora"), 900)), 12)
    changes = rate_period(EMPTY_STATE, [result], BELOTE)
    assert [line.stake for line in changes.lines] == [16_000_000, 16_000_000]
    assert {player: rating.micro - START_RATING for player, rating in changes.ratings.items()} == {
        "anna": 8_000_000, "bob": 8_000_000, "carl": -8_000_000, "dora": -8_000_000,
    }  # fmt: skip


def test_explained_line_of_four_at_a_tarot_table() -> None:
    # n = 28: f = 1 + 60/48 = 2.25; K = 4/√3 × 2.25 = 5.196; E(25) = .536; 5.196 × (1 − .536) = 2.411.
    veteran = PlayerRating(START_RATING, experience=28_000, last=FRIDAY)
    before = State({"a": veteran._replace(micro=1_025_000_000), "b": veteran, "c": veteran, "d": veteran}, {})
    line = rate_period(before, [table(30, -10, -10, -10, deals=20)], TAROT).lines[0]
    assert (line.side, line.opponents, line.halves) == (("a",), ("b",), 2)
    assert line.expected == 535_915_927
    assert line.stake == 5_196_152  # 2.309401 × 2.25 = 5.19615225
    # 5.196152 × 0.464084073 = 2.41145138…
    assert line.gains == (2_411_451,)


def test_stakes_by_number_of_sides() -> None:
    # 4/√1, 4/√2 = 2.82842712, 4/√3 = 2.30940107, 4/√4, 4/√5 = 1.78885438
    assert [k_factor.table_size_stake(sides) for sides in (2, 3, 4, 5, 6)] == [
        4_000_000,
        2_828_427,
        2_309_401,
        2_000_000,
        1_788_854,
    ]


def test_factor_falls_with_the_tables_played() -> None:
    assert [k_factor.experience_factor(n) for n in (0, 20_000, 40_000)] == [4_000_000, 2_500_000, 2_000_000]
    assert k_factor.experience_factor(1_000) == 3_857_143  # 1 + 60/21 = 3.857142857…


def test_club_stake_is_rounded_once() -> None:
    # k(3) = 2.828427, w = 0.7, f = 3.857143 and 4: 2.828427 × 0.7 × 7.857143 / 2 = 7.77817438…
    assert k_factor.club_stake(3, 1, [1_000], [0]) == 7_778_174


@pytest.mark.parametrize(
    ("players", "rungs"),
    [
        *[
            (2, (48, 32, 24)),
            (3, (32, 24, 16)),
            (4, (32, 24, 16)),
            (5, (24, 16, 12)),
            (6, (24, 16, 12)),
            (7, (16, 12, 8)),
        ],
        *[(8, (16, 12, 8)), (9, (12, 8, 6)), (10, (12, 8, 6)), (11, (8, 6, 4)), (12, (8, 6, 4)), (40, (8, 6, 4))],
    ],
)
def test_published_ladder(players: int, rungs: tuple[int, int, int]) -> None:
    assert tuple(k_factor.published_stake(players, short) // MICRO_POINTS_PER_POINT for short in range(3)) == rungs


@pytest.mark.parametrize(
    ("length", "measured", "short"),
    [
        *[(TAROT, 3, None), (TAROT, 4, 2), (TAROT, 9, 2), (TAROT, 10, 1), (TAROT, 19, 1), (TAROT, 20, 0)],
        *[(BELOTE, 3, None), (BELOTE, 4, 2), (BELOTE, 7, 2), (BELOTE, 8, 1), (BELOTE, 11, 1), (BELOTE, 12, 0)],
        *[
            (TWO_WAY, 11, None),
            (TWO_WAY, 12, 2),
            (TWO_WAY, 18, 2),
            (TWO_WAY, 19, 1),
            (TWO_WAY, 24, 1),
            (TWO_WAY, 25, 0),
        ],
    ],
)
def test_lengths(length: TableLength, measured: int, short: int | None) -> None:
    assert k_factor.length_shortfall(length, measured, measured) == short


def test_short_tables_weigh_less() -> None:
    ratings = rate_results([table(30, -30, deals=deals, number=deals) for deals in (4, 10, 20)], TAROT).state.ratings
    assert ratings["a"].experience == 500 + 700 + 1_000
    assert (ratings["a"].tables, ratings["a"].dates, ratings["a"].opponents) == (3, 1, 1)


def test_too_short_a_table_leaves_no_trace() -> None:
    assert rate_results([table(11, 5)], TWO_WAY).state == EMPTY_STATE


def test_deals_are_needed_where_they_measure() -> None:
    with pytest.raises(ValueError, match="deals"):
        rate_period(EMPTY_STATE, [table(30, -30)], TAROT)


def test_one_period_at_a_time() -> None:
    with pytest.raises(ValueError, match="several periods"):
        rate_period(EMPTY_STATE, [table(25, 3), table(25, 3, number=2)], TWO_WAY)


def test_two_tables_in_a_period_add_up() -> None:
    # Two clubs, one round number: both won from 1000, f = 4 at both, 4 × 4 × ½ = 8 each.
    first_club = Result(FRIDAY, 1, (Side(("a",), 9), Side(("b",), 8)), 20)
    second_club = Result(FRIDAY, 1, (Side(("a",), 9), Side(("c",), 8)), 20)
    ratings = rate_period(EMPTY_STATE, [first_club, second_club], TAROT).ratings
    assert ratings["a"] == PlayerRating(
        START_RATING + 16_000_000, experience=2_000, tables=2, dates=1, opponents=2, last=FRIDAY
    )
    assert (ratings["b"].micro, ratings["c"].micro) == (START_RATING - 8_000_000, START_RATING - 8_000_000)


def test_next_round_sees_the_new_ratings() -> None:
    first, second = periods([table(25, 3), table(25, 3, number=2)], TWO_WAY)
    assert first.changes.lines[0].expected == 500_000_000
    assert second.changes.lines[0].expected == EXPECTATION_TABLE[48]  # 1024 against 976


def test_unequal_sides_share_the_pot() -> None:
    # K = 4 × 4, x = 8, pot = 8 × (1 + 3)/2 = 16: the three pay 5.333333, 5.333333 and 5.333334, the last id most.
    result = Result(FRIDAY, 1, (Side(("z",), 9), Side(("c", "a", "b"), 8)), 20)
    assert gains_of(result, TAROT) == {"z": 16_000_000, "a": -5_333_333, "b": -5_333_333, "c": -5_333_334}


def test_partners_are_no_opponents() -> None:
    changes = rate_period(EMPTY_STATE, [Result(FRIDAY, 1, (Side(("d", "a"), 9), Side(("b", "c"), 8)), 12)], BELOTE)
    assert dict(changes.first_meetings) == dict.fromkeys((("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")), FRIDAY)
    assert {rating.opponents for rating in changes.ratings.values()} == {2}


@pytest.mark.parametrize(
    ("last", "date", "years"),
    [
        *[("2025-10-03", "2026-10-02", 0), ("2025-10-02", "2026-10-02", 1), ("2023-12-31", "2026-12-30", 2)],
        *[("2024-02-29", "2025-02-28", 0), ("2024-02-29", "2025-03-01", 1), ("2024-02-29", "2028-02-29", 4)],
    ],
)
def test_full_years_away(last: str, date: str, years: int) -> None:
    assert years_away(datetime.date.fromisoformat(last), datetime.date.fromisoformat(date)) == years


@pytest.mark.parametrize(("year", "n"), [(2026, 1_700 + 1_000), (2027, 850 + 1_000), (2029, 212 + 1_000)])
def test_n_halves_for_each_year_away(year: int, n: int) -> None:
    """1.7 tables; after three years 0.85, 0.425 and 0.2125, rounded down to a thousandth."""
    results = [table(9, 8, deals=20), table(9, 8, deals=10, number=2)]
    back = table(9, 8, deals=20, date=FRIDAY.replace(year=year), number=3)
    assert rate_results([*results, back], TAROT).state.ratings["a"].experience == n


def test_provisional_until_tables_dates_and_opponents() -> None:
    settled = PlayerRating(tables=20, dates=3, opponents=5)
    assert not settled.provisional
    assert settled._replace(tables=19).provisional
    assert settled._replace(dates=2).provisional
    assert settled._replace(opponents=4).provisional


def test_band() -> None:
    # 90·√(20/20), 90·√(20/80) = 45, 90·√(20/40) = 63.63961030…
    assert [PlayerRating(experience=n).band for n in (0, 60_000, 20_000)] == [90_000_000, 45_000_000, 63_639_610]


def test_rating_imports_without_django() -> None:
    code = (
        "import sys; sys.modules['django'] = None\n"
        "import players.rating, players.rating.command_line, players.rating.arrays\n"
        "from scoring import registry\n"
        "[registry.rules(slug).length for slug in registry.slugs()]\n"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)
