"""Deals as they were played, the points that each seat got from them, and objections to them."""

from scoring.models.contest import Contest
from scoring.models.deal import Deal
from scoring.models.score import Score

__all__ = ["Contest", "Deal", "Score"]
