"""Properties of rankings and pairings, for tournaments of any shape."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.ranking import TIE_BREAKS
from league.pairing.tests.test_vectors import cost_of, parsed_answer
from tests.examples import examples

TIES = st.lists(st.sampled_from(sorted(TIE_BREAKS)), unique=True)


@st.composite
def tournaments(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a request for a ranking: up to 7 units, 4 rounds, tables of 2 or 3, few different points."""
    units = [f"u{number}" for number in range(draw(st.integers(0, 7)))]
    rounds = []
    for _ in range(draw(st.integers(0, 4))):
        waiting = draw(st.permutations(units))
        tables = []
        while len(waiting) > 1 and draw(st.integers(0, 9)):
            size = draw(st.integers(2, min(3, len(waiting))))
            sides, waiting = waiting[:size], waiting[size:]
            if draw(st.integers(0, 5)):
                tables.append({"sides": [{"unit": unit, "points": 10 * draw(st.integers(-1, 3))} for unit in sides]})
            else:
                absent = draw(st.integers(1, size))
                tables.append({"sides": [{"unit": u, "forfeit": index < absent} for index, u in enumerate(sides)]})
        rounds.append({"tables": tables, "exempt": waiting[: draw(st.integers(0, 1))]})
    exempt = st.fixed_dictionaries({"mean": st.just(True), "win": st.booleans()}) | st.fixed_dictionaries(
        {"points": st.integers(0, 30), "win": st.booleans()}
    )
    match_points = {"by": "match_points", "win": 3, "draw": 2, "loss": 1, "forfeit_win": 2, "forfeit": 0}
    rules = {
        "ranking": draw(st.sampled_from([{"by": "points"}, {"by": "wins"}, match_points])),
        "exempt": draw(exempt),
        "forfeit_points": draw(st.integers(0, 20)),
        "ties": draw(TIES),
        **draw(st.sampled_from([{}, {"cap": 20}])),
    }
    return {"do": "rank", "rules": rules, "units": units, "rounds": rounds}


@given(tournaments(), st.randoms(use_true_random=False))
def test_ranking_does_not_depend_on_names_or_the_order_of_tables(request: dict[str, Any], random: Any) -> None:
    names = {unit: f"v{index}" for index, unit in enumerate(random.sample(request["units"], len(request["units"])))}
    renamed = {
        **request,
        "units": [names[unit] for unit in reversed(request["units"])],
        "rounds": [
            {
                "tables": [
                    {"sides": [{**side, "unit": names[side["unit"]]} for side in reversed(table["sides"])]}
                    for table in reversed(round_["tables"])
                ],
                "exempt": [names[unit] for unit in round_["exempt"]],
            }
            for round_ in request["rounds"]
        ],
    }
    rows = {names[row["unit"]]: {**row, "unit": names[row["unit"]]} for row in parsed_answer(request)["rows"]}
    assert {row["unit"]: row for row in parsed_answer(renamed)["rows"]} == rows


@given(tournaments())
def test_ranks_are_1_2_2_4_and_scores_fall(request: dict[str, Any]) -> None:
    rows = parsed_answer(request)["rows"]
    assert [row["rank"] for row in rows] == [1 + sum(better["rank"] < row["rank"] for better in rows) for row in rows]
    for upper, lower in pairwise(rows):
        assert (-upper["score"], upper["rank"], upper["unit"]) < (-lower["score"], lower["rank"] + 1, lower["unit"])
        if upper["score"] == lower["score"] and upper["rank"] < lower["rank"]:
            assert upper["decided_by"]


def matchings(units: list[str]) -> Iterator[list[list[str]]]:
    if not units:
        yield []
        return
    first, *later_units = units
    for index, second in enumerate(later_units):
        for tables in matchings(later_units[:index] + later_units[index + 1 :]):
            yield [[first, second], *tables]


@st.composite
def pair_requests(draw: st.DrawFn) -> dict[str, Any]:
    units = [f"u{number}" for number in range(draw(st.integers(0, 8)))]
    pairs = [list(pair) for pair in combinations(units, 2)]
    some_pairs = st.lists(st.sampled_from(pairs), max_size=20) if pairs else st.just([])
    return {
        "do": "pair",
        "method": draw(st.sampled_from(["ranking", "lot"])),
        "units": units,
        "met": draw(some_pairs),
        "separated": draw(some_pairs),
        "rested": draw(st.lists(st.sampled_from(units), max_size=9)) if units else [],
        "seed": draw(st.integers(0, 99)),
    }


@settings(max_examples=examples(60), deadline=None)
@given(pair_requests())
def test_no_other_pairing_is_better(request: dict[str, Any]) -> None:
    pairing = parsed_answer(request)
    rests = {unit: request["rested"].count(unit) for unit in request["units"]}
    if len(rests) % 2:
        assert rests.pop(pairing["rests"]) == min(map(request["rested"].count, request["units"]))
    else:
        assert pairing["rests"] is None
    assert cost_of(request, pairing["tables"]) == min(cost_of(request, tables) for tables in matchings(list(rests)))
    assert parsed_answer(request) == pairing


@given(st.integers(2, 9), st.integers(0, 5), st.sampled_from(["ranking", "lot"]))
def test_no_unit_rests_twice_before_all_have_rested(count: int, seed: int, method: str) -> None:
    units = [f"u{number}" for number in range(2 * count - 1)]
    rested: list[str] = []
    for _ in units:
        request = {"do": "pair", "method": method, "units": units, "rested": rested, "seed": seed}
        rested.append(parsed_answer(request)["rests"])
    assert sorted(rested) == sorted(units)


@given(st.integers(1, 12))
def test_a_movement_has_no_rematch_before_each_two_have_met(tables: int) -> None:
    units = [f"u{number}" for number in range(2 * tables)]
    meetings: list[list[str]] = []
    for number in range(1, tables + 1):
        request = {"do": "pair", "method": "movement", "units": units, "round": number, "met": meetings}
        pairing = parsed_answer(request)
        assert pairing["rematches"] == 0
        meetings += pairing["tables"]
