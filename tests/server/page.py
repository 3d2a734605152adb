"""The commands of docs/operations.md, by section: what a volunteer types, run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "operations.md"


def commands(section: str, kind: str = "sh") -> list[str]:
    """Return the blocks of commands in a section."""
    [text] = re.findall(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    blocks: list[str] = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks, f"{PAGE.name} has no commands in {section}"
    return blocks
