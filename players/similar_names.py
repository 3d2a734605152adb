"""Whether two typed names may be one person. Pure: knows strings, not rows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

CLOSE = 0.85  # one letter more, less or other in a name of six lets it pass; "Anne Roy" and "Anna Ray" do not


def similar(name: str, known: Iterable[str]) -> list[str]:
    """Those of `known` that are `name` or nearly so, closest first. All are plain: lower case without accents.

    The order of the words says nothing: "martin lea" is "lea martin".
    """
    typed = _sorted_words(name)
    near = [(_closeness(typed, _sorted_words(each)), each) for each in known]
    return [each for closeness, each in sorted(near, key=lambda pair: (-pair[0], pair[1])) if closeness >= CLOSE]


def _sorted_words(name: str) -> str:
    return " ".join(sorted(name.replace("-", " ").split()))


def _closeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < CLOSE or matcher.quick_ratio() < CLOSE:
        return 0.0
    return matcher.ratio()
