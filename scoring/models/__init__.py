"""Deals as they were played, and the points that each seat got from them."""

from scoring.models.deal import Deal, Score

__all__ = ["Deal", "Score"]
