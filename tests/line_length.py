"""Find lines of templates and documents with more than 120 characters; ruff checks the lines of Python.

python -m tests.line_length [FILE …]      all templates and documents by default
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LIMIT: Final = 120
TEMPLATES: Final = ("templates/**/*.html", "*/**/templates/**/*.html")
DOCUMENTS: Final = ("*.md", "docs/**/*.md", ".github/**/*.md")
# Django reads no tag of two lines, and white space would change the value of an attribute.
UNBREAKABLE: Final = re.compile(r"""\s*(\{%((?!%\}).)*%\}|\{\{((?!\}\}).)*\}\}|[\w:-]+=("[^<>]*"|'[^']*'))\s*""")


def long_lines(path: Path) -> Iterator[int]:
    """Return the numbers of the lines that are too long and could be broken."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path.suffix == ".md":
            fenced ^= line.startswith("```")
            breakable = not fenced and not line.startswith(("|", "    ", "```"))  # table rows and code are one line
        else:
            breakable = not UNBREAKABLE.fullmatch(line)
        if len(line) > LIMIT and breakable:
            yield number


def main(names: Iterable[str] = ()) -> int:
    """Print each line that is too long; return 1 if there is one."""
    paths = sorted(
        {path.resolve() for name in names if (path := Path(name)).suffix in (".html", ".md")}
        or {path for pattern in (*TEMPLATES, *DOCUMENTS) for path in ROOT.glob(pattern) if ".venv" not in path.parts}
    )
    found = [f"{path.relative_to(ROOT)}:{number}" for path in paths for number in long_lines(path)]
    for line in found:
        print(f"{line}: more than {LIMIT} characters")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
