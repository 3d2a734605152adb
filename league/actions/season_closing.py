from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes, webhooks
from league.actions.refusals import StaleVersion, WrongState, check_no_tournament_season
from league.actions.seasons import lock_season_in_state
from league.actions.standings import replace_standings
from league.messages import send_tick
from league.models import PendingRecompute, Season, SeasonClosing, Standing, versions
from league.models.audit_entry import AuditEvent
from league.models.history import history_reason
from league.models.season import SeasonState
from league.models.standing import rows_digest
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_rankings import rank_season


def final_standings(season: Season) -> list[Standing]:
    """Return unsaved standings: the final standings if the season were closed now. Raise UnreadableRules."""
    return [Standing.from_row(season.pk, row, versions.STANDINGS) for row in rank_season(season)]


@transaction.atomic
def close(season_id: int, *, now: datetime, seen_digest: str | None = None) -> Season:
    """Close a season: compute its standings a last time and freeze them. Its results cannot be changed any more.

    `seen_digest` is the digest of the standings that the user saw: raise StaleVersion if they have changed. Raise
    WrongState if the season is not open or a tournament's, one of its evenings is open, or its standings rules cannot
    be read.
    """
    season = lock_season_in_state(season_id, SeasonState.OPEN, SeasonState.CLOSED)
    check_no_tournament_season(season)
    if season.state == SeasonState.CLOSED:
        if seen_digest and SeasonClosing.objects.filter(season=season, digest=seen_digest).exists():
            return season
        raise WrongState(_("The season is closed already."))
    if season.evenings.in_progress().exists():
        raise WrongState(_("An evening of the season is still open. Close or cancel it first."))
    try:
        rows = rank_season(season)
    except UnreadableRules:
        raise WrongState(_("The season's standings rules can't be read. Set them again first.")) from None
    digest = rows_digest(Standing.from_row(season.pk, row, versions.STANDINGS) for row in rows)
    if seen_digest is not None and seen_digest != digest:
        raise StaleVersion
    if replace_standings({season.pk: rows}).changes[season.pk]:
        webhooks.record_standings_changed([season.pk], now=now)
    SeasonClosing.objects.create(season=season, digest=digest, closed_at=now)
    season.state = SeasonState.CLOSED
    season.save(update_fields=["state"])
    audit.log(AuditEvent.SEASON_CLOSED, season)
    return season


@transaction.atomic
def reopen(season_id: int, *, reason: str, now: datetime, seen_closing_id: int | None = None) -> Season:
    """Open a closed season again, and delete its SeasonClosing row. A worker then computes the standings again.

    `seen_closing_id` is the SeasonClosing that the user saw: raise StaleVersion if the season was closed again since.
    Raise WrongState if the season is not closed or the reason is empty.
    """
    if not reason.strip():
        raise WrongState(_("Say why the season is opened again."))
    with history_reason(reason.strip()):
        season = lock_season_in_state(season_id, SeasonState.CLOSED)
        closing = SeasonClosing.objects.filter(season=season).first()
        if closing is not None:
            if seen_closing_id is not None and seen_closing_id != closing.pk:
                raise StaleVersion
            closing.delete()
        season.state = SeasonState.OPEN
        season.save(update_fields=["state"])
        audit.log(AuditEvent.SEASON_REOPENED, season, reason=reason)
        pending_recomputes.mark_season(season, not_before=now, why=PendingRecompute.Reason.BUTTON)
        transaction.on_commit(send_tick)
        return season


def replace_player_in_frozen_standings(seasons: Iterable[int], before: int, after: int) -> None:
    """Replace a player's id in the standings of closed seasons, and update the digests of these standings."""
    for season in seasons:
        Standing.objects.filter(season=season, player=before).update(player=after)
        digest = rows_digest(Standing.objects.filter(season=season))
        SeasonClosing.objects.filter(season=season).update(digest=digest)
