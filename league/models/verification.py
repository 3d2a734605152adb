"""How far the weekly look through everything stored is."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Verification(models.Model):
    """The look that is under way, slice by slice; there is one at most. At its end a Check is noted, and it goes."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    started_at = models.DateTimeField()
    touched_at = models.DateTimeField()  # when a slice was begun or done
    done = models.PositiveIntegerField(default=0)  # slices
    next = models.JSONField(null=True)  # the slice that is next, as night.verification names it; None after the last
    tries = models.PositiveSmallIntegerField(default=0)  # of that slice, so far
    number = models.PositiveIntegerField(default=0)  # of differences found so far
    found = models.JSONField(default=list)  # the first of them: {"model", "row", "field", "stored", "derived", "says"}

    class Meta:
        verbose_name = _("verification")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="verification_is_one")]

    def __str__(self) -> str:
        return f"{self.done} slices since {self.started_at:%Y-%m-%d %H:%M}"
