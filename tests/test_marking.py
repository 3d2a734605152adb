"""What people read is marked for translation: in templates, in code, and nowhere in scripts."""

import ast
import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from pathlib import Path

import polib
from django.template.base import Lexer, TokenType

from tests.messages import CATALOGUE, ROOT

CODE = ("league", "scoring", "players")
# Words for those who run the installation, in English like the commands that print them.
FOR_OPERATORS = {
    "league/api/schema.py",  # read by who writes programs
    "league/api/writing.py",  # descriptions in the schema, as above; its refusals are marked
    "league/imports/queries/club_file/export.py",  # the description within a file is the same for every reader
    "league/imports/queries/club_file/parts.py",
    # Why a backup failed, which commands print and the installation's admin sees.
    *(
        f"league/operations/work/backups/{name}.py"
        for name in ("archive", "copies", "drill", "dump", "recorded_runs", "restoration", "side_database", "store")
    ),
    "league/checks.py",  # what stops the start
    "league/operations/views/metrics.py",  # read by a monitoring program
    "league/web/request_metrics.py",  # as above
    "league/environment.py",  # as above
    "league/settings.py",  # as above
    "league/operations/work/releases.py",  # why the list of releases was not read, on that admin's page
    "league/operations/work/jobs.py",  # why a job failed, on the page of the installation's admin
    "league/pairing/__main__.py",  # a command's help
    "league/recompute/work/runs.py",  # a failed run's reason, which only the installation's admin sees
    "league/seasons/queries/season_evenings.py",  # why a run failed, as above
    "league/repairs.py",  # the reason of a 400, in the log
    "league/pairing/usage.py",  # a command's help
    "league/standings/usage.py",  # a command's help
    "league/web/request_body.py",  # the reason of a 400, in the log
    "players/rating/command_line.py",  # a command's help
    "scoring/usage.py",  # a command's help
}
SQL = re.compile(r"(SELECT|WITH|UPDATE|INSERT|DELETE) ")  # for the database alone
HINT = """
What people read is marked where it stands (docs/translating.md):
- in a function, gettext or ngettext; in the body of a class and at the top of a module, where a text is made once for
  every language, gettext_lazy or ngettext_lazy; in the pure engine, those of scoring.rules.words;
- then `make messages` gathers it into locale/fr/LC_MESSAGES/django.po, and its French is filled in there."""
BOTH_LANGUAGES = {  # drawn without a context: they say it in both
    "templates/400.html",
    "templates/500.html",
    "templates/demo_reset.html",
}


class _Words(HTMLParser):
    """The words of a template that a reader sees or hears."""

    SPOKEN = ("aria-label", "aria-description", "alt", "label", "placeholder", "summary", "title")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._mute = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._mute = tag in ("script", "style")
        attributes = dict(attrs)
        shows_value = tag == "input" and attributes.get("type") in ("submit", "button", "reset")
        spoken = [*self.SPOKEN, *(["value"] if shows_value else [])]
        self.found += [text for name in spoken if _is_word(text := attributes.get(name) or "")]

    def handle_endtag(self, tag: str) -> None:
        self._mute = False

    def handle_data(self, data: str) -> None:
        if not self._mute and _is_word(data):
            self.found.append(data.strip())


def _is_word(text: str) -> bool:
    return re.search(r"[^\W\d_]{2,}", text) is not None


def outside(source: str) -> str:
    """Return a template without its tags, its variables and what is marked in it."""
    kept_parts, inside = [], ""
    for token in Lexer(source).tokenize():
        tag = token.contents.split(maxsplit=1)[0] if token.token_type is TokenType.BLOCK else ""
        if inside:
            inside = "" if tag == f"end{inside}" else inside
        elif tag in ("blocktranslate", "comment"):
            inside = tag
        elif token.token_type is TokenType.TEXT:
            kept_parts.append(token.contents)
    return "".join(kept_parts)


def test_templates_say_nothing_unmarked() -> None:
    roots = [ROOT / "templates", *ROOT.glob("scoring/games/*/templates")]
    unmarked = {
        name: words
        for path in sorted(path for root in roots for path in root.rglob("*.*"))
        if (name := str(path.relative_to(ROOT))) not in BOTH_LANGUAGES
        and (words := _Words(outside(path.read_text("utf-8"))).found)
    }
    assert unmarked == {}


def test_code_says_nothing_unmarked() -> None:
    known_texts = {text for entry in polib.pofile(str(ROOT / CATALOGUE)) for text in (entry.msgid, entry.msgid_plural)}
    unmarked = [
        f"{name}:{line} {text}"
        for path in sorted(path for app in CODE for path in (ROOT / app).rglob("*.py"))
        if not {"tests", "migrations", "management", "demo"} & set(path.parts)
        and (name := str(path.relative_to(ROOT))) not in FOR_OPERATORS
        for line, text in _unmarked(path, known_texts)
    ]
    assert not unmarked, "\n".join((*unmarked, HINT))


def _unmarked(path: Path, known_texts: Collection[str]) -> Iterator[tuple[int, str]]:
    """Lines with a phrase for people that no call marks, or with a marking that makemessages can't read."""
    tree = ast.parse(path.read_text("utf-8"))
    marked: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := _called(node)):
            marked.update(ast.walk(node))
            first = 1 if name.startswith(("p", "np")) else 0  # after the context
            texts = node.args[first : first + (2 if name.startswith("n") else 1)]
            constants = [text.value for text in texts if isinstance(text, ast.Constant)]
            if name != "gettext" and len(constants) < len(texts):
                yield node.lineno, f"{name} takes a text that stands in the call: nothing gathers a variable"
            # Inside an f-string, say, xgettext sees no call.
            yield from (
                (node.lineno, f"{text!r} is not in the catalogue: make messages")
                for text in constants
                if text not in known_texts
            )
        elif isinstance(node, ast.ImportFrom):
            renamed = [
                alias.asname for alias in node.names if "gettext" in alias.name and alias.asname not in (None, "_")
            ]
            yield from ((node.lineno, f"{name} is no name that makemessages knows") for name in renamed)
        elif isinstance(node, ast.Expr):  # a docstring
            marked.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in marked:
            phrase = re.match(r"[A-Z“%][\w’'“”%(),:]* [a-z]+\b", node.value)
            if phrase and "<" not in node.value and not SQL.match(node.value):
                yield node.lineno, f"{node.value!r} is not marked"


def _called(call: ast.Call) -> str:
    """Return the name by which gettext is called, or nothing.

    `gettext` itself also looks up what is marked elsewhere.
    """
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name if name == "_" or re.fullmatch(r"(n|p|np)?gettext(_lazy|_noop)?", name) else ""


def test_scripts_say_nothing() -> None:
    """Their words come from the page, marked."""
    phrase = re.compile(r"""["'`][A-Z][a-z]+ [a-z]+""")
    phrases = [
        f"{path.name}: {line.strip()}"
        for path in sorted((ROOT / "static" / "js").glob("*.js"))
        for line in path.read_text("utf-8").splitlines()
        if phrase.search(line) and not line.strip().startswith("//")
    ]
    assert phrases == []
