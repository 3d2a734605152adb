"""People's names as they are typed: on one line, and all of it can be seen."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

# Control characters, those that turn the direction of what follows (a name must not disturb the line it stands in), and
# halves of characters, which no database takes.
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")

LONGEST_SEARCH: Final = 80  # characters
MOST_WORDS: Final = 8  # of a search
# A search for people ignores these: space, hyphens and dashes, apostrophes, full stops, brackets, quotation marks, and
# characters that nobody can see. In a name each of them begins a new part.
SEPARATORS: Final = " .,;:/&_()\"“”«»'’‘ʼʻ`′·\u00ad\u200b\u200c\u200d\u2060‐‒–—―−-"
_SEPARATOR: Final = f"[{SEPARATORS}]"  # for a regular expression: the hyphen is the last one

_PARTS: Final = re.compile(r"[\s._]+")  # of a name, or of the part of an e-mail address that stands for one


def tidy(name: str) -> str:
    """Return the name with one space between its words, and none around it."""
    return " ".join(_UNSEEN.sub(" ", name).split())


def plain(text: str) -> str:
    """Return lower case without accents, for sorting and searching: "Élodie" sorts before "Zoé"."""
    text = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("ø", "o").replace("ł", "l")
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def joined(text: str) -> str:
    """Return the letters and digits of a name in plain letters: "Jean-Pierre d'Ó" is "jeanpierredo"."""
    return plain(text).translate(dict.fromkeys(map(ord, SEPARATORS)))


def name_parts(text: str) -> list[str]:
    """Return the parts of a name in plain letters, as separators divide it: "Jean-Pierre D'Ó" has four."""
    return plain(text).translate(dict.fromkeys(map(ord, SEPARATORS), " ")).split()


def search_words(typed: str) -> list[str]:
    """Return the words of a search, as `joined` letters. Forms refuse a long search; here the rest is ignored."""
    words = (joined(word)[:LONGEST_SEARCH] for word in plain(tidy(typed)[:LONGEST_SEARCH]).split())
    return [word for word in words if word][:MOST_WORDS]


def begins_part(letters: Iterable[str]) -> str:
    """Return a regular expression of PostgreSQL for plain names of which a part begins with these letters.

    Separators between the letters are ignored: "oconn" and "conn" both begin a part of "o'connor".
    """
    return f"(^|{_SEPARATOR})" + f"{_SEPARATOR}*".join(map(re.escape, letters))


def with_initial(given: str, family: str) -> str:
    """Return "Anne D.": the first name, and the initial of the other."""
    first, initial = _parted(given, family)
    return f"{first} {initial}".strip()


def by_initial(given: str, family: str) -> str:
    """Return "D. Anne", by which that name is sorted."""
    first, initial = _parted(given, family)
    return f"{initial} {first}".strip()


def _parted(given: str, family: str) -> tuple[str, str]:
    """Return the first name and an initial, "" for none; a whole name typed as a given one is no first name."""
    if not family:
        given, *others = _PARTS.split(given)
        family = next((other for other in reversed(others) if other), "")
    letter = next((letter for letter in family if letter.isalnum()), "")
    return given, f"{letter.upper()}." if letter else ""
