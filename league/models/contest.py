from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, club_ids_hidden_from
from league.models.deal import Deal
from league.models.evening import Evening
from players.models.person import Viewer

CLUB_LOOKUP = "deal__table__round__evening__season__club"


class ContestQuerySet(models.QuerySet["Contest"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(deal__in=Deal.objects.visible_to(user))

    def raised_by(self, user: Viewer) -> Self:
        """Return the contests (objections to deals) that the user raised, without those in clubs that have not
        confirmed the user's login.
        """
        if not user.is_authenticated:
            return self.none()
        return self.filter(player__user=user).exclude(**{f"{CLUB_LOOKUP}__in": club_ids_hidden_from(user)})

    def unanswered(self) -> Self:
        return self.filter(answered_at=None)

    def in_evening(self, evening: Evening) -> Self:
        return self.filter(deal__table__round__evening=evening)

    def for_home_page(
        self, user: Viewer, own_clubs: Iterable[Club], recordable_clubs: Iterable[Club], since: datetime
    ) -> Self:
        """Return the contests (objections to deals) for a user's home page.

        These are all unanswered contests in `recordable_clubs`, and the user's own contests in `own_clubs` that are
        unanswered, or were answered at `since` or later.
        """
        raised = Q(player__user=user) & (Q(answered_at=None) | Q(answered_at__gte=since))
        return self.filter(
            raised & Q(**{f"{CLUB_LOOKUP}__in": own_clubs})
            | Q(answered_at=None, **{f"{CLUB_LOOKUP}__in": recordable_clubs})
        )

    def with_club(self) -> Self:
        """Fetch the contests with player, deal and club: the newest answer first, pending contests last."""
        rows = self.select_related("player", "deal__table__round__evening__season__club")
        return rows.order_by(F("answered_at").desc(nulls_last=True), "-raised_at", "pk")

    def with_deal(self) -> Self:
        """Fetch the contests with player, deal and round: pending contests first, then the oldest answer."""
        rows = self.select_related("player", "deal__table__round")
        return rows.order_by(F("answered_at").asc(nulls_first=True), "raised_at", "pk")


class Contest(models.Model):
    """A player's objection to a deal, and the club's answer."""

    deal = models.ForeignKey(Deal, models.PROTECT, related_name="contests")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="contests")
    reason = models.CharField(_("what is wrong"), max_length=300)
    raised_at = models.DateTimeField()
    answer = models.CharField(_("answer"), max_length=300, blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar = ContestQuerySet.as_manager()

    class Meta:
        ordering = ["raised_at", "pk"]
        verbose_name = _("contest")
        constraints = [
            models.UniqueConstraint(
                fields=["deal", "player"], condition=Q(answered_at=None), name="contest_waiting_once_a_player"
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None, answer="") | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="contest_answered_with_words",
            ),
        ]

    def __str__(self) -> str:
        return self.reason
