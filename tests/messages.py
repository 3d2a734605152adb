"""The strings to translate: gathered from Python and the templates into locale/, and compiled, by Django and gettext.

python -m tests.messages            what `make messages` does
python -m tests.messages install    looks for gettext; installs it on Debian when root; else says what to install
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests import debian

ROOT = Path(__file__).parent.parent
LOCALE = "fr"  # English stands in the code
CATALOGUE = Path("locale") / LOCALE / "LC_MESSAGES" / "django.po"
ACCOUNT_WORDS = Path("players") / "account_words"  # texts of allauth and of Django's forms in our style, by hand
MISSING = (
    "Gathering strings needs gettext: install your system's package (Debian: apt install gettext; "
    "Fedora: dnf install gettext; macOS: brew install gettext)."
)
# No line numbers and no broken lines: a difference between two versions shows words only. Tests speak to nobody.
_OPTIONS = ("--no-obsolete", "--no-wrap", "--add-location=file", "--ignore=tests", "--ignore=var", "--ignore=build")


def is_installed() -> bool:
    """Return whether gettext's programs are here."""
    return all(shutil.which(program) for program in ("xgettext", "msgmerge", "msgfmt"))


def install() -> bool:
    """Install Debian's package if we may; whether gettext is there afterwards."""
    debian.install("gettext")
    return is_installed()


def gather(root: Path) -> None:
    """Bring the catalogue under `root` up to date with the strings there; CalledProcessError if one can't be read."""
    _django(root, "makemessages", f"--locale={LOCALE}", *_OPTIONS)
    catalogue = root / CATALOGUE
    # The hour at which they were gathered would make every catalogue differ from the one before.
    text = re.sub(r'"POT-Creation-Date: .*\n', "", catalogue.read_text("utf-8"))
    # Some versions of gettext wrap the lists of files, whatever the options.
    catalogue.write_text(re.sub(r"(?m)^#: .+(\n#: .+)+", _on_one_line, text), "utf-8")


def _on_one_line(files: re.Match[str]) -> str:
    return files[0].replace("\n#: ", " ")


def compile_catalogue(root: Path) -> None:
    """Write the .mo that the application reads beside each catalogue."""
    _django(root, "compilemessages", f"--locale={LOCALE}", "--ignore=.venv")
    for catalogue in (root / ACCOUNT_WORDS).rglob("*.po"):
        subprocess.run(["msgfmt", "--check-format", "-o", catalogue.with_suffix(".mo"), catalogue], check=True)


def _django(root: Path, *command: str) -> None:
    """Run one of Django's commands without our settings, which ask for a database."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    python = [sys.executable, "-m", "django"]
    subprocess.run([*python, *command], cwd=root, env=environment, check=True, capture_output=True, text=True)


if __name__ == "__main__":
    if not is_installed() and not install():
        sys.exit(MISSING)
    if sys.argv[1:] != ["install"]:
        try:
            gather(ROOT)
            compile_catalogue(ROOT)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{error.stdout}{error.stderr}")
