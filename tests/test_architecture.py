"""The house rules that a program can check: who imports whom, what is named where, who writes points."""

import ast
import configparser
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import grimp
import pytest
from django.apps import apps
from django.contrib import admin
from django.db import transaction

from scoring import registry
from tests.build import a_club
from tests.writers import WRITERS, WrongWriter

ROOT = Path(__file__).parent.parent
APPS = ("league", "players", "scoring")
FOLDERS = (*APPS, "tests", "deploy", "bench")
# Made by tools or by machines; everything else in the tree is ours.
GENERATED = {".git", ".venv", "var", "build", "__pycache__", "node_modules", "test-results"}

NO_NOUNS = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "base",
    "services",
    "service",
    "managers",
    "manager",
    "misc",
}


def sources(*folders: str) -> Iterator[Path]:
    """The Python files of these folders, as paths from the root."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not GENERATED & set(path.relative_to(ROOT).parts):
                yield path.relative_to(ROOT)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def is_test(path: Path) -> bool:
    return "tests" in path.parts


# Imports


PUBLIC_STUBS = "_typeshed"  # for type checkers


def test_no_private_part_of_a_library_is_imported() -> None:
    imports = []
    for path in sources(*FOLDERS):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                package, *parts = name.split(".")
                is_private = any(part == "internal" or re.match(r"_(?!_)", part) for part in (package, *parts))
                if package not in (*FOLDERS, PUBLIC_STUBS) and is_private:
                    imports.append(f"{path}: {name}")
    assert imports == []


def pure_modules() -> list[str]:
    """Return what `.importlinter` calls pure, written out."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter")
    names = contracts["importlinter:contract:pure"]["source_modules"].split()
    found = [*(ROOT.glob(name.replace(".", "/") + ending) for name in names for ending in (".py", "/*.py"))]
    paths = {path.relative_to(ROOT) for paths in found for path in paths}
    modules = {".".join((ROOT / path).relative_to(ROOT).with_suffix("").parts) for path in paths}
    return sorted(module.removesuffix(".__init__") for module in modules)


def test_what_is_pure_is_imported_where_django_can_not_be() -> None:
    modules = pure_modules()
    assert {
        "league.standings.season_ranking",
        "league.sheets.queries.table_end",
        "players.rating",
        "players.rating.command_line",
    } <= set(modules)
    assert {f"scoring.games.{folder}.{half}" for folder in registry.FOLDERS for half in ("rules", "play")} <= set(
        modules
    )
    program = f"""
import importlib, sys
sys.modules["django"] = None
for name in {modules!r}:
    importlib.import_module(name)
"""
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert process.returncode == 0, process.stderr


def test_packages_say_nothing_but_for_models() -> None:
    """Importing a pure module runs the `__init__` of every package above it."""
    telling = {str(path) for path in sources(*FOLDERS) if path.name == "__init__.py" and (ROOT / path).stat().st_size}
    assert telling == {"league/models/__init__.py", "players/models/__init__.py"}


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """Return the groups of modules that import each other in a ring, by Tarjan's algorithm."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for edge in sorted(edges[name]):
            if edge not in order:
                visit(edge)
            if edge in stack:
                lowest[name] = min(lowest[name], lowest[edge])
        if lowest[name] == order[name]:
            ring = set(stack[stack.index(name) :])
            del stack[stack.index(name) :]
            if len(ring) > 1:
                found.append(ring)

    for name in sorted(edges):
        if name not in order:
            visit(name)
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Types count too: a circle of names is read as a circle."""
    graph = grimp.build_graph(*APPS, exclude_type_checking_imports=False, cache_dir=None)
    assert circles({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}) == []


# Names


def test_modules_are_nouns_of_the_domain() -> None:
    assert [str(path) for path in sources(*FOLDERS) if NO_NOUNS & {path.stem, *path.parts}] == []


WORD_IN_CAMEL_CASE = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def names_a_game(text: str, folders: Sequence[str] = registry.FOLDERS) -> bool:
    """Return whether a text has a game's name as a word: TarotForm, TAROT or tarot_deals, but not params for rams."""
    names = "|".join(folder.replace("_", "[ _-]?") for folder in folders)
    separated = WORD_IN_CAMEL_CASE.sub("_", text)
    return bool(re.search(f"(?<![a-z])({names})s?(?![a-z])", separated, re.IGNORECASE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, True) for text in ("rams", "Rams", "RAMS", "rams_deals", "a_rams", "RamsForm", "isRams", "RAMSForm")),
        *((text, True) for text in ("little-rams.html", "two_step", "two step", "TwoStep", "TWO_STEPS", "/rams/2")),
        *(
            (text, False)
            for text in ("params", "PARAMS", "ramses", "get_params", "ParamsOfTwo", "grams", "two steppes")
        ),
    ],
)
def test_a_game_is_named_by_whole_words(text: str, expected: bool) -> None:
    assert names_a_game(text, ["rams", "two_step"]) is expected


def docstrings(path: Path) -> set[int]:
    """Return the lines on which docstrings begin."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(tree(path)) if isinstance(node, holders) and node.body]
    firsts = [body[0] for body in bodies]
    return {first.lineno for first in firsts if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)}


def docstring_lines(path: Path) -> Iterator[tuple[int, str]]:
    """A file's names and strings with their lines: what the program says, without comments and docstrings."""
    docstring_nodes = docstrings(path)
    with tokenize.open(ROOT / path) as file:
        for token in tokenize.generate_tokens(file.readline):
            is_docstring = token.type == tokenize.STRING and token.start[0] in docstring_nodes
            if token.type != tokenize.COMMENT and not is_docstring:
                yield token.start[0], token.string


