"""Actions on a club's presets of tournaments: a preset is a named set of values for the form of a new tournament."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.clubs import lock_club
from league.actions.refusals import WrongState
from league.models import Tournament, TournamentPreset
from league.models.audit_entry import AuditEvent
from league.models.tournament_preset import MAX_PRESETS, preset_values


class NameTaken(ValueError):
    """The club has another preset of that name."""


def save_preset(tournament: Tournament, name: str) -> TournamentPreset:
    """Save the tournament's values as a preset of its club. A repeated request does nothing.

    Raise NameTaken, or WrongState if the club has too many presets.
    """
    with lock_club(tournament.club) as club:
        preset = TournamentPreset(club=club, name=name, values=preset_values(tournament))
        existing: TournamentPreset | None = club.tournament_presets.filter(name__iexact=name).first()
        if existing is not None:
            if existing.name != name or existing.typed_values != preset.typed_values:
                raise NameTaken
            return existing
        if club.tournament_presets.count() >= MAX_PRESETS:
            raise WrongState(
                _("The club has the largest possible number of presets: %(most)s.") % {"most": MAX_PRESETS}
            )
        preset.save()
        audit.log(AuditEvent.PRESET_SAVED, tournament, tournament=tournament.pk, name=name)
    return preset


def rename_preset(preset: TournamentPreset, name: str) -> None:
    """Rename a preset. Raise NameTaken if the club has another preset of that name.

    Raise TournamentPreset.DoesNotExist if another user has deleted the preset.
    """
    with lock_club(preset.club) as club:
        preset = club.tournament_presets.get(pk=preset.pk)
        if club.tournament_presets.filter(name__iexact=name).exclude(pk=preset.pk).exists():
            raise NameTaken
        preset.name = name
        preset.save(update_fields=["name"])
        audit.log(AuditEvent.PRESET_RENAMED, club, name=name)


def delete_preset(preset: TournamentPreset) -> None:
    """Delete a preset; a repeated request does nothing. Tournaments that were created from it stay as they are."""
    with lock_club(preset.club) as club:
        deleted, _rows = club.tournament_presets.filter(pk=preset.pk).delete()
        if deleted:
            audit.log(AuditEvent.PRESET_DELETED, club, name=preset.name)
