"""The effects of the house rules, worked out by hand from RULES.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.__main__ import answer
from scoring.games.belote.rules import RULES, SIDES
from scoring.games.belote.tests.test_rules import BELOTE, deals, relabel
from scoring.rules.errors import IllegalDeal
from scoring.tests import laws
from tests.examples import examples

DISPUTE = {"taker": 0, "points": 71, "last_trick": "attack"}  # 81
DISPUTE_WITH_BELOTE = {"taker": 1, "points": 91, "last_trick": "defence", "belote": "defence"}  # 91
WON = {"taker": 1, "points": 90, "last_trick": "attack"}  # 100 and 62
LOST = {"taker": 0, "points": 60, "last_trick": "attack"}  # 0 and 162
PASSED: dict[str, Any] = {"taker": None}
DISPUTE_HELD = {"dispute": "held"}

house_rules = st.fixed_dictionaries(
    {},
    optional={rule.name: st.sampled_from(tuple(rule.choices)) for rule in RULES.house_rules},
)
# As many deals in dispute, or nearly, as others.
near_dispute = st.builds(
    lambda taker, off, last, belote: {
        "taker": taker,
        "points": 81 + off - 10 * (last == "attack") + (10 if belote == "defence" else -10 if belote else 0),
        "last_trick": last,
        "belote": belote,
    },
    st.integers(0, 3),
    st.sampled_from((-1, 0, 0, 0, 1)),
    st.sampled_from(SIDES),
    st.sampled_from((None, *SIDES)),
)
any_deal = near_dispute | deals()


def points_of(facts: dict[str, Any], *earlier: dict[str, Any], **options: object) -> tuple[int, ...]:
    return laws.check_deal(BELOTE, 4, facts, options, earlier).points


def test_a_dispute_is_won_as_written() -> None:
    assert points_of(DISPUTE) == (81, 81, 81, 81)
    assert points_of(WON, DISPUTE) == (62, 100, 62, 100)


def test_what_is_in_dispute_goes_to_who_wins_the_next_deal() -> None:
    assert points_of(DISPUTE, **DISPUTE_HELD) == (0, 81, 0, 81)
    assert points_of(WON, DISPUTE, **DISPUTE_HELD) == (62, 181, 62, 181)
    assert points_of(LOST, DISPUTE, **DISPUTE_HELD) == (0, 243, 0, 243)
    assert points_of(WON, DISPUTE, LOST, **DISPUTE_HELD) == (62, 100, 62, 100)


def test_held_points_pass_over_disputes_and_passed_deals() -> None:
    assert points_of(DISPUTE_WITH_BELOTE, DISPUTE, **DISPUTE_HELD) == (91, 0, 91, 0)
    assert points_of(PASSED, DISPUTE, **DISPUTE_HELD) == (0, 0, 0, 0)
    assert points_of(WON, DISPUTE, PASSED, DISPUTE_WITH_BELOTE, PASSED, **DISPUTE_HELD) == (62, 272, 62, 272)


def test_a_belote_of_the_takers_side_is_held_with_its_points() -> None:
    belote_dispute = {**DISPUTE, "points": 61, "belote": "attack"}  # 61 + 10 + 20 = 91
    for rule in ("defence", "holder"):
        assert points_of(belote_dispute, failed_belote=rule, **DISPUTE_HELD) == (0, 91, 0, 91)
        assert points_of(LOST, belote_dispute, failed_belote=rule, **DISPUTE_HELD) == (0, 253, 0, 253)


def test_one_point_beside_is_no_dispute() -> None:
    assert points_of({**DISPUTE, "points": 70}, **DISPUTE_HELD) == (0, 162, 0, 162)
    assert points_of({**DISPUTE, "points": 72}, **DISPUTE_HELD) == (82, 80, 82, 80)


def test_a_lost_belote_stays_with_its_holder() -> None:
    facts = {**LOST, "belote": "attack"}  # 60 + 10 + 20 = 90
    assert points_of(facts) == (0, 182, 0, 182)
    assert points_of(facts, failed_belote="holder") == (20, 162, 20, 162)
    assert points_of({**LOST, "belote": "defence"}, failed_belote="holder") == (0, 182, 0, 182)
    assert points_of({**WON, "belote": "attack"}, failed_belote="holder") == (62, 120, 62, 120)


def test_a_slam_of_252() -> None:
    facts = {"taker": 0, "points": 152, "last_trick": "attack", "all_tricks": "attack"}
    assert points_of(facts) == (262, 0, 262, 0)
    assert points_of(facts, slam=90) == (252, 0, 252, 0)
    assert points_of({**facts, "belote": "attack"}, slam=90) == (272, 0, 272, 0)


def test_the_line_of_a_slam_cites_its_clause() -> None:
    facts = {"taker": 0, "points": 152, "last_trick": "attack", "all_tricks": "attack"}
    for slam, clause in ((100, "B2.3"), (90, "B6.3")):
        lines = laws.score(BELOTE, 4, facts, {"slam": slam}).lines
        assert [line.clause for line in lines if line.code == "slam"] == [clause]


@pytest.mark.parametrize(
    ("points", "rounded"),
    [(74, (80, 80, 80, 80)), (75, (90, 80, 90, 80)), (84, (90, 70, 90, 70)), (85, (100, 70, 100, 70))],
)
def test_points_are_rounded_to_the_nearest_ten_and_5_up(points: int, rounded: tuple[int, ...]) -> None:
    # 84 and 78; 85 and 77; 94 and 68; 95 and 67.
    assert points_of({"taker": 0, "points": points, "last_trick": "attack"}, rounding=10) == rounded


def test_held_points_are_rounded_when_they_are_won_and_not_before() -> None:
    assert points_of(DISPUTE, rounding=10, **DISPUTE_HELD) == (0, 80, 0, 80)
    facts = {"taker": 1, "points": 74, "last_trick": "attack"}  # 84 + 81 = 165; with 80 held it would be 164
    assert points_of(facts, DISPUTE, rounding=10, **DISPUTE_HELD) == (80, 170, 80, 170)


def test_each_house_rule_has_lines_of_its_own() -> None:
    options = {"dispute": "held", "failed_belote": "holder", "rounding": 10}
    lines = laws.score(BELOTE, 4, {**LOST, "belote": "attack"}, options, [DISPUTE]).lines
    assert [(line.code, line.clause, line.points) for line in lines[3:]] == [
        ("contract_lost", "B3.3", (-90, 90, -90, 90)),
        ("belote_stays", "B6.2", (20, -20, 20, -20)),
        ("held_before", "B6.1", (0, 81, 0, 81)),
        ("rounded", "B6.4", (0, -3, 0, -3)),
    ]


@given(any_deal, st.lists(any_deal, max_size=4), house_rules, st.booleans())
def test_every_law_holds_by_any_house_rules(
    facts: laws.Facts, earlier: list[laws.Facts], options: dict[str, Any], last: bool
) -> None:
    points = laws.check_deal(BELOTE, 4, facts, options, earlier, last=last).points
    assert points[:2] == points[2:]
    assert min(points) >= 0
    if options.get("rounding") and not (last and options.get("last_deal_exact")):
        assert all(value % 10 == 0 for value in points)
    laws.check_relabelling(BELOTE, 4, facts, options, (1, 2, 3, 0), relabel, earlier, last=last)


@given(any_deal, house_rules, st.booleans())
def test_both_sides_together_stay_within_what_the_options_allow(
    facts: laws.Facts, options: dict[str, Any], last: bool
) -> None:
    points = laws.score(BELOTE, 4, facts, {**options, "rounding": None}, last=last).points
    belote = 20 if facts.get("belote") else 0
    slam = options.get("slam", 100) if facts.get("all_tricks") else 0
    assert points[0] + points[1] in range(162 + belote + slam + 1)
    rounded = laws.score(BELOTE, 4, facts, options, last=last).points
    assert all(abs(after - before) <= 5 for before, after in zip(points, rounded, strict=True))
    RULES.check_totals(rounded, 1, RULES.read_options(options))


@given(any_deal, st.lists(any_deal, max_size=4), house_rules, st.booleans())
def test_rounding_is_the_last_step(
    facts: laws.Facts, earlier: list[laws.Facts], options: dict[str, Any], last: bool
) -> None:
    exact = laws.score(BELOTE, 4, facts, {**options, "rounding": None}, earlier, last=last).points
    # To the nearest ten: 5 up, or 5 down.
    for rule, half in ((10, 5), ("six_up", 4)):
        house = {**options, "rounding": rule, "last_deal_exact": False}
        rounded = laws.score(BELOTE, 4, facts, house, earlier, last=last).points
        assert rounded == tuple((value + half) // 10 * 10 for value in exact)


@given(st.lists(any_deal, min_size=1, max_size=8), house_rules, st.booleans())
def test_the_points_of_a_table_add_up_as_the_paper_check_has_it(
    sheet: list[laws.Facts], options: dict[str, Any], ends: bool
) -> None:
    """Unrounded: 162 a deal, 20 a belote, the slams that count, less the points still held."""
    house = {**options, "rounding": None}
    dispute, slam = house.get("dispute", "taker"), house.get("slam", 100)
    expected = held_points = 0
    for index, facts in enumerate(sheet):
        last = ends and index == len(sheet) - 1
        if facts.get("penalty") is not None:
            expected, held_points = expected + 162, 0
            continue
        if facts.get("taker") is None:
            continue
        full = facts["points"] + 10 * (facts["last_trick"] == "attack") + 20 * (facts.get("belote") == "attack")
        at_limit = full == (91 if facts.get("belote") else 81)
        if at_limit and dispute == "replayed":
            continue
        tricks = facts.get("all_tricks")
        expected += 162 + 20 * (facts.get("belote") is not None)
        expected += slam * (tricks == "attack" or (tricks == "defence" and house.get("slam_defence", False)))
        if not at_limit or dispute != "held":
            held_points = 0
        elif not (last and house.get("dispute_at_end") == "shared"):
            held_points += full
    played = RULES.play_table(
        [(4, facts) for facts in sheet], RULES.read_options(house), remaining=len(sheet) if ends else None
    )
    points = [deal.points for deal in played if not isinstance(deal, IllegalDeal)]
    assert len(points) == len(sheet)
    assert sum(deal[0] + deal[1] for deal in points) == expected - held_points


@given(st.lists(any_deal, max_size=8), st.sampled_from(("defence", "holder")))
def test_nothing_is_lost_but_what_is_held_after_the_last_deal(sheet: list[laws.Facts], belote: str) -> None:
    """With `held`, the points of a table's deals and the points still held add up to the points without the rule."""
    options = {"dispute": "held", "failed_belote": belote}
    won = sum(_pairs(facts, {"failed_belote": belote}) for facts in sheet)
    got = sum(_pairs(facts, options, sheet[:place]) for place, facts in enumerate(sheet))
    read = RULES.read_earlier(4, sheet)
    assert RULES.carry is not None
    assert won - got == RULES.carry(read, RULES.read_options(options))


