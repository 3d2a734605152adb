"""People, their logins, their ratings, and the nights that computed them."""

from players.models.merge import Merge
from players.models.person import Player, User, display_name
from players.models.rating import Met, Rating, RatingRules, RatingStep
from players.models.run import Run

__all__ = ["Merge", "Met", "Player", "Rating", "RatingRules", "RatingStep", "Run", "User", "display_name"]
