"""Each module of league belongs to a layer of its room, and pages do not use the pages of other rooms."""

from __future__ import annotations

import grimp
import pytest

NOT_ROOMS = {
    *("models", "actions", "draw", "pairing", "standings", "web", "templatetags", "api", "demo", "management"),
    *("formats", "migrations", "tests"),
}
LAYERS = {"queries", "work", "views", "forms", "tables", "urls", "tasks"}
PAGES = {"views", "forms", "tables", "urls"}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("league", exclude_type_checking_imports=False, cache_dir=None)


def rooms_and_layers(graph: grimp.ImportGraph) -> dict[str, tuple[str, str]]:
    """Return (room, layer) by module, for modules two or more levels below league; tests and migrations excluded."""
    rooms = {}
    for module in graph.modules:
        _league, *parts = module.split(".")
        if len(parts) < 2 or parts[0] in NOT_ROOMS or parts[1] == "tests":
            continue
        rooms[module] = (parts[0], parts[1])
    return rooms


def test_each_module_of_a_room_belongs_to_a_layer(graph: grimp.ImportGraph) -> None:
    homeless = [module for module, (_room, layer) in rooms_and_layers(graph).items() if layer not in LAYERS]
    assert not homeless, f"put these into one of {sorted(LAYERS)}"


def test_pages_import_no_pages_of_another_room(graph: grimp.ImportGraph) -> None:
    modules = rooms_and_layers(graph)
    pages = {module: room for module, (room, layer) in modules.items() if layer in PAGES}
    crossing = [
        f"{importer} imports {imported}"
        for importer, room in pages.items()
        for imported in graph.find_modules_directly_imported_by(importer)
        if pages.get(imported, room) != room
    ]
    assert not crossing


def test_the_api_imports_no_pages(graph: grimp.ImportGraph) -> None:
    pages = {module for module, (_room, layer) in rooms_and_layers(graph).items() if layer in PAGES}
    api = [module for module in graph.modules if module.startswith("league.api.") and ".tests" not in module]
    imported = {module: graph.find_modules_directly_imported_by(module) & pages for module in api}
    crossing = {module: names for module, names in imported.items() if names}
    assert not crossing