def _pairs(facts: laws.Facts, options: dict[str, Any], earlier: Sequence[laws.Facts] = ()) -> int:
    return sum(laws.score(BELOTE, 4, facts, options, earlier).points[:2])


@given(any_deal, st.lists(any_deal, max_size=4))
def test_as_written_a_deal_does_not_depend_on_those_before(facts: laws.Facts, earlier: list[laws.Facts]) -> None:
    assert laws.score(BELOTE, 4, facts, {}, earlier) == laws.score(BELOTE, 4, facts)


@settings(max_examples=examples(50))
@given(laws.mutated(any_deal) | laws.json_values(), house_rules | laws.json_values())
def test_any_json_is_scored_or_refused_on_a_field(facts: Any, options: Any) -> None:
    laws.check_any_json(BELOTE, 4, facts, options)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dispute", "defence"),
        ("dispute", True),
        ("failed_belote", "taker"),
        ("slam", 50),
        ("slam", False),
        ("slam_defence", 0),
        ("slam_defence", 100),
        ("last_deal_exact", "yes"),
        ("rounding", "five_up"),
        ("dispute_at_end", "held"),
        ("slam", "100"),
        ("slam", 90.0),
        ("rounding", 5),
        ("rounding", 0),
        ("rounding", False),
        ("der", "included"),
    ],
)
def test_other_values_are_refused_on_their_option(name: str, value: object) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.read_options({name: value})
    assert refusal.value.field == f"options.{name}"


