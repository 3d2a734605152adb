"""When a table is complete."""

from hypothesis import given
from hypothesis import strategies as st

from league.sheets.queries.table_end import deals_needed, has_one_leader, is_complete


def complete(end: str, number: int | None, **extra: object) -> bool:
    facts = {
        "one_player_rests": False,
        "deals": 0,
        "points": [0, 0, 0, 0],
        "by_totals": False,
        "finished": False,
        **extra,
    }
    return is_complete(end, number, **facts)  # type: ignore[arg-type]  # the facts are of several types


def test_after_its_number_of_deals() -> None:
    assert not complete("deals", 4, deals=3)
    assert complete("deals", 4, deals=4)
    assert complete("deals", 4, deals=5)


def test_where_one_of_five_rests_each_plays_the_number() -> None:
    assert deals_needed(4, 5, one_player_rests=True) == 5
    assert deals_needed(8, 5, one_player_rests=True) == 10
    assert deals_needed(5, 5, one_player_rests=False) == 5


@given(st.integers(1, 40), st.integers(4, 12))
def test_with_one_resting_everybody_gets_his_deals(number: int, size: int) -> None:
    deals = deals_needed(number, size, one_player_rests=True)
    assert deals * (size - 1) >= number * size > (deals - 1) * (size - 1)


def test_a_tie_at_the_target_plays_on() -> None:
    assert not complete("target", 100, deals=9, points=[100, 100, 20])
    assert complete("target", 100, deals=10, points=[101, 100, 20])
    assert not complete("target", 100, deals=10, points=[99, 3, 20])


def test_partners_share_the_lead_of_their_pair() -> None:
    pairs = ((0, 2), (1, 3))
    assert complete("target", 100, deals=9, points=[100, 80, 100, 80], sides=pairs)
    assert not complete("target", 100, deals=9, points=[100, 100, 100, 100], sides=pairs)
    assert not complete("target", 100, deals=9, points=[99, 80, 99, 80], sides=pairs)


def test_nobody_leads_an_empty_table() -> None:
    assert not has_one_leader([], 0)
    assert not complete("target", 0, deals=0, points=[1, 0])


def test_by_time_or_by_hand_only_the_secretary_ends_it() -> None:
    for end, number in (("minutes", 60), ("hand", None)):
        assert not complete(end, number, deals=50)
        assert complete(end, number, deals=1, finished=True)


def test_a_table_without_a_deal_is_not_complete_whatever_is_said_of_it() -> None:
    assert not complete("hand", None, finished=True)
    assert not complete("deals", 4, finished=True)


def test_a_sheet_of_totals_is_complete() -> None:
    assert complete("deals", 4, by_totals=True)
