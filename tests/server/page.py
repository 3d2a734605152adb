"""The commands of a page of docs/, by section: what a volunteer types, run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def commands(section: str, kind: str = "sh", *, page: str = "operations.md") -> list[str]:
    """Return the blocks of commands in a section."""
    text_of_page = (DOCS / page).read_text()
    [text] = re.findall(rf"^##? {re.escape(section)}\n(.*?)(?=^## |\Z)", text_of_page, re.MULTILINE | re.DOTALL)
    blocks: list[str] = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks, f"{page} has no commands in {section}"
    return blocks
