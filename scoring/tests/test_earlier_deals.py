"""What a game may make of the table's earlier deals: it warns, it fills in beforehand, it hands something on.

The game under test is "Pot": who wins a deal gets 1 point. Nobody may win; then the point goes to the next winner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from django.utils.translation import gettext_lazy

import scoring.__main__
from scoring import registry
from scoring.cross_check import PossibleMistake
from scoring.entry import read_entry
from scoring.facts_form import FactsForm
from scoring.fields import SeatField
from scoring.game import Game, find_game
from scoring.phrases import explain
from scoring.possible_mistakes import row_mistakes
from scoring.row_codes import Cells, Column, ParsedRow, RowCodes, RowParser
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import NoOptions, Rules, ScoredDeal, Seats, TableLength
from scoring.rules.score import DealWarning, EngineScore, Line
from scoring.rules.words import Words, ngettext_lazy
from scoring.tests.test_engine import parsed_answer

WORDS: Words = {
    "won": ngettext_lazy("%(seat)s wins %(points)s point.", "%(seat)s wins %(points)s points.", "points"),
    "again": "%(seat)s won the deal before, too.",
    "player": "player",
}
NAMES = ["Anne", "Bruno", "Carole"]


class Deal(NamedTuple):
    winner: int | None
    seats: int


def read(seats: int, facts: object) -> Deal:
    values = reading.checked_object(facts, "facts", frozenset(), frozenset({"winner"}))
    winner = values.get("winner")
    return Deal(None if winner is None else reading.seat(winner, "winner", seats), seats)


def pot(earlier: Sequence[Deal], options: NoOptions) -> int:
    """Return how many deals in a row nobody has won."""
    pot_points = 0
    for deal in earlier:
        pot_points = pot_points + 1 if deal.winner is None else 0
    return pot_points


def score(deal: Deal, options: NoOptions, pot_points: int) -> EngineScore:
    if deal.winner is None:
        return EngineScore((0,) * deal.seats, (), ())
    points = tuple(1 + pot_points if seat == deal.winner else 0 for seat in range(deal.seats))
    return EngineScore(points, (Line("won", {"seat": deal.winner, "points": 1 + pot_points}, "P1", points),), ())


def formula(deal: Deal, options: NoOptions, seat: int, pot_points: int) -> str:
    return f"1 + {pot_points} = {1 + pot_points}" if seat == deal.winner else ""


def warnings_from_earlier(deal: Deal, options: NoOptions, earlier: Sequence[Deal]) -> list[DealWarning]:
    if deal.winner is None or not earlier or earlier[-1].winner != deal.winner:
        return []
    return [DealWarning("winner", "again", {"seat": deal.winner})]


def roles(deal: Deal) -> tuple[str, ...]:
    return ("player",) * deal.seats


POT = Rules(
    seats=Seats(2, 3),
    length=TableLength("deals", 1, 2, 3),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    formula=formula,
    warnings_from_earlier=warnings_from_earlier,
    carry=pot,
)


class DealForm(FactsForm):
    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        self.fields["winner"] = SeatField(names, "Winner")


def columns(seats: int) -> tuple[Column, ...]:
    return (Column("winner", "Winner", "[0-9]", is_numeric=True, is_seat_number=True, needed=False),)


def parse_row(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    parser = RowParser(cells, seats)
    return parser.parsed_row({"winner": parser.seat("winner") if parser.text("winner") else None})


def format_row(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    winner = facts.get("winner")
    return {"winner": "" if winner is None else str(seats[winner])}


def next_facts(seats: int, earlier: Sequence[Deal]) -> dict[str, int]:
    """Name the seat after the last winner's as the favourite."""
    return {"winner": ((earlier[-1].winner or 0) + 1) % seats} if earlier else {"winner": 0}


GAME = Game(
    name=gettext_lazy("Points"),
    lead=gettext_lazy("Points"),
    rules=POT,
    deal_form=DealForm,
    row=RowCodes(columns=columns, parse=parse_row, format_cells=format_row),
    summary=lambda deal, names: "",
    next_facts=next_facts,
)
NO_WINNER: Mapping[str, Any] = {}


@pytest.fixture
def _pot_is_registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    find = registry.rules
    monkeypatch.setattr(registry, "rules", lambda slug: POT if slug == "pot" else find(slug))
    monkeypatch.setattr(scoring.__main__, "GAMES", (*scoring.__main__.GAMES, "pot"))
    yield
    scoring.__main__._default_options.cache_clear()


def request(winner: int | None, *earlier: int | None) -> bytes:
    before = ", ".join(f'{{"winner": {"null" if winner is None else winner}}}' for winner in earlier)
    facts = f'{{"winner": {"null" if winner is None else winner}}}'
    return f'{{"game": "pot", "seats": 3, "facts": {facts}, "earlier": [{before}]}}'.encode()


def test_the_rules_of_a_last_deal() -> None:
    def score_last(deal: Deal, options: NoOptions, pot_points: int, *, last: bool = False) -> EngineScore:
        return score(deal, options, 10 * pot_points if last else pot_points)

    earlier = POT.read_earlier(3, [NO_WINNER])
    rules = replace(POT, score=score_last, scores_last_deal=True)
    assert rules.play(3, {"winner": 1}, NoOptions(), earlier).points == (0, 2, 0)
    assert rules.play(3, {"winner": 1}, NoOptions(), earlier, last=True).points == (0, 11, 0)
    assert POT.play(3, {"winner": 1}, NoOptions(), earlier, last=True).points == (0, 2, 0)


