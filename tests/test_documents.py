"""Links and paths in the documents lead somewhere, and their lines are short."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.line_length import main

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(
    r"`([\w.-]+(?:/[\w.-]+)*/(?:[\w-]+\.(?:py|md|toml|html|txt|css|env))?)`"
)  # a folder, or a file in one
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
IN_ROOMS = ("work/", "views/", "queries/")  # of no room in particular


def text_of(document: Path) -> str:
    return FENCED.sub("", document.read_text(encoding="utf-8"))


def anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text_of(document), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_paths_exist(document: Path) -> None:
    for link in LINK.findall(text_of(document)):
        path, _hash, anchor = unquote(link).partition("#")
        if "://" in path or path.startswith("/"):
            continue
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link
    for path in PATH.findall(text_of(document)):
        if path.startswith("var/") or path in IN_ROOMS or document.name == "adding-a-game.md":
            continue
        assert any((folder / path).exists() for folder in (ROOT, ROOT / "league", ROOT / "templates")), path


def test_every_decision_is_in_the_index() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs/decisions").glob("[0-9]*.md"):
        [heading] = re.findall(r"\A# (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert re.search(
            rf"^\| \[{path.name[:4]}\]\({re.escape(path.name)}\) \| {re.escape(heading)} \| \w", index, re.M
        )


def test_lines_of_templates_and_documents_are_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert not main(), capsys.readouterr().out
