"""Giving free places of a tournament to the waiting list, in the order of registration.

Call these functions with the tournament's row locked.
"""

from __future__ import annotations

from datetime import datetime

from league.actions import registration_emails
from league.models import Tournament, TournamentUnit
from league.models.tournament import TournamentState, UnitState


def free_places(tournament: Tournament) -> int:
    """Return the number of free places; negative if the organisers registered more than there are places."""
    return int(tournament.places - tournament.units.registered().count())


def fill_places(tournament: Tournament, *, now: datetime) -> list[TournamentUnit]:
    """Give each free place to the next unit (player, pair or team) of the waiting list, and return these units.

    Their players get an email. Do nothing for a draft, or a tournament that is over.
    """
    free = free_places(tournament)
    if tournament.state == TournamentState.DRAFT or tournament.is_over(now) or free <= 0:
        return []
    promoted: list[TournamentUnit] = list(tournament.units.waiting().with_players()[:free])
    for unit in promoted:
        give_place(tournament, unit, now=now)
    return promoted


def give_place(tournament: Tournament, unit: TournamentUnit, *, now: datetime) -> None:
    """Give a unit (player, pair or team) of the waiting list a place, and email its players."""
    unit.state = UnitState.REGISTERED
    unit.save(update_fields=["state"])
    registration_emails.notify_promoted(tournament, unit, now=now)
