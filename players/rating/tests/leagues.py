"""Hypothesis strategies for results, and their conversion to arrays."""

import datetime
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from players.rating.experience import Days
from players.rating.reference import PlayerRating, Result, Side, State
from players.rating.tables import SeatColumns
from scoring.rules.interface import TableLength

DEALS = TableLength("deals", 4, 10, 20, "club")
TOP = TableLength("top", 12, 19, 25, "published")
LENGTHS = [length._replace(rating_equation=rules) for length in (DEALS, TOP) for rules in ("club", "published")]

lengths = st.sampled_from(LENGTHS)
# Evenings close together, and some so far apart that n is halved, also over a 29 February.
dates = st.sampled_from(
    [datetime.date(2020, 2, 28), datetime.date(2020, 2, 29), datetime.date(2021, 2, 28), datetime.date(2021, 3, 1)]
    + [datetime.date(2021, 3, day) for day in (2, 9, 16)]
    + [datetime.date(2022, 3, 9), datetime.date(2025, 1, 1), datetime.date(2099, 12, 31)]
)


@st.composite
def tables(draw: st.DrawFn, date: datetime.date, number: int, *, people: int = 14, alone: bool = False) -> Result[int]:
    """Return a table of two sides or more, of one member each or of up to three, with totals that often tie."""
    seated = draw(st.lists(st.integers(1, people), min_size=2, max_size=8, unique=True))
    size = 1 if alone else draw(st.integers(1, 3))
    # Cutting every `size` leaves the last side shorter now and then: sides of unequal sizes.
    groups = [tuple(seated[start : start + size]) for start in range(0, len(seated), size)]
    if len(groups) == 1:
        groups = [groups[0][:1], groups[0][1:]]
    sides = tuple(Side(group, draw(st.integers(8, 27))) for group in groups)
    return Result(date, number, sides, draw(st.integers(1, 25)))


@st.composite
def leagues(draw: st.DrawFn) -> list[Result[int]]:
    """Return up to 25 tables in periods with common players, some of them at two tables of one period."""
    periods = draw(st.lists(st.tuples(dates, st.integers(1, 3)), min_size=1, max_size=25))
    alone = draw(st.booleans())
    return [draw(tables(date, number, alone=alone)) for date, number in periods]


@st.composite
def states(draw: st.DrawFn, people: int = 14) -> State[int]:
    ratings = {
        player: PlayerRating(
            micro=draw(st.integers(-900_000_000, 3_500_000_000)),
            experience=draw(st.integers(0, 200_000)),
            tables=1,
            dates=1,
            opponents=0,
            last=datetime.date(2020, 1, 1),
        )
        for player in range(1, people + 1)
    }
    return State(ratings, {})


def arrays(results: Sequence[Result[int]]) -> tuple[SeatColumns, Days]:
    """Return the results as seat rows, and the date of each period."""
    periods = sorted({(result.date, result.round) for result in results})
    rows = [
        (periods.index((result.date, result.round)), table, place, player, side.total, result.deals or 0)
        for table, result in enumerate(results)
        for place, side in enumerate(result.sides)
        for player in side.players
    ]
    columns = np.array(sorted(rows), dtype=np.int64).reshape(-1, len(SeatColumns._fields)).T
    return SeatColumns(*columns), np.array([date for date, _ in periods], dtype="datetime64[D]")
