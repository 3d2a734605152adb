"""What a secretary says when an evening is closed, and an admin when a season is."""

from __future__ import annotations
