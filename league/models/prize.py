"""The prizes of a tournament: the list of prizes, categories, drawn lots and receipts. Awards (the prize of each
competitor) are computed, not stored.

A competitor is a unit (player, pair or team). If team mates play at different tables, each player is a competitor, and
the unit is one too, for the prizes for teams. `position` is the player's position in the unit, 0 for the whole unit.
"""

from __future__ import annotations

from typing import ClassVar, Final, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.tournament import MAX_PLACES, MAX_UNIT_SIZE, Tournament, TournamentUnit

MAX_PRIZE_LINES: Final = 100
WHOLE_UNIT: Final = 0  # a `position`
MAX_SEED: Final = 2**31 - 1  # the largest value of the column `PrizeLot.seed`


class TiedPrizes(models.TextChoices):
    """The rule for prizes of competitors with the same rank."""

    SHARED = "shared", _("Their amounts are added and shared equally; things go by lot")
    LOT = "lot", _("A lot decides who comes first")


class PrizePlan(models.Model):
    """The rule for ties of a tournament's prizes, and a version number that grows with each change of the prizes."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="prize_plan")
    ties = models.CharField(_("units with the same rank"), max_length=6, choices=TiedPrizes, default=TiedPrizes.SHARED)
    version = models.PositiveIntegerField(default=0)

    objects: ClassVar[models.Manager[PrizePlan]] = models.Manager()

    class Meta:
        verbose_name = _("prizes of a tournament")
        verbose_name_plural = _("prizes of tournaments")
        constraints = [models.CheckConstraint(condition=Q(ties__in=TiedPrizes.values), name="prize_ties_are_known")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class PrizeCategory(models.Model):
    """A group of competitors with prizes of its own, such as the pairs of the club."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="prize_categories")
    name = models.CharField(_("name"), max_length=60)

    objects: ClassVar[models.Manager[PrizeCategory]] = models.Manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("category of prizes")
        verbose_name_plural = _("categories of prizes")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "name"], name="prize_category_once_a_name"),
            models.CheckConstraint(condition=~Q(name=""), name="prize_category_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class PrizeCategoryMember(models.Model):
    """A competitor (unit, or player of a unit) in a category of prizes. The organisers choose the competitors."""

    category = models.ForeignKey(PrizeCategory, models.CASCADE, related_name="members")
    unit = models.ForeignKey(TournamentUnit, models.CASCADE, related_name="prize_categories")
    position = models.PositiveSmallIntegerField(default=WHOLE_UNIT)

    objects: ClassVar[models.Manager[PrizeCategoryMember]] = models.Manager()

    class Meta:
        verbose_name = _("unit of a category")
        verbose_name_plural = _("units of categories")
        constraints = [
            models.UniqueConstraint(fields=["category", "unit", "position"], name="prize_category_member_once"),
            models.CheckConstraint(condition=Q(position__lte=MAX_UNIT_SIZE), name="prize_category_member_is_of_unit"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class Prize(models.Model):
    """A line in the list of prizes: one prize for each of the ranks `first` to `last`. Amounts are cents in the club's
    currency.

    With `from_last`, the ranks are counted from the last: `first` 1 is the last rank.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="prizes")
    line = models.PositiveSmallIntegerField()
    category = models.ForeignKey(PrizeCategory, models.RESTRICT, null=True, blank=True, related_name="prizes")
    # True only if team mates play at different tables; otherwise each unit is one competitor.
    for_teams = models.BooleanField(_("for teams"), default=False)
    from_last = models.BooleanField(_("counted from the last"), default=False)
    first = models.PositiveSmallIntegerField(_("from rank"), default=1)
    last = models.PositiveSmallIntegerField(_("to rank"), default=1)
    amount = models.PositiveIntegerField(_("amount"), default=0)
    thing = models.CharField(_("thing"), max_length=80, blank=True, default="")
    worth = models.PositiveIntegerField(_("worth of the thing"), default=0)

    objects: ClassVar[models.Manager[Prize]] = models.Manager()

    class Meta:
        ordering = ["line"]
        verbose_name = _("prize")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "line"], name="prize_once_a_line"),
            models.CheckConstraint(
                condition=Q(first__gte=1, last__gte=F("first"), last__lte=MAX_PLACES), name="prize_ranks_are_in_order"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0) | ~Q(thing=""), name="prize_has_amount_or_thing"),
            models.CheckConstraint(condition=Q(worth=0) | ~Q(thing=""), name="prize_worth_is_of_a_thing"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.line}"


class PrizeLot(models.Model):
    """A random order of competitors with the same rank. `league.pairing.prizes.lot_order` computes the order from the
    seed.

    `competitors` are starting numbers of units ("12"), or with the player's position in the unit ("12-1"); they are
    sorted.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="prize_lots")
    competitors = ArrayField(models.CharField(max_length=12))
    seed = models.PositiveIntegerField()
    drawn_at = models.DateTimeField()

    objects: ClassVar[models.Manager[PrizeLot]] = models.Manager()

    class Meta:
        ordering = ["drawn_at", "pk"]
        verbose_name = _("lot")
        verbose_name_plural = _("lots")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "competitors"], name="prize_lot_once_a_group"),
            models.CheckConstraint(condition=Q(competitors__len__gte=2), name="prize_lot_is_among_two"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class PrizeReceiptQuerySet(models.QuerySet["PrizeReceipt"]):
    def in_tournament(self, tournament: Tournament) -> Self:
        return self.filter(unit__tournament=tournament)


class PrizeReceipt(models.Model):
    """The prize of a competitor as it was printed on the list to sign, or handed over.

    It does not change if a later correction changes the awards, so that the difference can be shown.
    """

    unit = models.ForeignKey(TournamentUnit, models.CASCADE, related_name="prize_receipts")
    position = models.PositiveSmallIntegerField(default=WHOLE_UNIT)
    amount = models.PositiveIntegerField(default=0)
    things = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    printed_at = models.DateTimeField(null=True, blank=True)
    handed_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = PrizeReceiptQuerySet.as_manager()

    class Meta:
        verbose_name = _("receipt of a prize")
        verbose_name_plural = _("receipts of prizes")
        constraints = [
            models.UniqueConstraint(fields=["unit", "position"], name="prize_receipt_once_a_competitor"),
            models.CheckConstraint(condition=Q(position__lte=MAX_UNIT_SIZE), name="prize_receipt_is_of_unit"),
            models.CheckConstraint(
                condition=Q(printed_at__isnull=False) | Q(handed_at__isnull=False), name="prize_receipt_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
