"""The reasons of a rating change add up to it exactly."""

from datetime import date

from hypothesis import given, settings

from players.rating.reasons import PlayedTable, reasons
from players.rating.reference import PlayerRating, RatingStep, Result, Side, rate_results
from players.rating.tests.leagues import leagues, lengths
from scoring.rules.interface import TableLength

DATE = date(2026, 10, 2)
CLUB = TableLength("deals", 4, 10, 20, "club")


def before(steps: tuple[RatingStep[int], ...], day: date) -> dict[int, PlayerRating]:
    return {step.player: step.rating for step in steps if step.date < day}


@settings(deadline=None)  # as long as its machine is busy
@given(leagues(), lengths)
def test_lines_add_up_to_every_change_of_a_league(results: list[Result[int]], length: TableLength) -> None:
    steps = rate_results(results, length).steps
    for step in steps:
        ratings = before(steps, step.date)
        played = [PlayedTable(number, result) for number, result in enumerate(results) if result.date == step.date]
        tables = reasons(played, length, ratings, step.player)
        assert sum(table.gain for table in tables) == step.rating.micro - ratings.get(step.player, PlayerRating()).micro
        assert (
            sum(bool(table.reasons) for table in tables)
            == step.rating.tables - ratings.get(step.player, PlayerRating()).tables
        )


def test_next_round_counts_from_the_ratings_after_the_one_before() -> None:
    """RATINGS.md, club rules, 20 deals: K = 4 × f. At first f = 4: the stake is 16, and half of it is won."""
    first = Result(DATE, 1, (Side((1,), 30), Side((2,), -30)), 20)
    second = first._replace(round=2)
    first_table, second_table = reasons([PlayedTable(8, second), PlayedTable(7, first)], CLUB, {}, 1)

    assert [(first_table.table, first_table.round), (second_table.table, second_table.round)] == [(7, 1), (8, 2)]
    [line] = first_table.reasons
    assert (line.opponents, line.halves, line.expected, line.stake, line.gain) == (
        (2,), 2, 500_000_000, 16_000_000, 8_000_000,
    )  # fmt: skip
    [line] = second_table.reasons
    assert line.expected > 500_000_000
    assert line.stake < 16_000_000  # n is 1 by now


def test_table_that_is_too_short_has_no_reasons_but_a_place() -> None:
    result = Result(DATE, 1, (Side((1, 3), 10), Side((2, 4), 30)), 3)
    [table] = reasons([PlayedTable(7, result)], CLUB, {}, 1)
    assert (table.reasons, table.gain) == ((), 0)
    assert (table.rank, table.sides, table.total, table.partners) == (2, 2, 10, (3,))


def test_each_member_of_a_side_sees_only_their_share() -> None:
    result = Result(DATE, 1, (Side((4, 1), 60), Side((2, 3), 30)), 20)
    for player in (1, 4):
        [table] = reasons([PlayedTable(7, result)], CLUB, {}, player)
        assert [(reason.opponents, reason.gain) for reason in table.reasons] == [((2, 3), 8_000_000)]


def test_tables_without_the_player_change_the_expectation_but_are_not_listed() -> None:
    own_table = Result(DATE, 2, (Side((1,), 60), Side((2,), 30)), 20)
    theirs = Result(DATE, 1, (Side((2,), 60), Side((3,), 30)), 20)
    [table] = reasons([PlayedTable(1, theirs), PlayedTable(2, own_table)], CLUB, {}, 1)
    assert table.table == 2
    assert table.reasons[0].expected < 500_000_000  # the opponent won before
