from players.models.person import Player, User, display_name
from players.models.rating import Met, Rating, RatingDay, RatingRules, RatingStep

__all__ = ["Met", "Player", "Rating", "RatingDay", "RatingRules", "RatingStep", "User", "display_name"]