def test_an_illegal_deal_of_a_table_makes_the_later_ones_illegal() -> None:
    first, second, third = POT.play_table([(3, NO_WINNER), (3, {"winner": 3}), (3, {"winner": 1})], NoOptions())
    assert isinstance(first, ScoredDeal)
    assert isinstance(second, IllegalDeal)
    assert isinstance(third, IllegalDeal)
    assert (second.field, third.field) == ("winner", "earlier.1.winner")
    tarot = registry.rules("tarot")
    facts = [{"contract": "passed"}, {"contract": "none"}, {"contract": "passed"}]
    played = list(tarot.play_table([(4, deal) for deal in facts], tarot.read_options({})))
    assert [isinstance(deal, ScoredDeal) for deal in played] == [True, False, True]


@pytest.mark.usefixtures("_pot_is_registered")
def test_the_command_hands_on_and_doubts() -> None:
    assert parsed_answer(request(1))["points"] == [0, 1, 0]
    assert parsed_answer(request(1, None, None)) == {
        "points": [0, 3, 0],
        "lines": [{"reason": "seat 1 wins 3 points.", "points": [0, 3, 0]}],
        "warnings": [],
    }
    assert parsed_answer(request(1, None, 0)) == {
        "points": [0, 1, 0],
        "lines": [{"reason": "seat 1 wins 1 point.", "points": [0, 1, 0]}],
        "warnings": [],
    }
    assert parsed_answer(request(1, 1))["warnings"] == [
        {"field": "winner", "message": "seat 1 won the deal before, too."}
    ]
    assert parsed_answer(request(1, 0, 3))["error"]["field"] == "earlier.1.winner"


def test_explanation_follows_from_the_earlier_facts() -> None:
    explanation = explain(GAME, {"winner": 2}, NAMES, {}, [NO_WINNER])
    assert explanation.points == (0, 0, 2)
    assert explanation.seats[2].formula == "1 + 1 = 2"
    assert explanation.has_formulas
    assert explanation.lines[0].text == "Carole wins 2 points."
    assert explain(GAME, {"winner": 2}, NAMES, {}).lines[0].text == "Carole wins 1 point."


def test_form_asks_about_what_the_earlier_deals_make_doubtful() -> None:
    form = GAME.deal_form(NAMES, {"winner": "2"})
    first = read_entry(GAME, form, NAMES, {})
    assert first is not None
    assert first.warnings == ()
    second_entry = read_entry(GAME, form, NAMES, {}, earlier=[{"winner": 2}])
    assert second_entry is not None
    assert second_entry.warnings == ("Winner: Carole won the deal before, too.",)
    assert not second_entry.confirmed


def test_an_earlier_deal_that_can_not_be_read_is_told_on_the_form() -> None:
    form = GAME.deal_form(NAMES, {"winner": "2"})
    assert read_entry(GAME, form, NAMES, {}, earlier=[{"winner": 7}]) is None
    assert form.non_field_errors() == ["Deal 1, before this one, can’t be read any more. Correct it first."]
    with pytest.raises(IllegalDeal) as refusal:
        explain(GAME, {"winner": 2}, NAMES, {}, [NO_WINNER, {"winner": 7}])
    assert refusal.value.field == "earlier.1.winner"


def test_what_is_known_beforehand_is_shown_and_is_only_a_help() -> None:
    assert GAME.known_facts(3, []) == {"winner": 0}
    assert GAME.known_facts(3, [NO_WINNER, {"winner": 1}]) == {"winner": 2}
    assert GAME.known_facts(3, [{"winner": 7}]) == {}
    form = GAME.deal_form(NAMES, facts=GAME.known_facts(3, [{"winner": 1}]))
    assert form["winner"].value() == 2


def test_slips_are_tried_out_after_what_was_handed_on() -> None:
    sheet: list[tuple[Mapping[str, Any], Sequence[int]]] = [(NO_WINNER, []), ({"winner": 1}, [])]
    tried = list(row_mistakes(POT, GAME.row, sheet, 3, NoOptions()))
    assert PossibleMistake(1, "other_seat", "winner", "2", "1", (2, 0, 0)) in tried
    assert PossibleMistake(1, "other_code", "winner", "2", "", (0, 0, 0)) in tried


def test_a_slip_counts_with_what_it_changes_in_later_deals() -> None:
    sheet: list[tuple[Mapping[str, Any], Sequence[int]]] = [({"winner": 0}, []), (NO_WINNER, []), ({"winner": 1}, [])]
    tried = list(row_mistakes(POT, GAME.row, sheet, 3, NoOptions()))
    # Without a winner of the first deal, the third gives 3 instead of 2.
    assert PossibleMistake(0, "other_code", "winner", "1", "", (0, 1, 0)) in tried
    assert PossibleMistake(0, "other_seat", "winner", "1", "2", (0, 1, 0)) in tried


def test_games_say_whether_they_look_back() -> None:
    assert POT.needs_earlier(NoOptions())
    assert GAME.needs_earlier({})
    assert not find_game("tarot").needs_earlier({})
    assert not find_game("belote").needs_earlier({})
    assert find_game("belote").needs_earlier({"dispute": "held"})
