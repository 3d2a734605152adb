from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, Membership
from players.models.person import Viewer


class MergeQuerySet(models.QuerySet["Merge"]):
    def visible_to(self, user: Viewer) -> Self:
        managed = Membership.objects.filter(club__in=Club.objects.managed_by(user))
        return self.filter(kept__in=managed.values("player"))


class Merge(models.Model):
    """A merge of two records of one person (`gone` into `kept`), with its changes, so that it can be undone.

    `moved` has the ids of rows that were moved to `kept`, by model label, and further keys of `league.actions.merging`.
    `was` has the earlier rows in cases where two rows became one, such as two memberships of one club.
    """

    kept = models.ForeignKey("players.Player", models.PROTECT, related_name="merges")
    gone = models.ForeignKey("players.Player", models.PROTECT, related_name="merged")
    moved = models.JSONField(default=dict)
    was = models.JSONField(default=list)
    # The login that was moved from `gone` to `kept`.
    login = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    objects: ClassVar = models.Manager.from_queryset(MergeQuerySet)()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("merge")
        constraints = [
            models.CheckConstraint(condition=~Q(kept=F("gone")), name="merge_of_two_records"),
            models.UniqueConstraint(fields=["gone"], condition=Q(undone_at=None), name="merge_once_a_record"),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"
