"""Exceptions that actions raise if they are not possible now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from league.models import Season


class WrongState(ValueError):
    """The state of a row, for example a closed season, does not allow the action.

    The message is a sentence for the user.
    """


class StaleVersion(Exception):
    """Another user changed the row after this user had opened the page."""


def check_not_closed(season: Season) -> None:
    if season.read_only_reason:
        raise WrongState(season.read_only_reason)


def check_no_tournament(season: Season) -> None:
    """Raise WrongState if the season belongs to a tournament: only actions of the tournament may change its evening."""
    if season.tournament_id is not None:
        raise WrongState(_("This evening belongs to a tournament: use the tournament’s pages."))


def check_no_tournament_season(season: Season) -> None:
    """Raise WrongState if the season is a tournament's: its rules and its ranking are the tournament's."""
    if season.tournament_id is not None:
        raise WrongState(_("This season belongs to a tournament: use the tournament’s pages."))
