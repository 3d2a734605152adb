"""What an action raises when it can't be done now. The text of each is a sentence for the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.models import Season


class WrongState(ValueError):
    """The season, evening, round or table is not in a state that allows this."""


class StaleVersion(Exception):
    """Somebody else changed it meanwhile."""


def check_not_closed(season: Season) -> None:
    """Refuse, with WrongState, to write anything in a closed season."""
    if season.why_not_written:
        raise WrongState(season.why_not_written)
