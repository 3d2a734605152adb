"""deploy/install with --show: its questions and its commands. tests/server/ runs it on a server."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.server.page import commands
from tests.terminal import type_at

SCRIPT = Path(__file__).resolve().parent.parent / "install"
ANSWERS = """
DOMAIN=cards.localhost
ADMIN_EMAIL=root@club.localhost
"""


def show(answers: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPT, "--show", answers], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_the_commands_of_the_page_are_shown_with_the_answers_in_them(tmp_path: Path) -> None:
    """A block that the script does not find, or a variable that it does not set."""
    (tmp_path / "answers").write_text(ANSWERS)
    shown = show(tmp_path / "answers")
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = [line.removeprefix("    ") for line in shown.stdout.splitlines() if line]
    _variables, *blocks = commands("Install")
    expected = "".join(blocks).replace("$name", "cards.localhost").replace("$admin", "root@club.localhost")
    for line, command in zip(lines, expected.splitlines(), strict=True):
        if not any(variable in command for variable in ("$source", "$version", "$queue")):  # known on a server
            assert line == command


def test_the_questions_are_asked_at_a_terminal_and_a_wrong_answer_again(tmp_path: Path) -> None:
    answers = (
        ("The site's name", "https://cards.localhost/"),
        ("This cannot be used", "cards.localhost"),
        ("visitors read", "Our club"),
        ("Your email address", "root@club.localhost"),
        ("The mail server", ""),
        ("The copies", ""),
        ("The time zone", ""),
    )
    shown = type_at([str(SCRIPT), "--show", str(tmp_path / "none")], answers, {"PATH": os.environ["PATH"]})
    assert "-m root@club.localhost" in shown
    assert not list(tmp_path.iterdir())


def test_a_line_or_an_answer_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """Without a terminal nobody can be asked: cloud-init must not wait."""
    for text, message in (
        ("DOMAIN: cards.localhost", "line 1: write NAME=value"),
        ("ADMIN_EMAIL=root@club.localhost", "DOMAIN is missing"),
        (ANSWERS + "TIME_ZONE=Europe Paris", "TIME_ZONE is missing, or cannot be used"),
        (ANSWERS.replace("root@", "root;ls@"), "ADMIN_EMAIL is missing, or cannot be used"),
    ):
        (tmp_path / "answers").write_text(text)
        shown = show(tmp_path / "answers")
        assert shown.returncode == 1
        assert message in shown.stderr
