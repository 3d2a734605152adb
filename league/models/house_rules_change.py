from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.evening import Evening
from league.models.season import Season


class HouseRulesChange(models.Model):
    """A change of a season's house rules. Rows are never updated.

    `since` is the first evening with the new rules. If it is None, the new rules apply to all evenings, or, with
    `later_only`, only to evenings that are planned after the change.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="house_rules_changes")
    since = models.ForeignKey(Evening, models.SET_NULL, null=True, related_name="+")
    later_only = models.BooleanField(default=False)
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(_("reason"), max_length=200)
    changed_at = models.DateTimeField()

    objects: ClassVar = models.Manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("change of house rules")

    def __str__(self) -> str:
        return self.reason