def test_exactly_81_is_lost_or_counts_nothing_in_tournaments() -> None:
    assert points_of(DISPUTE, dispute="lost") == (0, 162, 0, 162)
    assert points_of(DISPUTE_WITH_BELOTE, dispute="lost") == (182, 0, 182, 0)
    belote_dispute = {**DISPUTE, "points": 61, "belote": "attack"}
    assert points_of(belote_dispute, dispute="lost", failed_belote="holder") == (20, 162, 20, 162)
    for facts in (DISPUTE, DISPUTE_WITH_BELOTE, belote_dispute):
        assert points_of(facts, dispute="replayed") == (0, 0, 0, 0)


def test_a_dispute_in_the_last_deal_gives_points_to_nobody() -> None:
    for last, reason in ((False, ("in_dispute", "B6.1")), (True, ("dispute_lapses", "B6.7"))):
        answer = laws.check_deal(BELOTE, 4, DISPUTE, DISPUTE_HELD, last=last)
        assert (answer.lines[-1].code, answer.lines[-1].clause) == reason
        assert answer.points == (0, 81, 0, 81)
    assert BELOTE.rules.depends_on_last_deal(BELOTE.rules.read_options(DISPUTE_HELD))
    assert not BELOTE.rules.depends_on_last_deal(BELOTE.rules.read_options({}))


