"""People's names as they are typed: on one line, and all of it can be seen."""

import re
from typing import Final

# Control characters, those that turn the direction of what follows (a name must not disturb the line it stands in), and
# halves of characters, which no database takes.
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")


def tidy(name: str) -> str:
    """Return the name with one space between its words, and none around it."""
    return " ".join(_UNSEEN.sub(" ", name).split())
