from players.models.person import Player, User, display_name
from players.models.rating import FirstMeeting, Rating, RatingDay, RatingRules, RatingStep

__all__ = ["FirstMeeting", "Player", "Rating", "RatingDay", "RatingRules", "RatingStep", "User", "display_name"]
