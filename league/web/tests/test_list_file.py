"""A list of people from a file: readable parts of workbooks are read, everything else is refused."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from datetime import date
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.chart.bar_chart import BarChart
from openpyxl.utils.datetime import MAC_EPOCH
from openpyxl.workbook.workbook import Workbook

from league.imports.queries.list_file import MAX_UPLOADED, UnreadableList, read_sheets
from league.imports.queries.member_list import MAX_LINES, read_people
from league.imports.queries.workbook import MAX_UNPACKED_BYTES
from league.models import Club, Membership
from league.models.rights import Role
from tests.build import a_club, a_member
from tests.markup import unbroken
from tests.readers import signed_in

BORN = date(1980, 5, 1)
ROWS: list[list[Any]] = [
    ["Licence", "Nom", "Prénom", "Né le"],
    [12, "Noël", "Élodie", BORN],
    [13.0, "Roy", "Anne", None],
]


def workbook(rows: list[list[Any]], **sheets: list[list[Any]]) -> bytes:
    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    for title, sheet_rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in sheet_rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def with_part(data: bytes, name: str, content: bytes) -> bytes:
    """Return a workbook with one of its parts replaced, or one more."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as before, ZipFile(file, "w", ZIP_DEFLATED) as after:
        for part in before.namelist():
            if part != name:
                after.writestr(part, before.read(part))
        after.writestr(name, content)
    return file.getvalue()


def text_of(data: bytes, max_lines: int) -> str:
    """Return what the first sheet of a file has."""
    return read_sheets(data, max_lines)[0].text


SHEET = "xl/worksheets/sheet1.xml"
GOOD = workbook(ROWS)


def test_first_sheet_is_read_as_it_would_be_pasted() -> None:
    data = workbook(ROWS, Other=[["Name"], ["Nobody"]])
    assert text_of(data, MAX_LINES) == "Licence\tNom\tPrénom\tNé le\n12\tNoël\tÉlodie\t1980-05-01\n13\tRoy\tAnne\n"
    assert [(person.line, person.name, person.number) for person in read_people(text_of(data, MAX_LINES))] == [
        (2, "Élodie Noël", "12"),
        (3, "Anne Roy", "13"),
    ]


def test_lines_keep_their_numbers_where_rows_are_empty() -> None:
    data = workbook([["Name"], [None], ["Ann\nRoy"], [""], ["Bob  Tab\there"]])
    assert [(person.line, person.name) for person in read_people(text_of(data, MAX_LINES))] == [
        (3, "Ann Roy"),
        (5, "Bob Tab here"),
    ]


def test_formulas_are_their_values() -> None:
    """A spreadsheet stores the value with the formula; a formula that was never computed has none."""
    cells = b'<c r="A2" t="str"><f>"An"&amp;"na"</f><v>Anna</v></c>'
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row r="1"><c r="A1" t="str"><v>Name</v></c></row><row r="2">' + cells + b"</row></sheetData></worksheet>"
    )
    assert text_of(with_part(GOOD, SHEET, sheet), MAX_LINES) == "Name\nAnna\n"
    assert text_of(workbook([["Name"], ["=1+1"]]), MAX_LINES) == "Name\n\n"


