"""Files for spreadsheets."""

import csv

import pytest
from django.http import HttpResponse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from tablib.core import Dataset

from league.imports.queries.list_file import read_rows, read_sheets
from league.imports.queries.spreadsheet_cells import FORMULA_STARTS, Cell, escape_formula
from league.web.exports import spreadsheet_response

ROWS: list[list[Cell]] = [["Rank", "Player"], [1, "Zoé, la grande"], [None, "=x"]]


def sheet(response: HttpResponse) -> Dataset:
    """Return the sheet of an XLSX file, as another program reads it."""
    read: Dataset = Dataset().load(response.content, format="xlsx")
    return read


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "＝1+1", "＋1", "－1", "＠SUM(A1)"])
def test_text_that_would_run_is_disarmed(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", [-27, 0, 81, "Élodie", "3-2"])
def test_numbers_and_names_stay_as_they_are(cell: str | int) -> None:
    assert escape_formula(cell) == cell


def test_nothing_is_an_empty_cell() -> None:
    assert escape_formula(None) == ""


@given(st.text())
def test_no_text_starts_a_formula(text: str) -> None:
    cell = escape_formula(text)
    assert isinstance(cell, str)
    assert not cell.startswith(FORMULA_STARTS)


@pytest.mark.parametrize("cell", ["a\x00b", "\x0b=1", "\x1b", "\ufffe+1", "\uffff"])
def test_what_no_sheet_can_hold_is_left_out(cell: str) -> None:
    answer = spreadsheet_response([["Player"], [cell]], "xlsx", "Standings", "x")
    ((read,),) = sheet(answer)[:]
    assert (read or "") == escape_formula(cell)
    assert not str(read).startswith(FORMULA_STARTS)


def test_a_csv_file_has_its_name_and_its_mark() -> None:
    response = spreadsheet_response(ROWS, "csv", "Standings", "Cercle d'Été Standings")
    assert response["Content-Disposition"] == 'attachment; filename="cercle-dete-standings.csv"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    text = response.content.decode("utf-8")
    assert text.startswith("\ufeff")
    assert list(csv.reader(text[1:].splitlines())) == [["Rank", "Player"], ["1", "Zoé, la grande"], ["", "'=x"]]


def test_a_csv_file_in_french_has_semicolons_and_is_read_here() -> None:
    with translation.override("fr"):
        response = spreadsheet_response([*ROWS, ["1;2", "3, 4"]], "csv", "Classement", "x")
    lines = response.content.decode("utf-8-sig").splitlines()
    assert lines[:2] == ["Rank;Player", "1;Zoé, la grande"]
    [sheet] = read_sheets(response.content, 10)
    assert [row for _line, row in read_rows(sheet.text, 10)] == list(csv.reader(lines, delimiter=";"))


def test_an_xlsx_file_has_numbers_and_no_formula() -> None:
    response = spreadsheet_response(ROWS, "xlsx", "Cl/asse*ment", "Cercle d'Été Standings")
    assert response["Content-Disposition"] == 'attachment; filename="cercle-dete-standings.xlsx"'
    read = sheet(response)
    assert read.title == "Cl-asse-ment"
    assert read.headers == ["Rank", "Player"]
    assert read[:] == [(1, "Zoé, la grande"), (None, "'=x")]
