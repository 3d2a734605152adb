"""Actions that plan, change, open, close and cancel an evening. Each action locks the evening's row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from league.actions import audit, notifications, pending_recomputes, webhooks
from league.actions.refusals import WrongState, check_no_tournament, check_not_closed
from league.actions.rests import update_rest_points
from league.actions.seasons import lock_editable_season
from league.messages import announce_evening_change, send_tick
from league.models import Evening, PendingRecompute, Season
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState, new_entry_key
from league.models.history import history_reason
from league.models.season import SeasonState


@transaction.atomic
def plan(
    season_id: int,
    *,
    date: date,
    name: str = "",
    weight: int = 1,
    season_final: bool = False,
    begins_at: time | None = None,
    place: str = "",
) -> tuple[Evening, bool]:
    """Plan an evening; return the evening, and whether it is new.

    If the season has an evening with this date and name, return that evening. Members who want news of planned evenings
    get an email. Raise WrongState in a closed season, or for a second final.
    """
    season = lock_editable_season(season_id)
    existing = Evening.objects.filter(season=season, date=date, name=name.strip()).first()
    if existing is not None:
        return existing, False
    if season_final:
        _check_no_final(season.evenings.all())
    evening = Evening.objects.create(
        season=season,
        date=date,
        name=name.strip(),
        weight=weight,
        season_final=season_final,
        begins_at=begins_at,
        place=place,
    )
    audit.log(AuditEvent.EVENING_PLANNED, evening)
    notifications.notify_evenings_planned([evening])
    return evening, True


@transaction.atomic
def plan_many(season_id: int, dates: Iterable[date], *, begins_at: time | None = None, place: str = "") -> int:
    """Plan an evening on each of the dates that has none; return the number of new evenings. Raise WrongState.

    Members who want news of planned evenings get an email.
    """
    season = lock_editable_season(season_id)
    taken_dates = set(season.evenings.not_cancelled().values_list("date", flat=True))
    new = [
        Evening(season=season, date=day, begins_at=begins_at, place=place) for day in sorted(set(dates) - taken_dates)
    ]
    notifications.notify_evenings_planned(Evening.objects.bulk_create(new))
    if new:
        first, last = new[0].date.isoformat(), new[-1].date.isoformat()
        audit.log(AuditEvent.EVENING_PLANNED, season, count=len(new), first=first, last=last)
    return len(new)


@contextmanager
def lock_evening(evening_id: int) -> Iterator[Evening]:
    """Open a transaction, lock the evening and its season, and yield the evening.

    Checks in the block remain valid until its end.
    """
    with transaction.atomic():
        yield _lock_evening_in_state(evening_id, *EveningState)


@transaction.atomic
def change(evening: Evening, names: list[str]) -> None:
    """Store the fields `names` of the evening. Raise WrongState for a second final of the season."""
    season = Season.objects.select_for_update(no_key=True).get(pk=evening.season_id)
    check_no_tournament(season)
    if "season_final" in names and evening.season_final:
        _check_no_final(season.evenings.exclude(pk=evening.pk))
    evening.save(update_fields=names)
    audit.log(AuditEvent.EVENING_CHANGED, evening)


def _check_no_final(other_evenings: QuerySet[Evening]) -> None:
    if other_evenings.filter(season_final=True).exists():
        raise WrongState(_("Another evening is the season's final."))


@transaction.atomic
def open(evening_id: int, *, now: datetime, earlier_date: date | None = None) -> Evening:
    """Open a planned evening. Raise WrongState.

    If `earlier_date` is before the planned date, it becomes the date of the evening.
    """
    evening = _lock_evening_in_state(evening_id, EveningState.PLANNED)
    if evening.season.state != SeasonState.OPEN:
        raise WrongState(_("The season is not open."))
    if earlier_date is not None and earlier_date < evening.date:
        if evening.season.evenings.filter(date=earlier_date, name=evening.name).exists():
            raise WrongState(_("The season has an evening of today already. Open that one, or name one of the two."))
        evening.date = earlier_date
    evening.state, evening.opened_at = EveningState.OPEN, now
    evening.save(update_fields=["date", "state", "opened_at"])
    audit.log(AuditEvent.EVENING_OPENED, evening)
    return evening


@transaction.atomic
def renew_live_links(evening_id: int) -> None:
    """Make all links to the evening's live pages invalid, such as the link of a screen in the hall."""
    Evening.objects.filter(pk=evening_id).update(live_version=F("live_version") + 1)
    audit.log(AuditEvent.LIVE_LINKS_ENDED, Evening.objects.with_season().get(pk=evening_id))


