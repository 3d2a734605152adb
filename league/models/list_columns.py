"""What the columns of a club's spreadsheets are."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.club import Club

MOST_REMEMBERED: Final = 200  # columns of a kind of lists


def are_columns(value: object) -> bool:
    """Return whether this says what columns are: texts by texts, and not too many."""
    if not isinstance(value, dict) or len(value) > MOST_REMEMBERED:
        return False
    return all(isinstance(text, str) for text in (*value, *value.values()))


class ListColumns(models.Model):
    """What the columns of a club's lists of one kind are, so that an admin is asked once.

    `columns` has their meanings by what they are called; "" for a column that means nothing here.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="list_columns")
    kind = models.CharField(max_length=60)
    columns = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("columns of lists")
        constraints = [models.UniqueConstraint(fields=["club", "kind"], name="list_columns_once_a_kind")]

    def __str__(self) -> str:
        return self.kind
