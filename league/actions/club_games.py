"""Actions on a club's own games: a table has only totals, no deals."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.clubs import lock_club
from league.actions.refusals import WrongState
from league.models import Club, ClubGame, Seat
from league.models.audit_entry import AuditEvent
from league.models.club_game import DEFINITION_FIELDS

MAX_GAMES = 50  # games of a club


class NameTaken(ValueError):
    """The club has another game of that name."""


def add_game(club: Club, game: ClubGame) -> ClubGame:
    """Store a new game of the club; a repeated request stores it once. Raise NameTaken or WrongState."""
    with lock_club(club):
        existing = club.games.filter(name__iexact=game.name).first()
        if existing is not None:
            if existing.name != game.name or definition_values(existing) != definition_values(game):
                raise NameTaken
            return existing
        if club.games.count() >= MAX_GAMES:
            raise WrongState(_("The club has the largest possible number of games: %(most)s.") % {"most": MAX_GAMES})
        game.club = club
        game.save()
        audit.log(AuditEvent.GAME_DEFINED, club, name=game.name)
    return game


def change_game(game: ClubGame, names: Sequence[str]) -> None:
    """Store the fields in `names`, and the game's options in its seasons. Raise NameTaken or WrongState.

    Once a season of the game has results, only the name can change. Each season's table sizes must be sizes of the
    changed game.
    """
    with lock_club(game.club):
        stored = ClubGame.objects.get(pk=game.pk)
        if game.club.games.filter(name__iexact=game.name).exclude(pk=game.pk).exists():
            raise NameTaken
        if definition_values(stored) != definition_values(game):
            seasons = list(game.seasons.select_for_update(no_key=True).order_by("pk"))
            if has_results(game):
                raise WrongState(_("Results of this game are recorded: only its name can be changed."))
            if any(not set(season.table_sizes) <= set(game.sizes) for season in seasons):
                raise WrongState(_("A season of this game has other table sizes. Change the season first."))
            for season in seasons:
                season.house_rules = game.options
                season.save(update_fields=["house_rules"])
        game.save(update_fields=names)
        audit.log(AuditEvent.GAME_CHANGED, game.club, name=game.name)


def delete_game(game: ClubGame) -> None:
    """Delete a game that no season uses. Raise WrongState."""
    with lock_club(game.club):
        if game.seasons.exists():
            raise WrongState(_("A season uses this game: it can’t be deleted."))
        audit.log(AuditEvent.GAME_DELETED, game.club, name=game.name)
        game.delete()


def has_results(game: ClubGame) -> bool:
    """Return whether a total is recorded at a table of the game, in an evening of any state."""
    return Seat.objects.filter(round__evening__season__club_game=game, written__isnull=False).exists()


def definition_values(game: ClubGame) -> tuple[object, ...]:
    return tuple(getattr(game, name) for name in DEFINITION_FIELDS)
