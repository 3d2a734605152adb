"""Make a release: `make release VERSION=0.2.0`, or `python -m deploy.release 0.2.0`.

Writes the version into pyproject.toml and CHANGELOG.md, and dumps the demo club by PostgreSQL 15, the oldest supported
version, for the upgrade test of the next release. Then commits and tags these files. No file changes before the dump is
complete.
"""

import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

from deploy import servers

PROJECT_FOLDER = Path(__file__).resolve().parent.parent
PYPROJECT_FILE, CHANGELOG_FILE = PROJECT_FOLDER / "pyproject.toml", PROJECT_FOLDER / "CHANGELOG.md"
DUMPS_FOLDER = PROJECT_FOLDER / "tests" / "server" / "dumps"
POSTGRES_PROGRAMS_FOLDER = Path("/usr/lib/postgresql/15/bin")
UNRELEASED_HEADING = "## Unreleased\n"


class ReleaseRefused(Exception):
    """A release is refused; the message is one line for the maintainer."""


def texts_with_version(project: str, changes: str, version: str, today: date) -> tuple[str, str]:
    """Return the texts of pyproject.toml and CHANGELOG.md with the new version. Raise ReleaseRefused."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ReleaseRefused(f"{version!r} is no version: three numbers with points, as 0.2.0.")
    [previous] = re.findall(r'^version = "(.*)"$', project, re.MULTILINE)
    if f"\n## {version} " in changes or version_key(version) < version_key(previous):
        raise ReleaseRefused(f"{version} was released already, or {previous} was, which is newer.")
    section = changes.partition(UNRELEASED_HEADING)[2].partition("\n## ")[0]
    if not section.strip():
        raise ReleaseRefused("CHANGELOG.md says nothing under Unreleased.")
    return (
        project.replace(f'version = "{previous}"', f'version = "{version}"', 1),
        changes.replace(UNRELEASED_HEADING, f"{UNRELEASED_HEADING}\n## {version} ({today.isoformat()})\n", 1),
    )


def version_key(version: str) -> list[int]:
    """Return the numbers of a version, for comparisons."""
    return [int(number) for number in version.split(".")]


def dump_demo_club(target: Path) -> None:
    """Write a dump of the demo club to the file `target`, by PostgreSQL 15, after a first recompute."""
    if not (POSTGRES_PROGRAMS_FOLDER / "pg_dump").exists():
        raise ReleaseRefused(
            f"The dump needs PostgreSQL 15 in {POSTGRES_PROGRAMS_FOLDER} (Debian 12: apt install postgresql-15)."
        )
    os.environ["PG_BIN"] = str(POSTGRES_PROGRAMS_FOLDER)
    with servers.temporary_servers() as settings:
        environment = {**os.environ, **settings}
        for command in (["migrate", "--verbosity", "0"], ["demo"], ["verify"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=PROJECT_FOLDER, env=environment, check=True)
        sockets = unquote(urlsplit(settings["DATABASE_URL"]).netloc.partition("@")[2])
        subprocess.run(
            [
                *(POSTGRES_PROGRAMS_FOLDER / "pg_dump", "--format=custom", "--compress=9", "--no-owner"),
                *(f"--host={sockets}", "--username=postgres", f"--file={target}", "postgres"),
            ],
            check=True,
        )


def git(*arguments: str) -> str:
    """Run git in the project and return its output. Its errors are printed."""
    return subprocess.run(["git", *arguments], cwd=PROJECT_FOLDER, check=True, stdout=subprocess.PIPE, text=True).stdout


def make_release(version: str) -> None:
    """Create the release with this version number. Raise ReleaseRefused if a condition is not met."""
    if git("status", "--porcelain"):
        raise ReleaseRefused("Something is not committed yet: git status.")
    if git("tag", "--list", f"v{version}"):
        raise ReleaseRefused(f"The tag v{version} exists already.")
    git("var", "GIT_COMMITTER_IDENT")  # fails here, before any change, if git does not know the maintainer's name
    project, changes = PYPROJECT_FILE.read_text(), CHANGELOG_FILE.read_text()
    project, changes = texts_with_version(project, changes, version, date.today())  # noqa: DTZ011  the maintainer's own day
    with TemporaryDirectory() as folder:
        dumped = Path(folder) / "dump"
        dump_demo_club(dumped)
        (DUMPS_FOLDER / f"{version}.dump").write_bytes(dumped.read_bytes())
    PYPROJECT_FILE.write_text(project)
    CHANGELOG_FILE.write_text(changes)
    git("add", "--", str(PYPROJECT_FILE), str(CHANGELOG_FILE), str(DUMPS_FOLDER))
    git("commit", "--message", f"Release {version}")
    git("tag", f"v{version}")
    print(
        f"v{version} is committed and tagged here. Now run make test-deploy, which tries the new dump, and then push."
    )


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    try:
        make_release(sys.argv[1])
    except (ReleaseRefused, servers.ServerError, subprocess.CalledProcessError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
