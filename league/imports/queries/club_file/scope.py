"""The content of a club file: the whole club, the club for a hall server, or one evening from a hall server.

A club file is a zip of CSV files; a hall server is a computer in the hall.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, Protocol

from django.db.models import QuerySet

from league.imports.queries.club_file.parts import HALL_COPIES, PARTS, PEOPLE_LOOKUP, Part
from league.models import Club, Evening, HallCopy, Season

CONTACT_FIELDS: Final = frozenset({"email", "phone"})
EVENING_LOOKUP: Final = "evening__season__club"  # the end of the path from a row of an evening to its club
PARTS_NOT_RETURNED: Final = (HALL_COPIES, "intentions", "forfeits", "scores")  # only tournaments have forfeits
EVENING_PARTS: Final = tuple(
    part for part in PARTS if part.to_club.endswith(EVENING_LOOKUP) and part.name not in PARTS_NOT_RETURNED
)


class FileScope(Protocol):
    """Selects the rows and the history rows of each part for a club file."""

    empty_fields: frozenset[str]  # fields of text that the file leaves empty

    def rows(self, part: Part, club: Club, player_ids: Collection[int]) -> QuerySet[Any, Any]: ...

    def history_rows(self, part: Part, club: Club) -> QuerySet[Any, Any]: ...


class WholeClubScope:
    """The content of a file of a whole club: everything except the rows of HallCopy."""

    empty_fields: frozenset[str] = frozenset()

    def rows(self, part: Part, club: Club, player_ids: Collection[int]) -> QuerySet[Any, Any]:
        rows = part.rows(club, player_ids)
        return rows.none() if part.name == HALL_COPIES else rows

    def history_rows(self, part: Part, club: Club) -> QuerySet[Any, Any]:
        return part.history_rows(club)


class HallServerScope:
    """The content of a file for a hall server (a computer in the hall).

    It is the club without history, email addresses and telephone numbers.
    """

    empty_fields = CONTACT_FIELDS

    def __init__(self, copy: HallCopy) -> None:
        self.copy = copy

    def rows(self, part: Part, club: Club, player_ids: Collection[int]) -> QuerySet[Any, Any]:
        rows = part.rows(club, player_ids)
        return rows.filter(pk=self.copy.pk) if part.name == HALL_COPIES else rows

    def history_rows(self, part: Part, club: Club) -> QuerySet[Any, Any]:
        return part.history_rows(club).none()


class OneEveningScope:
    """The content of a file from a hall server (a computer in the hall): one evening and its season.

    The history of the evening and the people of the club are included. Email addresses and telephone numbers are left
    out.
    """

    empty_fields = CONTACT_FIELDS

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    def rows(self, part: Part, club: Club, player_ids: Collection[int]) -> QuerySet[Any, Any]:
        rows = part.rows(club, player_ids)
        if (part.to_club == PEOPLE_LOOKUP and not part.is_computed) or part.name in ("club", "memberships"):
            return rows
        if part.name == "club_games":
            return rows.filter(pk=self.evening.season.club_game_id)
        if part.model is Season:
            return rows.filter(pk=self.evening.season_id)
        if part.model is Evening:
            return rows.filter(pk=self.evening.pk)
        if part.name == HALL_COPIES or part in EVENING_PARTS:
            return rows.filter(**{_path_to_evening(part): self.evening.pk})
        return rows.none()

    def history_rows(self, part: Part, club: Club) -> QuerySet[Any, Any]:
        rows = part.history_rows(club)
        return rows.filter(**{_path_to_evening(part): self.evening.pk}) if part in EVENING_PARTS else rows.none()


def _path_to_evening(part: Part) -> str:
    return part.to_club.removesuffix("__season__club")


WHOLE_CLUB: Final = WholeClubScope()
