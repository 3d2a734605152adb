"""Texts of allauth, and of Django's forms, in our style: each text is still one of theirs, and complete."""

import re
from pathlib import Path

import allauth
import django
import polib
import pytest
from django.utils import translation
from django.utils.translation import gettext

from scoring.tests.folder_laws import NOT_FRENCH
from tests.messages import ACCOUNT_WORDS, CATALOGUE, ROOT
from tests.test_french import french, pairs

LANGUAGES = ("en_GB", "fr")
FILLED_IN = re.compile(r"%\(\w+\)s|%d|\{\w+\}")
GIVEN_VALUE = "%(show_value)s"  # Django's limits have it as a parameter, but their English does not
TAG = re.compile(r"<[^>]*>")
pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def words(language: str) -> polib.POFile:
    """Return a language's catalogue."""
    catalogue_file: polib.POFile = polib.pofile(str(ROOT / ACCOUNT_WORDS / language / "LC_MESSAGES" / "django.po"))
    return catalogue_file


def test_the_libraries_have_each_text(language: str) -> None:
    """An upgrade may change a text; and our own catalogue, which is read first, must not have it."""
    folders = (Path(allauth.__file__).parent, Path(django.__file__).parent / "conf")
    theirs = [polib.pofile(str(folder / "locale" / "en" / "LC_MESSAGES" / "django.po")) for folder in folders]
    ours = {entry.msgid for entry in words(language)}
    assert ours <= {entry.msgid for catalogue in theirs for entry in catalogue if not entry.obsolete}
    assert not ours & {entry.msgid for entry in polib.pofile(str(ROOT / CATALOGUE))}


def test_it_is_whole(language: str) -> None:
    catalogue = words(language)
    assert all(all(french(entry)) for entry in catalogue)
    placeholders = [
        (sorted(FILLED_IN.findall(theirs)), sorted(FILLED_IN.findall(said.replace(GIVEN_VALUE, ""))))
        for theirs, said in pairs(catalogue)
    ]
    assert not [pair_of_sets for pair_of_sets in placeholders if pair_of_sets[0] != pair_of_sets[1]]


def test_it_is_compiled(language: str) -> None:
    catalogue = words(language)
    compiled = polib.mofile(str(ROOT / ACCOUNT_WORDS / language / "LC_MESSAGES" / "django.mo"))
    assert {entry.msgid: french(entry) for entry in compiled} == {entry.msgid: french(entry) for entry in catalogue}


def test_it_is_set_as_the_language_is(language: str) -> None:
    said = [TAG.sub("", said) for _theirs, said in pairs(words(language))]
    assert not [text for text in said if "'" in text]
    assert language != "fr" or not [text for text in said if NOT_FRENCH.search(text)]


def test_pages_say_it(language: str) -> None:
    with translation.override({"en_GB": "en-gb"}.get(language, language)):
        assert gettext("Make Primary") == {"en_GB": "Make it primary", "fr": "Rendre principale"}[language]
