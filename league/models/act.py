"""What somebody did of which no fact tells: a sign-in, an invitation, an export. Facts keep their own history."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club


class ActKind(models.TextChoices):
    """What was done."""

    SIGNED_IN = "signed in", _("Signed in")
    INVITED = "invited", _("Invited")
    EXPORTED = "exported", _("Exported")
    ERASED = "erased", _("Erased a person")
    MERGED = "merged", _("Joined two records")
    PARTED = "parted", _("Took two records apart")
    DETAILS = "details", _("Changed somebody’s details")
    ACCOUNT = "account", _("Deleted their account")
    AGREED = "agreed", _("Agreed to a login")
    DRAWN = "drawn", _("Accepted a draw")
    TO_DELETE = "to delete", _("Asked to delete the club")
    KEPT = "kept", _("Kept the club")
    DELETED = "deleted", _("Deleted the club")


class Act(models.Model):
    """One act, never changed. From where and why it was done says its context, which the database adds."""

    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=9, choices=ActKind)
    # Of no constraint, as in history: what was done stays when a login, a person or a club is deleted.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False)
    club = models.ForeignKey(Club, models.DO_NOTHING, null=True, db_constraint=False, related_name="acts")
    player = models.ForeignKey("players.Player", models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    round = models.ForeignKey("league.Round", models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    about = models.CharField(max_length=80, blank=True, default="")
    context = models.ForeignKey(
        "pghistory.Context", models.DO_NOTHING, null=True, db_constraint=False, editable=False, related_name="+"
    )

    objects: ClassVar[models.Manager[Act]] = models.Manager()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("act")
        constraints = [models.CheckConstraint(condition=Q(kind__in=ActKind.values), name="act_kind_is_known")]
        triggers = [
            pgtrigger.Trigger(
                name="in_context",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func='NEW."context_id" := _pgh_attach_context(); RETURN NEW;',
            ),
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.get_kind_display()