def test_cells_are_read_as_excel_and_libreoffice_write_them() -> None:
    """They share strings between cells, in pieces and with hints for Japanese; openpyxl writes each into its cell."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    strings = (
        f"<sst {main}><si><t>Name</t></si><si><r><t>Él</t></r><r><rPr><b/></rPr><t>odie</t></r></si>"
        '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>'
    )
    cells = (
        '<c r="A1" t="s"><v>0</v></c>',
        '<c r="A2" t="s"><v>1</v></c><c r="B2" t="b"><v>1</v></c><c r="C2"><v>12.0</v></c>',
        '<c r="A3" t="s"><v>2</v></c><c r="B3" t="d"><v>1980-05-01</v></c><c r="C3"><v>2.5</v></c>',
    )
    rows = "".join(f'<row r="{number}">{text}</row>' for number, text in enumerate(cells, start=1))
    data = with_part(GOOD, SHEET, f"<worksheet {main}><sheetData>{rows}</sheetData></worksheet>".encode())
    data = with_part(data, "xl/sharedStrings.xml", strings.encode())
    relations = "xl/_rels/workbook.xml.rels"
    with ZipFile(io.BytesIO(data)) as archive:
        listed = archive.read(relations)
    if b"sharedStrings" not in listed:
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
        added = f'<Relationship Id="rId99" Type="{kind}" Target="sharedStrings.xml"/></Relationships>'
        data = with_part(data, relations, listed.replace(b"</Relationships>", added.encode()))
    assert text_of(data, MAX_LINES) == "Name\nÉlodie\tTrue\t12\n東京\t1980-05-01\t2.5\n"


def test_workbook_with_a_chart_and_a_date_that_is_none_is_read() -> None:
    """A sheet with only a chart has no cells; a date out of the calendar shows "#####" in a spreadsheet."""
    book = Workbook()
    assert book.active is not None
    book.active.append(["Name", "Né le"])
    book.active.append(["Ann", 50_000_000])
    book.active["B2"].number_format = "dd/mm/yyyy"
    book.create_chartsheet("Chart").add_chart(BarChart())
    file = io.BytesIO()
    book.save(file)
    assert [sheet.text for sheet in read_sheets(file.getvalue(), MAX_LINES)] == ["Name\tNé le\nAnn\t#VALUE!\n"]


def test_dates_of_a_workbook_of_an_old_mac_count_from_1904() -> None:
    book = Workbook()
    assert book.active is not None
    book.epoch = MAC_EPOCH
    book.active.append(["Né le"])
    book.active.append([BORN])
    file = io.BytesIO()
    book.save(file)
    assert text_of(file.getvalue(), MAX_LINES) == "Né le\n1980-05-01\n"


def test_text_files_are_read_in_both_encodings() -> None:
    text = "Name;Licence\r\nÉlodie Noël;12\r\n"
    assert text_of(text.encode("utf-8-sig"), MAX_LINES) == text_of(text.encode("cp1252"), MAX_LINES) == text


def test_words_on_two_lines_of_a_text_files_cell_stay_two_words() -> None:
    """As a spreadsheet saves and copies a cell with a line break, which a workbook's cell may have as well."""
    text = 'Name;"Membership\nnumber"\n"Ann\r\nRoy";12\nBob Gros;13\n'
    people = read_people(text_of(text.encode(), MAX_LINES))
    assert [(person.line, person.name, person.number) for person in people] == [
        (2, "Ann Roy", "12"),
        (3, "Bob Gros", "13"),
    ]


@pytest.mark.parametrize(
    ("computed", "shown"),
    [(0.1 * 3 * 400, "120"), (-40.00000000000001, "-40"), (0.1 + 0.2, "0.3"), (2.25, "2.25"), (1e16, "1" + 16 * "0")],
)
def test_number_of_a_formula_has_the_digits_that_the_spreadsheet_shows(computed: float, shown: str) -> None:
    assert text_of(workbook([[computed]]), MAX_LINES) == f"{shown}\n"


def test_more_lines_than_come_in_at_once_are_refused() -> None:
    data = workbook([["Name"], *([f"Ann {number}"] for number in range(MAX_LINES + 10))])
    with pytest.raises(UnreadableList, match="at most"):
        read_people(text_of(data, MAX_LINES))


HOSTILE = {
    "not a workbook": b"PK\x03\x04" + b"x" * 100,
    "cut off": GOOD[: len(GOOD) // 2],
    "a zip of something": with_part(GOOD, "_rels/.rels", b""),
    "an old workbook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512,
    "a zip bomb": with_part(GOOD, SHEET, b" " * (MAX_UNPACKED_BYTES + 1)),
    "entities": with_part(GOOD, SHEET, b'<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet>&a;</worksheet>'),
    "no sheet": with_part(
        GOOD,
        "xl/workbook.xml",
        b'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>',
    ),
    "broken cells": with_part(GOOD, SHEET, b'<worksheet><sheetData><row r="x"><c r="?"><v>1</v>'),
    "too long a text": b"Name\n" + b"a" * MAX_UPLOADED,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_file_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableList):
        text_of(data, MAX_LINES)


def test_workbook_of_many_parts_is_refused() -> None:
    data = GOOD
    file = io.BytesIO(data)
    with ZipFile(file, "a") as parts:
        for number in range(300):
            parts.writestr(f"xl/media/{number}.bin", b"")
    with pytest.raises(UnreadableList, match="too large"):
        text_of(file.getvalue(), MAX_LINES)


def test_sheet_that_claims_to_be_endless_is_read_as_far_as_it_goes() -> None:
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/>'
        b'<sheetData><row r="1"><c r="A1" t="str"><v>Name</v></c><c r="XFD1" t="str"><v>x</v></c></row>'
        b'<row r="1048576"><c r="A1048576" t="str"><v>Ann</v></c></row></sheetData></worksheet>'
    )
    assert text_of(with_part(GOOD, SHEET, sheet), MAX_LINES).strip().startswith("Name")


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for content in (data, b"PK\x03\x04" + data):
        with suppress(UnreadableList):
            read_people(text_of(content, MAX_LINES))


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
def test_a_workbook_with_another_byte_is_read_or_refused(position: int, byte: int) -> None:
    with suppress(UnreadableList):
        read_people(text_of(GOOD[:position] + bytes([byte]) + GOOD[position + 1 :], MAX_LINES))


def address(club: Club) -> str:
    return reverse("league:members-bring-in", args=[club.slug])


