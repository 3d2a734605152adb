"""French for every string that is marked: none is missing or out of date, and the glossary's words are kept."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import polib
import pytest
from django.conf import settings
from django.utils import translation

from scoring import registry
from scoring.game import all_games, find_game
from scoring.rules.words import Plural, TextInContext
from scoring.tests import row_laws
from scoring.tests.folder_laws import NOT_FRENCH
from tests import messages
from tests.messages import CATALOGUE, ROOT

pytestmark = pytest.mark.xdist_group("french")  # gathered once
SOURCES = ("league", "scoring", "players", "templates", "locale")
FILLED_IN = re.compile(r"%%?\(\w+\)[sd]|\{\w+\}|</?[a-z][^>]*>")
EXAMPLES = ("examples.toml", "examples.fr.toml")
ELISION = re.compile(r"\b(?:de|que) %\((?:player|person|name|clubs?|season|trial_season|game|own)\)s", re.IGNORECASE)

# docs/translating.md, word by word: what French must contain (in any form) where the English has the word.
TERMS = {
    r"evenings?": "soirée",
    r"seasons?": "saison",
    r"rounds?": "tours?",
    r"tables?": "table",
    r"deals?": "donne",
    r"seats?": "place",
    r"(?<!catch-up )games?": "jeu",
    r"catch-up games?": "parties? de rattrapage",
    r"house rules?": "règles? maison",
    r"standings": "classement",
    r"leaderboards?": "classement",
    r"ratings?": "cote",
    r"secretary": "secrétaire",
    r"treasurer": "trésorier",
    r"admins?": "admin",
    r"members?": "membre",
    r"guests?": "invité",
    r"takers?": "preneur",
    r"partners?": "partenaire|appelé",
    r"attack": "attaque",
    r"defence": "défense",
    r"oudlers?": "bout",
    r"dog": "chien",
    r"handfuls?": "poignée",
    r"slam": "chelem|capot",
    r"(?-i:Small)": "Petit",
    r"tricks?": "plis?|dix de der|Petit au bout|capot",
    r"recorded|record (?:a|the)": "saisi|créée",
    r"revised?|revision": "rectifi",
    r"void(?:ed|ing)?": "annul|nulle",
    r"complete": "compl",
    r"contest(?:ed)?": "contest|réclam",
}


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> polib.POFile:
    """Return the catalogue as `make messages` would leave it now."""
    if not messages.is_installed():
        pytest.fail(messages.MISSING, pytrace=False)
    root = tmp_path_factory.mktemp("messages")
    for name in SOURCES:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    messages.gather(root)
    fresh: polib.POFile = polib.pofile(str(root / CATALOGUE))
    return fresh


@pytest.fixture(scope="module")
def catalogue() -> polib.POFile:
    """Return the catalogue as it is kept."""
    stored: polib.POFile = polib.pofile(str(ROOT / CATALOGUE))
    return stored


def french(entry: polib.POEntry) -> list[str]:
    """Return an entry's translations: one, or one a plural form."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def pairs(catalogue: polib.POFile, *, contexts: bool = True) -> Iterator[tuple[str, str]]:
    """Each English text with its French, where it has one; with or without what is said otherwise in a context."""
    for entry in catalogue.translated_entries():
        if entry.msgctxt and not contexts:
            continue
        english = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]
        yield from zip(english, french(entry), strict=True)


def test_every_string_is_translated(gathered: polib.POFile) -> None:
    missing = [entry.msgid for entry in gathered if entry.fuzzy or not all(french(entry))]
    assert not missing, (
        "make messages, translate the empty strings, correct the fuzzy ones and delete their mark:\n"
        + "\n".join(missing)
    )


def test_the_catalogue_holds_what_the_code_says(gathered: polib.POFile, catalogue: polib.POFile) -> None:
    stored = {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in catalogue}
    assert stored == {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in gathered}, "run make messages"


def test_the_compiled_catalogue_is_the_catalogue(catalogue: polib.POFile) -> None:
    compiled = polib.mofile(str((ROOT / CATALOGUE).with_suffix(".mo")))
    assert {(entry.msgctxt, entry.msgid): french(entry) for entry in compiled} == {
        (entry.msgctxt, entry.msgid): french(entry) for entry in catalogue if all(french(entry)) and not entry.fuzzy
    }, "run make messages"


def test_what_is_filled_in_is_the_same(catalogue: polib.POFile) -> None:
    wrong = [
        (english, said)
        for english, said in pairs(catalogue)
        if sorted(FILLED_IN.findall(english)) != sorted(FILLED_IN.findall(said)) or _edges(english) != _edges(said)
    ]
    assert wrong == []


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]


