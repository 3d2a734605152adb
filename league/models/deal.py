from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import readable_condition
from league.models.history import track_history
from league.models.table import Table

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from players.models.person import Viewer


class DealSource(models.TextChoices):
    """The place where a deal was entered. A deal from the table is checked later at the desk."""

    DESK = "desk", _("At the desk")
    TABLE = "table", _("At the table")


class DealQuerySet(models.QuerySet["Deal"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(table__in=Table.objects.visible_to(user))

    def recordable_by(self, user: Viewer) -> Self:
        return self.filter(table__in=Table.objects.recordable_by(user))

    def contestable_by(self, user: Viewer) -> Self:
        return self.filter(readable_condition(user, "table__round__evening__season__club"))

    def not_voided(self) -> Self:
        return self.filter(voided_at=None)

    def unchecked(self) -> Self:
        return self.not_voided().filter(checked=False)

    def with_table(self) -> Self:
        return self.select_related("table__round__evening__season__club")


def has_same_facts(rows: models.QuerySet[Any], facts: Mapping[str, Any], rests: Sequence[int] | None) -> bool:
    """Return whether one of `rows` (deals or history of deals) has these facts (JSON of what happened) and these
    resting seats.

    `rests` is None if the resting seats follow from the order of the deals; then only the facts are compared.
    """
    same = rows.filter(facts=facts)
    return bool((same if rests is None else same.filter(rests=sorted(rests))).exists())


@track_history("DealEvent", fields=["id", "table", "facts", "rests", "version", "voided_at", "source", "checked"])
class Deal(models.Model):
    """One hand that was dealt and played. A voided deal has no number and no scores.

    `facts` is the JSON of what happened at the table. `doubted` is True if the game's rules have a warning about the
    facts; it is computed with the scores. `client_key` and `change_key` identify the request that recorded the deal,
    and the last request that changed it, so that a repeated request changes nothing.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="dealt")
    number = models.PositiveSmallIntegerField(_("number"), null=True)
    facts = models.JSONField(_("facts"))
    rests = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("sitting out"), default=list, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)
    source = models.CharField(_("entered"), max_length=5, choices=DealSource, default=DealSource.DESK, editable=False)
    checked = models.BooleanField(_("checked"), default=True, editable=False)
    doubted = models.BooleanField(_("suspicious"), default=False, editable=False)
    client_key = models.UUIDField(editable=False)
    change_key = models.UUIDField(null=True, editable=False)
    recorded_at = models.DateTimeField(auto_now_add=True)
    voided_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = DealQuerySet.as_manager()
    if TYPE_CHECKING:
        events: RelatedManager[Any]  # the row's history, created by `track_history`

    class Meta:
        ordering = ["number", "pk"]
        verbose_name = _("deal")
        constraints = [
            # Deferred: inserting a forgotten deal increases the numbers of later deals in one statement.
            models.UniqueConstraint(
                fields=["table", "number"], name="deal_number_once_a_table", deferrable=models.Deferrable.DEFERRED
            ),
            models.UniqueConstraint(fields=["table", "client_key"], name="deal_key_once_a_table"),
            models.CheckConstraint(
                # A check constraint accepts NULL, so the condition needs an explicit "not null".
                condition=Q(voided_at=None, number__isnull=False, number__gte=1)
                | Q(voided_at__isnull=False, number=None),
                name="deal_voided_has_no_number",
            ),
            models.CheckConstraint(condition=Q(source__in=DealSource.values), name="deal_source_is_known"),
            models.CheckConstraint(
                condition=Q(source=DealSource.TABLE) | Q(checked=True), name="deal_of_desk_is_checked"
            ),
        ]

    def __str__(self) -> str:
        return _("Deal %(number)s") % {"number": self.number or "–"}

    def get_absolute_url(self) -> str:
        return reverse("league:deal", args=[self.pk])