@pytest.mark.django_db
def test_list_comes_in_by_a_file_and_is_seen_first(client: Client) -> None:
    club = a_club()
    admin = signed_in(client, a_member(club, Role.ADMIN))
    people = club.memberships.count()
    file = SimpleUploadedFile("membres.xlsx", GOOD)
    page = admin.post(address(club), {"file": file, "text": "Name\nSomebody Else"})
    assert page.status_code == 200
    assert "Élodie Noël" in page.content.decode()
    assert club.memberships.count() == people
    text = page.context["form"]["text"].value()
    assert text == text_of(GOOD, MAX_LINES)
    for _twice in range(2):
        admin.post(address(club), {"text": text, "store": "1"})
    assert club.memberships.count() == people + 2
    assert str(Membership.objects.get(club=club, number="12").player) == "Élodie Noël"


def bring(admin: Client, club: Club, **given: Any) -> Any:
    return admin.post(address(club), given)


@pytest.mark.django_db
def test_sheet_of_a_workbook_is_chosen(client: Client) -> None:
    club = a_club()
    admin = signed_in(client, a_member(club, Role.ADMIN))
    data = workbook(ROWS, Empty=[], **{"Saison “25”": [["Name"], ["Zoé Fin"], ["Luc Bas"]]})
    answer = bring(admin, club, file=SimpleUploadedFile("x.xlsx", data), text="")
    page = unbroken(answer)
    assert answer.status_code == 422
    assert re.findall(r'<label[^>]*for="sheet-\d">([^<]*) ?<span[^>]*>([^<]*)<', page) == [
        ("Sheet", "3 lines"),
        ("Saison “25”", "3 lines"),
    ]
    carried = answer.context["form"]["sheets"].value()
    assert bring(admin, club, sheets=carried, text="").status_code == 422  # none was chosen
    answer = bring(admin, club, sheets=carried, sheet="1", text="")
    assert "Zoé Fin" in unbroken(answer)
    assert not answer.context["form"]["sheets"].value()
    answer = bring(admin, club, sheets=carried, text="Name\nTyped Meanwhile")
    assert "Typed Meanwhile" in unbroken(answer)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "carried",
    [
        "x",
        "[]",
        "1",
        '[["a"]]',
        '[["a", 1], ["b", "c"]]',
        '[["a", "\\ud800"], ["b", "c"]]',
        '[["a", "\\u0000"]]',
        "[" * 9999,
    ],
)
def test_sheets_that_no_workbook_has_are_refused(client: Client, carried: str) -> None:
    club = a_club()
    admin = signed_in(client, a_member(club, Role.ADMIN))
    for sheet in ("", "0", "7", "x"):
        answer = bring(admin, club, sheets=carried, sheet=sheet, text="")
        assert answer.status_code == 422
        assert "Paste a list, or choose a file." in answer.content.decode()


def test_sheet_without_rows_or_out_of_sight_is_not_asked_about() -> None:
    assert [sheet.name for sheet in read_sheets(workbook([], Other=ROWS, Empty=[[None]]), MAX_LINES)] == ["Other"]
    book = Workbook()
    book.create_sheet("Seen").append(["Name"])
    assert book.active is not None
    book.active.append(["Name"])
    book.active.sheet_state = "hidden"
    file = io.BytesIO()
    book.active = 1
    book.save(file)
    assert [sheet.name for sheet in read_sheets(file.getvalue(), MAX_LINES)] == ["Seen"]


@pytest.mark.django_db
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"Name\n" + b"a" * MAX_UPLOADED], ids=["empty", "zip", "large"])
def test_file_that_is_no_list_is_refused_on_its_field(client: Client, data: bytes) -> None:
    club = a_club()
    admin = signed_in(client, a_member(club, Role.ADMIN))
    answer = admin.post(address(club), {"file": SimpleUploadedFile("x.xlsx", data), "text": ""})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) & {"file", "text"}


@pytest.mark.django_db
def test_file_is_taken_from_admins_alone_and_not_from_other_sites(client: Client) -> None:
    club = a_club()
    sent = {"file": SimpleUploadedFile("x.xlsx", GOOD)}
    assert client.post(address(club), sent).status_code == 302  # to sign in
    strict = signed_in(Client(enforce_csrf_checks=True), a_member(club, Role.ADMIN))
    assert strict.post(address(club), {"text": "Name\nAnn Roy"}).status_code == 403
    secretary = signed_in(Client(), a_member(club, Role.SECRETARY))
    assert secretary.post(address(club), {"text": "x"}).status_code == 403


@pytest.mark.django_db
def test_file_is_refused_everywhere_else_and_one_much_too_large_unread(client: Client) -> None:
    club = a_club()
    admin = signed_in(client, a_member(club, Role.ADMIN))
    file = SimpleUploadedFile("x.xlsx", GOOD)
    assert admin.post(reverse("league:member-add", args=[club.slug]), {"file": file}).status_code == 400
    large = SimpleUploadedFile("x.xlsx", b"a" * (5 * MAX_UPLOADED))
    assert admin.post(address(club), {"file": large}).status_code == 400
