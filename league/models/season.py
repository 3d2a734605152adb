"""A season: one game, its house rules, and how its tables end."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.history import tracked
from league.models.club import Club

if TYPE_CHECKING:
    from league.models.club import Reader


class SeasonState(models.TextChoices):
    """A season's life."""

    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open")
    CLOSED = "closed", _("Closed")


class End(models.TextChoices):
    """What makes a table complete."""

    DEALS = "deals", _("After a number of deals")
    TARGET = "target", _("At a number of points, with one leader")
    MINUTES = "minutes", _("After a time")
    HAND = "hand", _("When the secretary says so")


NUMBERED_ENDS = (End.DEALS, End.TARGET, End.MINUTES)


class SeasonQuerySet(models.QuerySet["Season"]):
    """Seasons by who may see or change them."""

    def visible_to(self, user: Reader) -> Self:
        """Seasons of clubs that the user may see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def managed_by(self, user: Reader) -> Self:
        """Seasons that the user may set up."""
        return self.filter(club__in=Club.objects.managed_by(user))

    def recordable_by(self, user: Reader) -> Self:
        """Seasons whose results the user may enter."""
        return self.filter(club__in=Club.objects.recordable_by(user))

    def with_club(self) -> Self:
        """Fetch the club as well."""
        return self.select_related("club")


@tracked("SeasonEvent")
class Season(models.Model):
    """Evenings that count together.

    `game` is a slug of the registry and `house_rules` that game's options: data here, checked by scoring's form.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    game = models.SlugField(_("game"), max_length=40)
    state = models.CharField(_("state"), max_length=6, choices=SeasonState, default=SeasonState.DRAFT)
    house_rules = models.JSONField(_("house rules"), default=dict, blank=True)
    standings_rules = models.JSONField(_("standings rules"), default=dict, blank=True)
    table_sizes = ArrayField(
        models.PositiveSmallIntegerField(validators=[MinValueValidator(2), MaxValueValidator(12)]),
        verbose_name=_("table sizes"),
    )
    fifth_rests = models.BooleanField(
        _("one rests at the largest tables"),
        default=False,
        help_text=_("One player sits each deal out, in turn: usually the dealer."),
    )
    end = models.CharField(_("a table ends"), max_length=7, choices=End, default=End.DEALS)
    end_number = models.PositiveIntegerField(
        _("number of deals, points or minutes"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    contest_hours = models.PositiveSmallIntegerField(
        _("hours until results are final"), default=48, validators=[MaxValueValidator(24 * 60)]
    )
    founded_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = SeasonQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("season")
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_a_club"),
            models.CheckConstraint(condition=Q(state__in=SeasonState.values), name="season_state_is_known"),
            models.CheckConstraint(
                condition=Q(end__in=NUMBERED_ENDS, end_number__gte=1) | Q(end=End.HAND, end_number=None),
                name="season_end_has_its_number",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:season", args=[self.pk])