@transaction.atomic
def close(evening_id: int, *, now: datetime) -> Evening:
    """Close an open evening. From now on, players may contest its deals for some hours. Raise WrongState.

    Rounds that are drawn but not accepted are deleted, the codes on printed sheets become invalid, the players get
    emails with their results, and a job computes ratings and standings.
    """
    evening = _lock_evening_in_state(evening_id, EveningState.OPEN)
    check_no_tournament(evening.season)
    _store_closed(evening, now)
    audit.log(AuditEvent.EVENING_CLOSED, evening)
    webhooks.record_evening_closed(evening, now=now)
    return evening


def store_closed(evening_id: int, *, now: datetime) -> Evening:
    """Close an open evening, without audit entry and webhook messages, which the caller adds. Raise WrongState."""
    evening = _lock_evening_in_state(evening_id, EveningState.OPEN)
    _store_closed(evening, now)
    return evening


def _store_closed(evening: Evening, now: datetime) -> None:
    evening.state, evening.closed_at = EveningState.CLOSED, now
    evening.final_at = now + timedelta(hours=evening.season.contest_hours)
    evening.entry_key = new_entry_key()
    evening.save(update_fields=["state", "closed_at", "final_at", "entry_key"])
    evening.rounds.planned().delete()
    update_rest_points(round__evening=evening)
    pending_recomputes.mark_evening_for_recompute(evening, not_before=now, why=PendingRecompute.Reason.CLOSED)
    notifications.notify_results(evening)
    transaction.on_commit(send_tick)


@transaction.atomic
def reopen(evening_id: int, *, now: datetime, reason: str = "") -> Evening:
    """Open a closed or cancelled evening again. In a draft season, a cancelled evening is planned again instead.

    Raise WrongState.
    """
    with history_reason(reason):
        evening = _lock_evening_in_state(evening_id, EveningState.CLOSED, EveningState.CANCELLED)
        check_no_tournament(evening.season)
        _store_reopened(evening, now)
        is_planned = evening.state == EveningState.PLANNED
        event = AuditEvent.EVENING_PLANNED if is_planned else AuditEvent.EVENING_REOPENED
        audit.log(event, evening, reason=reason)
        return evening


def store_reopened(evening_id: int, *, now: datetime) -> Evening:
    """Do the work of `reopen` without audit entry, which the caller adds. Raise WrongState."""
    evening = _lock_evening_in_state(evening_id, EveningState.CLOSED, EveningState.CANCELLED)
    _store_reopened(evening, now)
    return evening


def _store_reopened(evening: Evening, now: datetime) -> None:
    check_not_closed(evening.season)
    if evening.can_be_planned_again:
        evening.state = EveningState.PLANNED
        evening.save(update_fields=["state"])
        return
    if evening.season.state == SeasonState.DRAFT:
        raise WrongState(_("The season is not open."))
    evening.state, evening.closed_at, evening.final_at = EveningState.OPEN, None, None
    evening.opened_at = evening.opened_at or now
    evening.save(update_fields=["state", "opened_at", "closed_at", "final_at"])
    update_rest_points(round__evening=evening)
    pending_recomputes.mark_evening_for_recompute(evening, not_before=now, why=PendingRecompute.Reason.REOPENED)
    transaction.on_commit(send_tick)


@transaction.atomic
def cancel(evening_id: int) -> Evening:
    """Cancel a planned or open evening; it is no longer the season's final. Raise WrongState."""
    evening = _lock_evening_in_state(evening_id, EveningState.PLANNED, EveningState.OPEN)
    check_no_tournament(evening.season)
    evening.state, evening.season_final = EveningState.CANCELLED, False  # another one may be the final
    evening.save(update_fields=["state", "season_final"])
    audit.log(AuditEvent.EVENING_CANCELLED, evening)
    return evening


def _lock_evening_in_state(evening_id: int, *allowed: EveningState) -> Evening:
    """Lock the evening and its season. After the commit, open pages of the evening load again.

    Raise WrongState if the evening's state is not in `allowed`.
    """
    # The season is locked as well: it can't be closed while one of its evenings is being opened. The season is locked
    # before the evening, because a change of the season's rules locks them in this order.
    locked = Evening.objects.select_for_update(of=("season", "self"), no_key=True)
    evening: Evening = locked.select_related("season__club").get(pk=evening_id)
    if evening.state not in allowed:
        raise WrongState(
            _("The evening is %(state)s: this can't be done now.") % {"state": evening.get_state_display().lower()}
        )
    announce_evening_change(evening.pk)
    return evening