def test_no_game_is_named_outside_its_folder() -> None:
    homes = ("scoring/games/", "scoring/registry.py")
    found = [
        f"{path}:{line}: {text}"
        for path in sources(*APPS)
        if not str(path).startswith(homes) and not is_test(path) and "migrations" not in path.parts
        if names_a_game((ROOT / path).read_text(encoding="utf-8"))  # else its words need no look one by one
        for line, text in docstring_lines(path)
        if names_a_game(text)
    ]
    assert found == []


def test_scoring_names_no_app_above_it() -> None:
    """Nor a page of one: its forms, words and partial templates could be published alone."""
    names = re.compile(r"\bleague\b|\bplayers[./]\w")
    files = [path for ending in ("py", "html") for path in (ROOT / "scoring").rglob(f"*.{ending}")]
    assert files
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in files
        if not is_test(path)
        for line in path.read_text(encoding="utf-8").splitlines()
        if names.search(line)
    ]
    assert found == []


def test_only_the_engine_reads_and_scores() -> None:
    """Outside `scoring`, `Rules.play` is the only way to points: no module reads or scores by itself."""
    found = [
        f"{path}:{node.lineno}"
        for path in sources("league", "players", "tests", "bench", "deploy")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in ("read", "score") and _is_rules(node.value)
    ]
    assert not found


def _is_rules(node: ast.expr) -> bool:
    """Return whether an expression is a game's rules: `rules`, `RULES`, `game.rules`, `registry.rules(…)`."""
    if isinstance(node, ast.Call):
        node = node.func
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.lower() == "rules"


def test_no_page_and_no_script_names_a_game() -> None:
    files = [path for folder in ("templates", "static") for path in (ROOT / folder).rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in {".html", ".txt", ".js", ".css", ".svg"}]
    assert texts
    found = [str(path.relative_to(ROOT)) for path in texts if names_a_game(path.read_text(encoding="utf-8"))]
    assert found == []


# Writing


def test_there_are_no_signals() -> None:
    found = []
    for path in sources(*APPS):
        for node in ast.walk(tree(path)):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            found += [f"{path}: {name}" for name in modules if name.endswith("signals") or name == "django.dispatch"]
    assert found == []


def test_save_only_saves() -> None:
    found = [
        f"{path}: {each.name}.{method.name}"
        for path in sources(*APPS)
        if "models" in path.parts
        for each in ast.walk(tree(path))
        if isinstance(each, ast.ClassDef)
        for method in each.body
        if isinstance(method, ast.FunctionDef) and method.name in {"save", "save_base", "delete"}
    ]
    assert found == []


COLUMNS = {"write_columns"}  # players.columns: by COPY, which no statement of a test run shows


def test_columns_are_copied_into_tables_by_writers_alone() -> None:
    """tests/writers.py looks at every other write while the tests run."""
    importing = {
        str(path)
        for path in sources(*APPS)
        if not is_test(path)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        and node.module == "players.columns"
        and COLUMNS & {name.name for name in node.names}
    }
    assert importing
    assert [path for path in importing if not path.startswith(WRITERS)] == []
    copying = {
        str(path)
        for path in sources(*APPS)
        if not is_test(path) and re.search(r"COPY [({]", (ROOT / path).read_text("utf-8"))
    }
    assert copying == {"players/columns.py", "league/actions/club_file_rows.py"}


@pytest.mark.django_db
def test_a_view_that_writes_by_itself_is_found() -> None:
    club = a_club()
    writing = compile("club.save()", str(ROOT / "league/clubs/views/clubs.py"), "exec")
    with pytest.raises(WrongWriter, match=r"league/clubs/views/clubs\.py"), transaction.atomic():
        exec(writing, {"club": club})
    exec(compile("club.save()", str(ROOT / "league/actions/clubs.py"), "exec"), {"club": club})


DERIVED = (
    "league.Score",
    "league.Standing",
    "league.PlayerStatistics",
    "league.TournamentRank",
    "players.Rating",
    "players.RatingStep",
    "players.FirstMeeting",
)


@pytest.mark.parametrize("name", DERIVED)
def test_the_repair_pages_write_no_points(name: str) -> None:
    """Not even for the installation's admin: a number changed there would contradict its facts."""
    page = admin.site._registry.get(apps.get_model(name))
    request = None  # these answers depend on nobody
    assert page is None or not (
        page.has_add_permission(request)  # type: ignore[arg-type]
        or page.has_change_permission(request)  # type: ignore[arg-type]
        or page.has_delete_permission(request)  # type: ignore[arg-type]
    )


# The whole tree


def files() -> Iterator[Path]:
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if (
            path.is_file()
            and not GENERATED & set(parts)
            and not parts[0].endswith("_cache")
            and parts[0] != ".hypothesis"
        ):
            yield path


@pytest.mark.parametrize("word", ["pypi" + ".org", "files.python" + "hosted"])
def test_no_file_names_a_package_registry(word: str) -> None:
    """Where packages come from is the installer's to say: a club's machine may have a mirror."""
    found = [str(path.relative_to(ROOT)) for path in files() if word.encode() in path.read_bytes()]
    assert found == []
