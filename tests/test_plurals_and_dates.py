"""Numbers and dates in sentences: "1 point" and not "1 points", and "1er décembre" in French."""

from __future__ import annotations

import ast
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import polib
import pytest
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from league.formats.fr import formats as french_formats
from league.models.evening import EveningState
from league.models.rights import Role
from players.dates import date_format
from scoring.game import find_game
from scoring.numbers import plural_number
from scoring.phrases import explain
from tests.build import a_club, a_member, a_season, an_evening
from tests.readers import signed_in

ROOT: Final = Path(__file__).parent.parent
CATALOGUE: Final = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
COUNT_NAMES: Final = (
    "points|evenings|deals|tables|players|rounds|people|seasons|clubs|places|games|lines|cards|tricks|members|guests|"
    "wins|records|days|hours"
)
NUMBER_OF: Final = re.compile(rf"%\((\w+)\)s ({COUNT_NAMES})\b")
# Texts with one form, by the placeholder whose number is never 1, and why.
NEVER_ONE: Final = {
    "%(number)s players share the first place": "two or more share it",
    "A table ends after %(usual)s deals here": "a table of one deal is not offered",
    "These are more than %(most)s evenings": "a constant",
    "A table has at most %(most)s": "a constant",
    "of the table’s %(size)s players": "three or more; the number before it counts nothing",
    "%(given)s players: a table of this game has": "one line of a list has two people or more",
    "%(count)s evenings are planned or held already": "more than a limit of one or more",
    "of every %(of)s evenings held": "a share of two or more",
    "The list has %(given)s lines": "more than a limit of hundreds",
    "a slam, %(points)s points": "a constant of the rules",
    "The %(points)s points of the belote": "a constant of the rules",
    "The %(points)s points held since": "a constant of the rules",
    "has not all %(tricks)s tricks": "a constant of the rules",
    "has not won all %(tricks)s tricks": "a constant of the rules",
    "%(players)s players": "three or more sit at a table",
    "On your %(tables)s tables": "shown from many tables on",
    "s %(all)s tables were tried": "shown where there are more than a limit of thousands",
    "For %(days)s days": "a constant",
    "rows wait to be sent": "a script chooses between this and the text for one row",
    "%(least)s tables": "a constant",
    "until %(final)s members": "a date before the subject",
    "All %(every)s evenings": "shown where there are more than a page has",
}
# The engine's sentences have one form: their parameters are facts of a deal, and its kernel knows no language.
ENGINE: Final = "scoring/games/"


def test_each_text_that_counts_something_has_a_form_for_one() -> None:
    wrong = [
        entry.msgid
        for entry in polib.pofile(str(CATALOGUE))
        if NUMBER_OF.search(entry.msgid)
        and not entry.msgid_plural
        and not any(exempt in entry.msgid for exempt in NEVER_ONE)
        and not all(place.startswith(ENGINE) for place, _line in entry.occurrences)
    ]
    assert wrong == []


def test_french_has_two_different_forms_where_a_noun_is_counted() -> None:
    plural = [entry for entry in polib.pofile(str(CATALOGUE)) if NUMBER_OF.search(entry.msgid_plural)]
    assert len(plural) > 50
    assert [entry.msgid for entry in plural if entry.msgstr_plural[0] == entry.msgstr_plural[1]] == []


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [(0, 0, 0), (1, 1, 1), (-1, 1, 1), (2, 2, 2), (1.5, 2, 1), (-0.5, 2, 1), (2.5, 2, 2)],
)
def test_a_form_is_chosen_by_the_size_of_the_number(number: float, english: int, french: int) -> None:
    for language, form in (("en-gb", english), ("fr", french)):
        with translation.override(language):
            assert plural_number(number) == form


@pytest.mark.parametrize("language", ["en-gb", "fr"])
def test_a_deal_of_one_point_is_told_in_the_singular(language: str) -> None:
    """The rules of belote and contrée ask about a deal of one point, so these are the sentences that name one."""
    belote = {"taker": 0, "points": 1, "last_trick": "defence"}
    contree = belote | {"contract": 80, "trump": "hearts"}
    names = list("ABCD")
    with translation.override(language):
        game = find_game("contree")
        texts = [game.summary(game.rules.read_earlier(4, [contree])[0], names)]
        for slug, facts in (("belote", belote), ("contree", contree), ("contree", contree | {"double": "double"})):
            told = explain(find_game(slug), facts, names, {})
            texts += [line.text for line in told.lines]
            texts += [warning.text for warning in told.warnings]
    counting = [text for text in texts if re.search(r"\b1 (card )?point", text)]
    assert len(counting) == 7  # a summary, and a line and a question of each deal
    assert [text for text in counting if re.search(r"\b1 (card )?points", text)] == []


def templates() -> list[Path]:
    return [*(ROOT / "templates").rglob("*.*"), *(ROOT / "scoring").rglob("templates/**/*.html")]


def formats_in_use() -> list[str]:
    found = {
        "DATE_FORMAT",
        *(name for path in templates() for name in re.findall(r"\|date:\"([^\"]+)\"", path.read_text())),
    }
    return sorted(found - {"c", "Y-m-d"})


@pytest.mark.parametrize("format_", formats_in_use())
@pytest.mark.parametrize("month", range(1, 13))
def test_french_writes_the_first_of_a_month_as_an_ordinal(format_: str, month: int) -> None:
    """In each format that a template has, for a date and for a moment, by the filter and in Python."""
    values = [date(2026, month, 1), datetime(2026, month, 1, 1, 11, tzinfo=UTC), date(2026, month, 11)]
    with translation.override("fr"):
        for value in values:
            if not isinstance(value, datetime) and ("TIME" in format_ or format_ == "c"):
                continue
            rendered = Template(f'{{{{ value|date:"{format_}" }}}}').render(Context({"value": value}))
            for text in (rendered, date_format(value, format_)):
                assert not re.search(r"(?<![\d])1 [^\W\d]", text), text
                assert "11er" not in text
    with translation.override("en-gb"):
        assert "1er" not in date_format(date(2026, month, 1), "DATE_FORMAT")


def test_an_hour_is_no_day_of_a_month() -> None:
    with translation.override("fr"):
        text = date_format(datetime(2026, 12, 1, 1, 5, tzinfo=UTC), french_formats.DATETIME_FORMAT)
    assert text == "1er décembre 2026 à 1\u00a0h\u00a005"


@pytest.mark.django_db
def test_a_page_and_a_calendar_of_a_first_of_december(client: Client) -> None:
    club = a_club(language="fr", public=True)
    evening = an_evening(a_season(club), EveningState.PLANNED, on=date(2026, 12, 1))
    with translation.override("fr"):
        assert str(evening) == "1er décembre 2026"
    browser = signed_in(client, a_member(club, Role.ADMIN))
    for address in (evening.get_absolute_url(), club.get_absolute_url()):
        with translation.override("fr"):  # what the request activates ends here
            page = browser.get(address, headers={"accept-language": "fr"}).content.decode()
        assert "1er décembre" in page
        assert not re.search(r"(?<!\d)1 décembre", page)


def test_dates_are_written_by_one_function() -> None:
    """Django's own would write "1 décembre"."""
    wrong = []
    for app in ("league", "players", "scoring"):
        for path in (ROOT / app).rglob("*.py"):
            if "tests" in path.parts or path.name == "dates.py":
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and node.module in {
                    "django.utils.formats",
                    "django.utils.dateformat",
                    "django.template.defaultfilters",
                }:
                    wrong += [str(path) for name in node.names if name.name in {"date_format", "format", "date"}]
    assert wrong == []
