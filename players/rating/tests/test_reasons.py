"""The pair lines that a change is explained by add up to it exactly, in any league."""

from datetime import date

from hypothesis import given, settings

from players.rating.reasons import PlayedTable, reasons
from players.rating.reference import Held, Result, Side, Step, recompute
from players.rating.tests.leagues import leagues, lengths
from scoring.rules.interface import Length

ON = date(2026, 10, 2)
CLUB = Length("deals", 4, 10, 20, "club")


def before(steps: tuple[Step[int], ...], day: date) -> dict[int, Held]:
    return {step.player: step.held for step in steps if step.date < day}


@settings(deadline=None)  # as long as its machine is busy
@given(leagues(), lengths)
def test_lines_add_up_to_every_change_of_a_league(results: list[Result[int]], length: Length) -> None:
    steps = recompute(results, length).steps
    for step in steps:
        held = before(steps, step.date)
        played = [PlayedTable(number, result) for number, result in enumerate(results) if result.date == step.date]
        found = reasons(played, length, held, step.player)
        assert sum(table.moved for table in found) == step.held.micro - held.get(step.player, Held()).micro
        assert sum(bool(table.reasons) for table in found) == step.held.tables - held.get(step.player, Held()).tables


def test_next_round_counts_from_the_ratings_after_the_one_before() -> None:
    """RATINGS.md, club rules, two sides of 20 deals: K = 4 × f. At first f = 4: 16 is at stake, and half of it won."""
    first = Result(ON, 1, (Side((1,), 30), Side((2,), -30)), 20)
    second = first._replace(round=2)
    one, two = reasons([PlayedTable(8, second), PlayedTable(7, first)], CLUB, {}, 1)

    assert [(one.table, one.round), (two.table, two.round)] == [(7, 1), (8, 2)]
    [line] = one.reasons
    assert (line.opponents, line.halves, line.expected, line.stake, line.moved) == (
        (2,), 2, 500_000_000, 16_000_000, 8_000_000,
    )  # fmt: skip
    [line] = two.reasons
    assert line.expected > 500_000_000
    assert line.stake < 16_000_000  # n is 1 by now


def test_table_that_is_too_short_has_no_reasons_but_a_place() -> None:
    result = Result(ON, 1, (Side((1, 3), 10), Side((2, 4), 30)), 3)
    [table] = reasons([PlayedTable(7, result)], CLUB, {}, 1)
    assert (table.reasons, table.moved) == ((), 0)
    assert (table.place, table.sides, table.total, table.partners) == (2, 2, 10, (3,))


def test_a_member_of_a_side_is_told_his_own_share() -> None:
    result = Result(ON, 1, (Side((4, 1), 60), Side((2, 3), 30)), 20)
    for player in (1, 4):
        [table] = reasons([PlayedTable(7, result)], CLUB, {}, player)
        assert [(reason.opponents, reason.moved) for reason in table.reasons] == [((2, 3), 8_000_000)]


def test_tables_without_the_player_are_used_and_not_told() -> None:
    own = Result(ON, 2, (Side((1,), 60), Side((2,), 30)), 20)
    theirs = Result(ON, 1, (Side((2,), 60), Side((3,), 30)), 20)
    [table] = reasons([PlayedTable(1, theirs), PlayedTable(2, own)], CLUB, {}, 1)
    assert table.table == 2
    assert table.reasons[0].expected < 500_000_000  # the opponent won before
