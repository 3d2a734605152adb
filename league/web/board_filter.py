"""What of a board is asked for: a name, a date, a club, and who is left out. All of it stands in the page's address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from league.web.past_date import PastForm
from players.forms.search import SearchField
from players.models import Player


class BoardFilter(PastForm):
    """A name beside the date; a board that has more to choose from adds its fields."""

    q = SearchField()

    field_order = ("q", "on")

    def __init__(self, query: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(query if any(name in query for name in self.base_fields) else None, **kwargs)

    @property
    def typed(self) -> str:
        """What is looked for, without accents and in any order; "" for everyone."""
        return str(self.chosen("q") or "").strip()

    @property
    def found(self) -> QuerySet[Player, Player] | None:
        """The players who are looked for; None for everyone."""
        return Player.objects.search(self.typed) if self.typed else None

    @property
    def is_narrowed(self) -> bool:
        """Whether anything of it is chosen, so that it is shown open."""
        return any(self.chosen(name) for name in self.fields) or bool(self.errors)

    def chosen(self, name: str) -> Any:
        """Return what a field says, None where nothing is chosen."""
        if not hasattr(self, "cleaned_data") and self.is_bound:
            self.full_clean()  # once: a club is looked up each time
        return getattr(self, "cleaned_data", {}).get(name)
