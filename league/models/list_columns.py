from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.club import Club

MAX_STORED_COLUMNS: Final = 200  # stored columns for one kind of spreadsheet


def are_valid_columns(value: object) -> bool:
    if not isinstance(value, dict) or len(value) > MAX_STORED_COLUMNS:
        return False
    return all(isinstance(text, str) for text in (*value, *value.values()))


class ListColumns(models.Model):
    """The meanings of the columns in a club's spreadsheets of one kind, so that an admin assigns them only once.

    `columns` maps the heading of a column to its meaning, "" for an ignored column.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="list_columns")
    kind = models.CharField(max_length=60)
    columns = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("columns of lists")
        constraints = [models.UniqueConstraint(fields=["club", "kind"], name="list_columns_once_a_kind")]

    def __str__(self) -> str:
        return self.kind
