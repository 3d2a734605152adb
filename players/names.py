import re
import unicodedata
from collections.abc import Iterable
from typing import Final

# Control characters, marks that change the writing direction of the following text, and lone surrogates, which
# PostgreSQL rejects.
_INVISIBLE_CHARACTERS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")

MAX_NAME_LENGTH: Final = 60  # characters of a given name or a family name
MAX_SEARCH_LENGTH: Final = 80  # characters
MAX_SEARCH_WORDS: Final = 8  # words of a search
# A search ignores space, hyphens and dashes, apostrophes, full stops, brackets, quotation marks and invisible
# characters. In a name each of them separates two parts.
SEPARATORS: Final = " .,;:/&_()\"“”«»'’‘ʼʻ`′·\u00ad\u200b\u200c\u200d\u2060‐‒–—―−-"
_SEPARATOR: Final = f"[{SEPARATORS}]"  # a regular expression: the last character is the hyphen

_PART_SEPARATOR: Final = re.compile(r"[\s._]+")  # also splits the local part of an e-mail address used as a name


def normalize_spaces(name: str) -> str:
    return " ".join(_INVISIBLE_CHARACTERS.sub(" ", name).split())


def split_name(name: str) -> tuple[str, str]:
    """Return given name and family name of a typed name, cut to the length of the model's fields.

    The first word is the given name.
    """
    given_name, _space, family_name = name.strip().partition(" ")
    return given_name[:MAX_NAME_LENGTH], family_name[:MAX_NAME_LENGTH]


def without_accents(text: str) -> str:
    """Return the text in lower case without accents: "élodie" becomes "elodie", which sorts before "zoe"."""
    text = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("ø", "o").replace("ł", "l")
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def letters_and_digits(text: str) -> str:
    """Return the text in lower case without accents and separators: "Jean-Pierre d'Ó" becomes "jeanpierredo"."""
    return without_accents(text).translate(dict.fromkeys(map(ord, SEPARATORS)))


def name_parts(text: str) -> list[str]:
    """Return the parts between separators, in lower case without accents: "Jean-Pierre D'Ó" has four parts."""
    return without_accents(text).translate(dict.fromkeys(map(ord, SEPARATORS), " ")).split()


def search_words(typed: str) -> list[str]:
    """Return the words of a search, without accents and separators. Text and words beyond the limits are ignored."""
    words = (
        letters_and_digits(word)[:MAX_SEARCH_LENGTH]
        for word in without_accents(normalize_spaces(typed)[:MAX_SEARCH_LENGTH]).split()
    )
    return [word for word in words if word][:MAX_SEARCH_WORDS]


def part_start_pattern(letters: Iterable[str]) -> str:
    """Return a PostgreSQL regular expression that matches a name without accents if one of its parts begins with
    `letters`.

    Separators between the letters are ignored: "oconn" and "conn" both match "o'connor".
    """
    return f"(^|{_SEPARATOR})" + f"{_SEPARATOR}*".join(map(re.escape, letters))


def name_with_initial(given_name: str, family_name: str) -> str:
    first_name, initial = _first_name_and_initial(given_name, family_name)
    return f"{first_name} {initial}".strip()


def initial_before_name(given_name: str, family_name: str) -> str:
    """Return the initial of the family name, then the given name: "B. Anna"."""
    first_name, initial = _first_name_and_initial(given_name, family_name)
    return f"{initial} {first_name}".strip()


def _first_name_and_initial(given_name: str, family_name: str) -> tuple[str, str]:
    """Return the first name and the family name's initial with a full stop, or "".

    Without a family name, the last part of the given name is used as family name.
    """
    if not family_name:
        given_name, *parts = _PART_SEPARATOR.split(given_name)
        family_name = next((part for part in reversed(parts) if part), "")
    letter = next((letter for letter in family_name if letter.isalnum()), "")
    return given_name, f"{letter.upper()}." if letter else ""