def test_a_dispute_in_the_last_deal_is_shared_by_the_house_rule() -> None:
    house = {**DISPUTE_HELD, "dispute_at_end": "shared"}
    assert laws.check_deal(BELOTE, 4, DISPUTE, house, [DISPUTE], last=True).points == (81, 81, 81, 81)
    assert laws.check_deal(BELOTE, 4, DISPUTE, house, [DISPUTE]).points == (0, 81, 0, 81)
    assert laws.check_deal(BELOTE, 4, WON, house, [DISPUTE], last=True).points == (62, 181, 62, 181)


def test_an_irregularity_gives_162_and_what_is_held_to_the_other_side() -> None:
    assert points_of({"penalty": 2}) == (0, 162, 0, 162)
    assert points_of({"penalty": 3}, DISPUTE, **DISPUTE_HELD) == (243, 0, 243, 0)
    assert points_of({"penalty": 3}, DISPUTE, rounding=10, **DISPUTE_HELD) == (240, 0, 240, 0)
    assert points_of(WON, DISPUTE, {"penalty": 0}, **DISPUTE_HELD) == (62, 100, 62, 100)


def test_every_trick_of_the_defence_counts_by_the_house_rule() -> None:
    facts = {"taker": 0, "points": 0, "last_trick": "defence", "all_tricks": "defence"}
    assert points_of(facts, slam_defence=True) == (0, 262, 0, 262)
    assert points_of(facts, slam_defence=True, slam=90) == (0, 252, 0, 252)
    assert points_of(facts, slam_defence=True, slam=0) == (0, 162, 0, 162)


def test_rounding_of_5_down_and_of_the_last_deal() -> None:
    facts = {"taker": 0, "points": 75, "last_trick": "attack"}  # 85 and 77
    assert points_of(facts, rounding="six_up") == (80, 80, 80, 80)
    assert points_of({**facts, "points": 76}, rounding="six_up") == (90, 80, 90, 80)
    house = {"rounding": 10, "last_deal_exact": True}
    assert laws.check_deal(BELOTE, 4, facts, house, last=True).points == (85, 77, 85, 77)
    assert laws.check_deal(BELOTE, 4, facts, house).points == (90, 80, 90, 80)


def test_null_is_the_default() -> None:
    nulls = {rule.name: None for rule in RULES.house_rules}
    assert RULES.read_options(nulls) == RULES.read_options({})


def test_the_command_takes_house_rules_and_earlier_deals() -> None:
    request = {"game": "belote", "seats": 4, "facts": WON, "options": DISPUTE_HELD, "earlier": [DISPUTE, PASSED]}
    reply = json.loads(answer(json.dumps(request).encode()))
    assert reply["points"] == [62, 181, 62, 181]
    assert reply["lines"][-1] == {
        "reason": "The 81 points held since the dispute go to the taker's side, who won this deal.",
        "points": [0, 81, 0, 81],
    }


@pytest.mark.parametrize("options", [{}, DISPUTE_HELD])
def test_an_earlier_deal_that_can_not_be_is_refused_whatever_the_house_rules(options: dict[str, Any]) -> None:
    request = {"game": "belote", "seats": 4, "facts": WON, "options": options, "earlier": [PASSED, {"taker": 7}]}
    assert json.loads(answer(json.dumps(request).encode()))["error"]["field"] == "earlier.1.taker"
