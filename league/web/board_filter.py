"""The filter form of a leaderboard: name and date. Subclasses add fields, such as the club."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.web.fields import BoundedDateField
from players.forms.search import SearchField
from players.models import Player


class NameAndDateFilter(forms.Form):
    """The filter form of a leaderboard, from the query string.

    Without a date before today, it selects the present leaderboard.
    """

    q = SearchField()
    on = BoundedDateField(
        label=_("As of"),
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date", "class": "form-control"}, format="%Y-%m-%d"),
    )

    def __init__(self, query: Mapping[str, Any], *, today: date, **kwargs: Any) -> None:
        super().__init__(query if any(name in query for name in self.base_fields) else None, **kwargs)
        self.today = today
        self.fields["on"].widget.attrs["max"] = today.isoformat()

    @property
    def day(self) -> date | None:
        """Return the selected past date; None for the present leaderboard."""
        day: date | None = self.cleaned_data.get("on") if self.is_valid() else None
        return day if day and day < self.today else None

    @property
    def searched_name(self) -> str:
        return str(self.field_value("q") or "").strip()

    @property
    def matching_players(self) -> QuerySet[Player, Player] | None:
        """Return the players with the searched name, or None without a search."""
        return Player.objects.search(self.searched_name) if self.searched_name else None

    @property
    def is_narrowed(self) -> bool:
        """Return whether any field of the filter has a value or an error."""
        return any(self.field_value(name) for name in self.fields) or bool(self.errors)

    def field_value(self, name: str) -> Any:
        """Return the cleaned value of a field; None if it is empty or invalid."""
        if not hasattr(self, "cleaned_data") and self.is_bound:
            self.full_clean()  # only once: each call queries the club
        return getattr(self, "cleaned_data", {}).get(name)
