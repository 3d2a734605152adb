"""Files for spreadsheets."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.web.exports import FORMULA_STARTS, csv_response, harmless


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_text_that_would_run_is_disarmed(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", [-27, 0, 81, "Élodie", "3-2"])
def test_numbers_and_names_stay_as_they_are(cell: str | int) -> None:
    assert harmless(cell) == cell


def test_nothing_is_an_empty_cell() -> None:
    assert harmless(None) == ""


@given(st.text())
def test_no_text_starts_a_formula(text: str) -> None:
    cell = harmless(text)
    assert isinstance(cell, str)
    assert not cell.startswith(FORMULA_STARTS)


def test_a_file_has_its_name_and_its_mark() -> None:
    response = csv_response("Cercle d'Été Standings", ["Rank", "Player"], [(1, "Zoé, la grande"), (None, "=x")])
    assert response["Content-Disposition"] == 'attachment; filename="cercle-dete-standings.csv"'
    text = response.content.decode("utf-8")
    assert text.startswith("\ufeff")
    assert list(csv.reader(text[1:].splitlines())) == [["Rank", "Player"], ["1", "Zoé, la grande"], ["", "'=x"]]
