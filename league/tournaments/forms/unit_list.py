"""Form for a list of registrations that is imported, with the columns of the exported list."""

from __future__ import annotations

from typing import Any

from league.actions.registrations import PlayerEntry, Registration
from league.imports.queries.listed_people import name_key
from league.models import Tournament
from league.tournaments.queries.member_names import players_by_name
from league.tournaments.queries.unit_list import MAX_LINES, ListedUnit, read_units
from league.tournaments.queries.units import desk_units
from league.web.list_form import PastedListForm


class UnitListForm(PastedListForm):
    """A pasted list of registrations, one line for each player, pair or team."""

    max_lines = MAX_LINES

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        self.units: list[ListedUnit] = []

    def parse_text(self, text: str) -> None:
        self.units = read_units(text, self.tournament)

    @property
    def invalid_units(self) -> list[ListedUnit]:
        return [unit for unit in self.units if unit.problem]

    def new_registrations(self) -> list[Registration]:
        """Return the registrations of valid lines. Lines whose players are registered together already are left out.

        Three queries.
        """
        registered = {
            frozenset(name_key(member.name) for member in unit.members) for unit in desk_units(self.tournament)
        }
        valid_units = [unit for unit in self.units if not unit.problem]
        names = [cells["name"] for unit in valid_units for cells in unit.players.values()]
        members = players_by_name(self.tournament, names)
        registrations = []
        for unit in valid_units:
            cells = [unit.players[number] for number in sorted(unit.players)]
            key = frozenset(name_key(cell["name"]) for cell in cells)
            if key not in registered:
                registered.add(key)
                registrations.append(self._build_registration(unit, cells, members))
        return registrations

    def _build_registration(self, unit: ListedUnit, cells: list[Any], members: Any) -> Registration:
        keys = [name_key(cell["name"]) for cell in cells]
        entries = [
            PlayerEntry(
                cell["name"],
                cell.get("email", ""),
                cell.get("phone", ""),
                members.get(key) if keys.count(key) == 1 else None,
            )
            for cell, key in zip(cells, keys, strict=True)
        ]
        seeks_partner = len(entries) < self.tournament.unit_size
        return Registration(entries, name=unit.team, seeks_partner=seeks_partner, club_id=unit.club_id)
