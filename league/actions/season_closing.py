"""The end of a season: its standings are computed once more and frozen; and its opening again, which undoes that."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import due
from league.actions.refusals import StaleVersion, WrongState
from league.actions.seasons import locked_in
from league.actions.standings import replace_standings
from league.messages import send_tick
from league.models import Due, Season, SeasonClosing, Standing, versions
from league.models.history import because
from league.models.season import SeasonState
from league.models.standing import rows_digest
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_places import season_places


def final_rows(season: Season) -> list[Standing]:
    """Return the rows, unsaved, that closing the season now would freeze. Raises UnreadableRules."""
    return [Standing.of(season.pk, place, versions.STANDINGS) for place in season_places(season)]


@transaction.atomic
def close(season_id: int, *, now: datetime, seen: str | None = None) -> Season:
    """Close an open season: nothing in it changes until it is opened again, and no run replaces its standings.

    Whatever is due is computed here: who writes in the season holds its row, and is waited for. `seen` is the digest of
    the rows that were looked at; closing those twice is once. Raises StaleVersion if they are others by now, and
    WrongState if the season is not open, one of its evenings is, or its rules can't be read.
    """
    season = locked_in(season_id, SeasonState.OPEN, SeasonState.CLOSED)
    if season.state == SeasonState.CLOSED:
        if seen and SeasonClosing.objects.filter(season=season, digest=seen).exists():
            return season
        raise WrongState(_("The season is closed already."))
    if season.evenings.tonight().exists():
        raise WrongState(_("An evening of the season is still open. Close or cancel it first."))
    try:
        places = season_places(season)
    except UnreadableRules:
        raise WrongState(_("The season's standings rules can't be read. Set them again first.")) from None
    digest = rows_digest(Standing.of(season.pk, place, versions.STANDINGS) for place in places)
    if seen is not None and seen != digest:
        raise StaleVersion
    replace_standings({season.pk: places})
    SeasonClosing.objects.create(season=season, digest=digest, closed_at=now)
    season.state = SeasonState.CLOSED
    season.save(update_fields=["state"])
    return season


@transaction.atomic
def reopen(season_id: int, *, reason: str, now: datetime, seen: int | None = None) -> Season:
    """Open a closed season again: its standings are computed as before it was closed. Members read the reason.

    `seen` is the id of the closing that was looked at. Raises StaleVersion if the season was opened and closed since,
    and WrongState.
    """
    if not reason.strip():
        raise WrongState(_("Say why the season is opened again."))
    with because(reason.strip()):
        season = locked_in(season_id, SeasonState.CLOSED)
        closing = SeasonClosing.objects.filter(season=season).first()
        if closing is not None:
            if seen is not None and seen != closing.pk:
                raise StaleVersion
            closing.delete()
        season.state = SeasonState.OPEN
        season.save(update_fields=["state"])
        due.mark_season(season, not_before=now, why=Due.Why.BUTTON)
        transaction.on_commit(send_tick)
        return season


def name_anew(seasons: Iterable[int], before: int, after: int) -> None:
    """Let the frozen rows of one player, by the seasons' ids, be another record's of the same person."""
    for season in seasons:
        Standing.objects.filter(season=season, player=before).update(player=after)
        digest = rows_digest(Standing.objects.filter(season=season))
        SeasonClosing.objects.filter(season=season).update(digest=digest)
