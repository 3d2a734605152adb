"""A club's own presets for tournaments: named values for new tournaments."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Self

from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.tournament import Tournament, has_readable_rules
from players.models.person import Viewer

MAX_PRESETS: Final = 30  # presets of a club
# All fields in the form of a tournament, except name, date and end of registration.
PRESET_FIELDS: Final = (
    *("begins_at", "place", "places", "fee", "public", "by_approval", "notes", "consent", "retention_days"),
    *("game", "unit_size", "plays_apart", "rounds", "deals", "target", "minutes", "games_to_win", "pairing"),
    *("ranked_by", "ties", "cap", "exempt_points", "exempt_wins", "forfeit_points", "house_rules"),
    *("team_best", "club_best"),
)


def preset_values(tournament: Tournament) -> dict[str, Any]:
    return {name: getattr(tournament, name) for name in PRESET_FIELDS}


def are_preset_values(values: object) -> bool:
    """Return whether `values`, in the JSON form of a preset, are valid values of a tournament."""
    if not isinstance(values, dict) or not values.keys() <= set(PRESET_FIELDS):
        return False
    try:
        for name, value in values.items():
            Tournament._meta.get_field(name).clean(value, None)  # type: ignore[union-attr]
    except (ValidationError, TypeError, ValueError, OverflowError):
        return False
    return has_readable_rules(values.get("game", ""), values.get("house_rules", {}))


class TournamentPresetQuerySet(models.QuerySet["TournamentPreset"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return presets of clubs where the user may record results. Other users have no page with presets."""
        return self.filter(club__in=Club.objects.recordable_by(user).order_by().values("pk"))

    recordable_by = visible_to


class TournamentPreset(models.Model):
    """Named values for new tournaments, copied from a tournament. Later changes of that tournament do not matter."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="tournament_presets")
    name = models.CharField(_("name"), max_length=80)
    values = models.JSONField(_("values"), encoder=DjangoJSONEncoder, default=dict)

    objects: ClassVar = TournamentPresetQuerySet.as_manager()

    class Meta:
        ordering = [Lower("name"), "pk"]
        verbose_name = _("preset of tournaments")
        verbose_name_plural = _("presets of tournaments")
        constraints = [
            models.UniqueConstraint("club", Lower("name"), name="tournament_preset_once_a_name"),
            models.CheckConstraint(condition=~Q(name=""), name="tournament_preset_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:tournament-preset", args=[self.pk])

    @property
    def typed_values(self) -> dict[str, Any]:
        """The values, converted to the types of Tournament's fields: a time instead of its text."""
        return {name: Tournament._meta.get_field(name).to_python(value) for name, value in self.values.items()}  # type: ignore[union-attr]
