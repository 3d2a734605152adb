"""What is worth a record in tarot."""

from scoring.games.tarot.records import feats
from scoring.games.tarot.rules import RULES
from scoring.tests.records_laws import check_records

TAKE = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}
OPTIONS = RULES.read_options({})


def found(facts: dict[str, object], seats: int = 4) -> list[tuple[str, int]]:
    return [(feat.record, feat.seat) for feat in feats(RULES.read(seats, facts), OPTIONS)]


def test_laws() -> None:
    check_records("tarot")


def test_high_contracts_count_when_they_are_made() -> None:
    assert found({**TAKE, "contract": "guard_against"}) == [("guard_against", 0)]
    assert found({**TAKE, "contract": "guard_without", "taker": 2}) == [("guard_without", 2)]
    assert found({**TAKE, "contract": "guard_against", "oudlers": 1}) == []
    assert found(TAKE) == []


def test_slam_is_of_the_whole_side() -> None:
    slam = {**TAKE, "points": 91, "oudlers": 3, "slam": "attack"}
    assert found(slam) == [("slam", 0)]
    assert found({**slam, "partner": 3}, seats=5) == [("slam", 0), ("slam", 3)]
    lost = {**TAKE, "points": 0, "oudlers": 0, "slam": "defence"}
    assert found(lost) == [("slam", 1), ("slam", 2), ("slam", 3)]


def test_large_handfuls() -> None:
    shown = [{"seat": 1, "size": "double"}]
    assert found({**TAKE, "handfuls": shown}) == [("double_handful", 1)]
    assert found({**TAKE, "handfuls": [{"seat": 1, "size": "simple"}]}) == []
