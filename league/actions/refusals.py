"""Exceptions of actions that are not possible now. Each message is a sentence for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.models import Season


class WrongState(ValueError):
    """The season, evening, round or table is not in a state that allows this."""


class StaleVersion(Exception):
    """Another user changed the row meanwhile."""


def check_not_closed(season: Season) -> None:
    if season.read_only_reason:
        raise WrongState(season.read_only_reason)
