"""The records of tarot."""

from scoring.games.tarot.records import record_candidates
from scoring.games.tarot.remarks import remarks
from scoring.games.tarot.rules import RULES
from scoring.tests.records_laws import check_records

TAKE = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}
OPTIONS = RULES.read_options({})
CHARACTERS = ("kings", "queens", "knights", "jacks")


def candidates_of(facts: dict[str, object], seats: int = 4) -> list[tuple[str, int]]:
    return [(candidate.record, candidate.seat) for candidate in record_candidates(RULES.read(seats, facts), OPTIONS)]


def test_laws() -> None:
    check_records("tarot")


def test_high_contracts_count_when_they_are_made() -> None:
    assert candidates_of({**TAKE, "contract": "guard_against"}) == [("guard_against", 0)]
    assert candidates_of({**TAKE, "contract": "guard_without", "taker": 2}) == [("guard_without", 2)]
    assert candidates_of({**TAKE, "contract": "guard_against", "oudlers": 1}) == []
    assert candidates_of(TAKE) == []


def test_slam_is_of_the_whole_side() -> None:
    slam = {**TAKE, "points": 91, "oudlers": 3, "slam": "attack"}
    assert candidates_of(slam) == [("slam", 0)]
    assert candidates_of({**slam, "partner": 3}, seats=5) == [("slam", 0), ("slam", 3)]
    lost = {**TAKE, "points": 0, "oudlers": 0, "slam": "defence"}
    assert candidates_of(lost) == [("slam", 1), ("slam", 2), ("slam", 3)]


def test_large_handfuls() -> None:
    handfuls = [{"seat": 1, "size": "double"}]
    assert candidates_of({**TAKE, "handfuls": handfuls}) == [("double_handful", 1)]
    assert candidates_of({**TAKE, "handfuls": [{"seat": 1, "size": "simple"}]}) == []


def test_slam_one_for_one_is_of_the_whole_team_and_each_large_handful_of_its_seat() -> None:
    no_tricks = {
        "points": 0,
        "oudlers": [],
        "tricks": 0,
        "characters": dict.fromkeys(CHARACTERS, 0),
        "first_trick": None,
    }
    all_tricks = {
        "points": 84,
        "oudlers": ["21", "excuse"],
        "tricks": 18,
        "characters": dict.fromkeys(CHARACTERS, 4),
        "first_trick": 1,
    }
    facts: dict[str, object] = {"contract": "one_for_one", "dog_points": 7, "slam": 0}
    facts["handfuls"] = [{"seat": 0, "size": "triple"}]
    alone = {**facts, "piles": [all_tricks, no_tricks, no_tricks, no_tricks]}
    assert candidates_of(alone) == [("slam", 0), ("triple_handful", 0)]
    teams = {**facts, "piles": [all_tricks, no_tricks], "teams": [[0, 2], [1, 3]]}
    assert candidates_of(teams) == [("slam", 0), ("slam", 2), ("triple_handful", 0)]
    assert candidates_of({**teams, "handfuls": [{"seat": 3, "size": "simple"}]}) == [("slam", 0), ("slam", 2)]
    [slam, _handful] = remarks(RULES.read(4, teams))
    assert (slam.code, dict(slam.params)) == ("remark_slam", {"seats": (0, 2)})
