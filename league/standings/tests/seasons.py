"""Seasons and rules for the laws: small numbers, so that ties are usual."""

from typing import Any

from hypothesis import strategies as st

from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsAdjustment, SeasonEvening, TableResult
from league.standings.tie_breaks import TIE_BREAKS

PLAYERS = ("Ann", "Bea", "Cid", "Dan", "Eve")


def rules() -> st.SearchStrategy[dict[str, Any]]:
    """Any rules of a request."""
    return st.fixed_dictionaries(
        {},
        optional={
            "worth": worths(),
            "counts": choices(),
            "minimum": st.fixed_dictionaries({"evenings": st.integers(0, 4)})
            | st.fixed_dictionaries({"share": st.tuples(st.integers(1, 4), st.integers(4, 6)).map(list)})
            | st.just({}),
            "attendance": st.integers(0, 3),
            "ties": ties(),
        },
    )


def ties() -> st.SearchStrategy[list[str]]:
    """Any order of some tie-breaks."""
    return st.lists(st.sampled_from(sorted(TIE_BREAKS)), unique=True)


def worths() -> st.SearchStrategy[Any]:
    """Any rule of worth."""
    small = st.integers(0, 6)
    places = st.fixed_dictionaries(
        {"by": st.just("places"), "points": st.lists(small, min_size=1, max_size=4)},
        optional={
            "rest": small,
            "among": st.sampled_from(["all", "members"]),
            "shared": st.sampled_from(["same", "mean"]),
        },
    )
    wins = st.fixed_dictionaries(
        {"by": st.just("wins"), "win": st.integers(-1, 4), "loss": st.integers(-2, 2), "exempt": small},
        optional={"plus_points": st.booleans()},
    )
    return st.sampled_from([{"by": "points"}, {"by": "average"}, {"by": "opponents"}]) | places | wins


def choices() -> st.SearchStrategy[Any]:
    """Any choice of counted evenings."""
    n, final = st.integers(1, 4), {"final": st.booleans()}
    return (
        st.fixed_dictionaries({"which": st.just("all")}, optional=final)
        | st.fixed_dictionaries({"which": st.just("best"), "n": n}, optional=final)
        | st.fixed_dictionaries({"which": st.just("average")}, optional={"n": n, **final})
        | st.fixed_dictionaries({"which": st.just("drop"), "each": n, "after": st.integers(0, 3)}, optional=final)
    )


def results() -> st.SearchStrategy[list[dict[str, Any]]]:
    """Return results of some players on one evening."""
    few = st.integers(0, 3)
    result = st.fixed_dictionaries(
        {"player": st.sampled_from(PLAYERS), "points": st.integers(-4, 8)},
        optional={
            "deals": st.sampled_from([0, 2, 3, 4]),
            "member": st.booleans(),
            "left": st.booleans(),
            "won": few,
            "lost": few,
            "exempt": few,
            "tables": st.lists(tables(), max_size=2),
        },
    )
    return st.lists(result, max_size=5, unique_by=lambda result: result["player"])


@st.composite
def tables(draw: st.DrawFn) -> dict[str, int]:
    opponents = draw(st.integers(1, 4))
    before = draw(st.integers(0, opponents))
    return {"opponents": opponents, "before": before, "level": draw(st.integers(0, opponents - before))}


@st.composite
def evenings(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return some evenings in any order, at most one of them the final."""
    ids = draw(st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f"]), unique=True))
    season: list[dict[str, Any]] = [
        {"id": id_, "date": f"2026-10-{draw(st.integers(1, 4)):02}", "results": draw(results())} for id_ in ids
    ]
    weights = draw(st.lists(st.none() | st.integers(0, 3), min_size=len(season), max_size=len(season)))
    final = draw(st.integers(0, 2 * len(season)))
    for index, (evening, weight) in enumerate(zip(season, weights, strict=True)):
        if weight is not None:
            evening["weight"] = weight
        if index == final:
            evening["final"] = True
    return season


def requests() -> st.SearchStrategy[dict[str, Any]]:
    """Well-formed requests."""
    adjustment = st.fixed_dictionaries({"player": st.sampled_from([*PLAYERS, "Zoe"]), "points": st.integers(-3, 3)})
    return st.fixed_dictionaries(
        {"rules": rules(), "evenings": evenings()},
        optional={"adjustments": st.lists(adjustment, max_size=3)},
    )


def season_evening(evening: dict[str, Any]) -> SeasonEvening:
    player_evenings = [
        PlayerEvening(**{**result, "tables": tuple(TableResult(**table) for table in result.get("tables", ()))})
        for result in evening["results"]
    ]
    return SeasonEvening(**{**evening, "results": player_evenings})


def points_given(request: dict[str, Any]) -> list[PointsAdjustment]:
    return [PointsAdjustment(**adjustment) for adjustment in request.get("adjustments", ())]


def parse_request(request: dict[str, Any]) -> tuple[StandingsRules, list[SeasonEvening], list[PointsAdjustment]]:
    """Return rules, evenings and adjustments of a request."""
    return (
        StandingsRules.from_json(request["rules"]),
        [season_evening(evening) for evening in request["evenings"]],
        points_given(request),
    )
