"""People, their logins, their ratings, and the nights that computed them."""

from players.models.merge import Merge
from players.models.person import Player, User, display_name
from players.models.rating import Met, Rating, RatingDay, RatingRules, RatingStep
from players.models.run import Movement, Run, RunTask

__all__ = ["Merge", "Met", "Movement", "Player", "Rating", "RatingDay", "RatingRules", "RatingStep", "Run", "RunTask"]
__all__ += ["User", "display_name"]
