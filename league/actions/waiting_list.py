"""Free places of a tournament go to the first of its waiting list. Call it with the tournament's row locked."""

from __future__ import annotations

from datetime import datetime

from league.actions import registration_emails
from league.models import Tournament, TournamentUnit
from league.models.tournament import TournamentState, UnitState


def free_places(tournament: Tournament) -> int:
    """Return the number of free places; negative if the desk gave more than there are."""
    return int(tournament.places - tournament.units.registered().count())


def fill_places(tournament: Tournament, *, now: datetime) -> list[TournamentUnit]:
    """Give each free place to the first of the waiting list, and notify it. Nothing is given after the day."""
    is_over = tournament.is_over(now.astimezone(tournament.club.zone).date())
    free = free_places(tournament)
    if tournament.state == TournamentState.DRAFT or is_over or free <= 0:
        return []
    promoted: list[TournamentUnit] = list(tournament.units.waiting().with_players()[:free])
    for unit in promoted:
        give_place(tournament, unit)
    return promoted


def give_place(tournament: Tournament, unit: TournamentUnit) -> None:
    """Register a waiting unit and notify it."""
    unit.state = UnitState.REGISTERED
    unit.save(update_fields=["state"])
    registration_emails.promoted(tournament, unit)