def test_the_glossary_is_kept(catalogue: polib.POFile) -> None:
    otherwise = [
        f"{word} → {term}: {english} → {said}"
        for english, said in pairs(catalogue, contexts=False)
        for word, term in TERMS.items()
        if re.search(rf"\b(?:{word})\b", FILLED_IN.sub("", english), re.IGNORECASE)
        and not re.search(rf"(?:{term})", FILLED_IN.sub("", said), re.IGNORECASE)
    ]
    assert not otherwise, "\n".join(otherwise)


def test_it_is_set_as_french_is(catalogue: polib.POFile) -> None:
    """Curved apostrophes, French quotation marks, and a narrow space that keeps a mark with its word."""
    assert not [said for _english, said in pairs(catalogue) if NOT_FRENCH.search(said)]


def test_no_preposition_that_could_need_an_elision_stands_before_a_name(catalogue: polib.POFile) -> None:
    """“Résultats de Amicale”, “Champion de Été 2026”: docs/translating.md asks for “Résultats : Amicale”."""
    assert not [said for _english, said in pairs(catalogue) if ELISION.search(said)]


def _forms(text: str | Plural | TextInContext) -> list[str]:
    if isinstance(text, Plural):
        return [text.singular, text.plural]
    return [text.text if isinstance(text, TextInContext) else text]


def test_games_are_told_with_words_from_the_catalogue(catalogue: polib.POFile) -> None:
    """What a game looks up by a code is found: its words, its cells and its legend."""
    known_texts = {entry.msgid for entry in catalogue} | {entry.msgid_plural for entry in catalogue}
    said = {
        (game.slug, form)
        for game in all_games()
        for words in (game.words, game.rules.words)
        for text in words.values()
        for form in _forms(text)
    }
    said |= {
        (game.slug, text)
        for game in all_games()
        for rule in game.rules.house_rules
        for text in (rule.label, *rule.choices.values())
    }
    said |= {
        (game.slug, text)
        for game in all_games()
        for seats in game.sizes
        for row in (game.row, *(typing.row for typing in game.typing_variants.values()))
        for text in (*row.legend(seats), *(column.label for column in row.columns(seats)))
    }
    assert [text for text in sorted(said) if text[1] not in known_texts] == []


@pytest.mark.parametrize("slug", registry.slugs())
def test_french_letters_are_read(slug: str) -> None:
    """The letters that a French grid shows are as many, and each is one that the row knows."""
    letters, confusable = find_game(slug).row.letters, find_game(slug).row.confusable_letters
    with translation.override("fr"):
        french_letters = translation.gettext(letters) if letters else ""
        french_confusable = translation.gettext(confusable) if confusable else ""
    assert len(french_letters) == len(letters)
    assert not letters or set(french_confusable.lower()) & set(french_letters.lower())
    typed = "".join(column.prefix_pattern for column in find_game(slug).row.columns(find_game(slug).sizes[-1]))
    assert [letter for letter in french_letters + french_confusable if letter not in typed] == []


@pytest.mark.parametrize("slug", registry.slugs())
def test_a_row_written_in_any_language_is_read_as_the_same_deal(slug: str) -> None:
    """All languages share the row's one table of letters, so no letter may have two meanings."""
    game, play, rng = find_game(slug), registry.play(slug), Random(1)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            letters = translation.gettext(game.row.letters) if game.row.letters else None
        for size in game.sizes:
            for _ in range(40):
                facts = dict(play(rng, size, [0.5] * size).facts)
                row_laws.check_round_trip(game, facts, range(1, size + 1), letters)


@pytest.mark.parametrize("slug", registry.slugs())
def test_rules_say_the_same(slug: str) -> None:
    """Clause by clause the same numbers, and as many examples with the same figures, in French as in English."""
    folder = find_game(slug).folder
    french_figures, english_figures = _figures(folder / "RULES.fr.md"), _figures(folder / "RULES.md")
    differing = [pair for pair in zip(french_figures, english_figures, strict=False) if pair[0] != pair[1]]
    assert not differing, f"{folder.name}: the figures of clauses differ in RULES.fr.md and RULES.md: {differing}"
    assert len(french_figures) == len(english_figures), f"{folder.name}/RULES.fr.md has another number of clauses"
    english, said = (tomllib.loads((folder / name).read_text("utf-8"))["example"] for name in EXAMPLES)
    assert [_numbers(example["text"]) for example in said] == [_numbers(example["text"]) for example in english]
    assert all(set(example) == {"title", "text"} for example in said), "facts and points stand in examples.toml alone"


def _figures(path: Path) -> list[list[str]]:
    """Return the numbers in each heading, clause and decision, its own among them."""
    parts = re.split(r"^(?:- )?(?=##|\*\*)", path.read_text("utf-8"), flags=re.MULTILINE)
    return [_numbers(part) for part in parts]


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"[−-]?\d+(?:[.,]\d+)?", text.replace(",5", ".5")))
