"""An objection to a deal while its evening's results are provisional, and the answer to it."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.deal import Deal
from league.models.evening import Evening, WrongState
from league.models.season import SeasonState
from players.models.person import Reader, User


class ContestQuerySet(models.QuerySet["Contest"]):
    """Contests by who may see them and whether they wait for an answer."""

    def visible_to(self, user: Reader) -> Self:
        """Contests of deals that the user may see."""
        return self.filter(deal__in=Deal.objects.visible_to(user))

    def answerable_by(self, user: Reader) -> Self:
        """Contests of deals that the user may revise."""
        return self.filter(deal__in=Deal.objects.recordable_by(user))

    def raised_by(self, user: Reader) -> Self:
        """Those that the user has raised."""
        return self.filter(player__user=user) if user.is_authenticated else self.none()

    def waiting(self) -> Self:
        """Those without an answer."""
        return self.filter(answered_at=None)

    def of_evening(self, evening: Evening) -> Self:
        """The evening's."""
        return self.filter(deal__table__round__evening=evening)

    def with_deal(self) -> Self:
        """Fetch player, deal, table and round as well; those that wait come first."""
        rows = self.select_related("player", "deal__table__round")
        return rows.order_by(F("answered_at").asc(nulls_first=True), "raised_at", "pk")


class ContestManager(models.Manager["Contest"]):
    """The two doors: a member contests a deal, whoever records in the club answers."""

    @transaction.atomic
    def raise_against(self, deal_id: int, *, player_id: int, reason: str, now: datetime) -> Contest:
        """The player's contest of a deal; the one that waits already, where there is one: sent twice it is raised once.

        Raises WrongState once the evening's results are final, or for a voided deal.
        """
        # The deal is held, so that two at once take turns; its key is not: others may go on pointing at it.
        held = Deal.objects.select_for_update(of=("self",), no_key=True)
        deal = held.select_related("table__round__evening__season").get(pk=deal_id)
        waiting: Contest | None = self.filter(deal=deal, player=player_id, answered_at=None).first()
        if waiting is not None:
            return waiting
        evening = deal.table.round.evening
        if deal.voided_at is not None:
            raise WrongState(_("The deal is voided: it counts for nothing."))
        if evening.season.state == SeasonState.CLOSED:
            raise WrongState(_("The season is closed."))
        if not evening.is_contestable(now):
            raise WrongState(_("The evening's results are final: its deals can no longer be contested."))
        return self.create(deal=deal, player_id=player_id, reason=reason.strip(), raised_at=now)

    @transaction.atomic
    def answer(self, contest_id: int, *, words: str, by: User, now: datetime) -> Contest:
        """Answer a contest, also after the results are final; the same answer twice is one.

        Raises WrongState when somebody else has answered meanwhile.
        """
        contest: Contest = self.select_for_update(no_key=True).get(pk=contest_id)
        if contest.answered_at is not None:
            if contest.answer == words.strip():
                return contest
            raise WrongState(_("This was answered meanwhile: %(answer)s") % {"answer": contest.answer})
        contest.answer, contest.answered_at, contest.answered_by = words.strip(), now, by
        contest.save(update_fields=["answer", "answered_at", "answered_by"])
        return contest


class Contest(models.Model):
    """A member says what is wrong with a deal; whoever records in the club answers."""

    deal = models.ForeignKey(Deal, models.PROTECT, related_name="contests")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="contests")
    reason = models.CharField(_("what is wrong"), max_length=300)
    raised_at = models.DateTimeField()
    answer = models.CharField(_("answer"), max_length=300, blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar = ContestManager.from_queryset(ContestQuerySet)()

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
