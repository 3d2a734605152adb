"""Filter of a leaderboard in the page's query string: name, date and, by subclass, club or other fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from league.web.past_date import PastForm
from players.forms.search import SearchField
from players.models import Player


class BoardFilter(PastForm):
    q = SearchField()

    field_order = ("q", "on")

    def __init__(self, query: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(query if any(name in query for name in self.base_fields) else None, **kwargs)

    @property
    def typed(self) -> str:
        return str(self.field_value("q") or "").strip()

    @property
    def matching_players(self) -> QuerySet[Player, Player] | None:
        """Return None for everyone."""
        return Player.objects.search(self.typed) if self.typed else None

    @property
    def is_narrowed(self) -> bool:
        return any(self.field_value(name) for name in self.fields) or bool(self.errors)

    def field_value(self, name: str) -> Any:
        if not hasattr(self, "cleaned_data") and self.is_bound:
            self.full_clean()  # only once: each call queries the club
        return getattr(self, "cleaned_data", {}).get(name)
