"""The records of tarot."""

from scoring.games.tarot.records import record_candidates
from scoring.games.tarot.rules import RULES
from scoring.tests.records_laws import check_records

TAKE = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}
OPTIONS = RULES.read_options({})


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
