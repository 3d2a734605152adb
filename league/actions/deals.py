"""Actions that record, correct, void and check deals. Points are written here and in `totals.py` only.

Each action locks the table's row: of two simultaneous requests, the second reads the rows that the first wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from league.actions import audit, notifications, pending_recomputes
from league.actions.refusals import StaleVersion, WrongState, check_not_closed
from league.actions.tables import lock_table_for_entry, update_totals
from league.models import Deal, PendingRecompute, Score, Season, Seat, Table, table_codes
from league.models.audit_entry import AuditEvent
from league.models.deal import DealSource, has_same_facts
from league.models.history import history_reason
from league.sheets.queries.deal_scores import (
    DealResults,
    DealScoring,
    check_rests,
    default_resting_seats,
    earlier_deals,
    needs_earlier_deals,
    results_of_deal,
    score_deal,
    score_deals,
    scores_last_deal_differently,
)
from league.sheets.queries.table_sums import score_sums
from scoring.rules.errors import IllegalDeal


class ClientKeyReused(WrongState):
    """Another deal was recorded with this client key: the user went back to a sent form and filled it in again."""

    def __init__(self, deal: Deal) -> None:
        if deal.voided_at is None:
            text = _(
                "What you sent here before is deal %(number)s; this is not the same. Send it again if it is one more "
                "deal. To correct deal %(number)s, open that one."
            )
        else:
            text = _("What you sent here before was recorded, and voided since. Send this again if it is another deal.")
        super().__init__(text % {"number": deal.number})


# Called with the scored deal before it is written; raises an exception if the user has to confirm it first.
ConfirmationCheck = Callable[[DealScoring], None]


def require_no_confirmation(deal: DealScoring) -> None:
    """Accept each deal. This ConfirmationCheck is for callers that ask the user for no confirmation."""


@transaction.atomic
def record(
    table_id: int,
    facts: Mapping[str, Any],
    *,
    client_key: UUID,
    now: datetime,
    rests: Sequence[int] | None = None,
    number: int | None = None,
    reason: str = "",
    source: DealSource = DealSource.DESK,
    check_confirmed: ConfirmationCheck = require_no_confirmation,
) -> Deal:
    """Record a deal as the table's last deal, or insert it as deal `number` and renumber the later deals.

    `rests` are the seat numbers of the players who sit out; by default the dealer, at a table where one player rests. A
    deal with the source TABLE (a phone at the table) is marked as unchecked. `check_confirmed` gets the scored deal
    before it is written. A repeated request with the same `client_key` is recorded once. Raise ClientKeyReused if the
    key was used for another deal, IllegalDeal with the wrong field of `facts`, or WrongState.
    """
    with history_reason(reason):
        table = lock_table_for_entry(table_id, reason=reason)
        _check_source_may_write(source, table, now)
        recorded: Deal | None = Deal.objects.filter(table=table, client_key=client_key).first()
        if recorded is not None:
            if has_same_facts(recorded.events.all(), facts, rests):
                return recorded
            raise ClientKeyReused(recorded)
        last = table.recorded
        deal_number = last + 1 if number is None else min(max(number, 1), last + 1)
        deal = Deal(table=table, number=deal_number, facts=facts, client_key=client_key, source=source)
        deal.checked = source == DealSource.DESK
        deal.rests = default_resting_seats(table, deal_number) if rests is None else sorted(rests)
        result = _score_deal(deal, check_confirmed)
        if deal_number <= last:
            Deal.objects.filter(table=table, number__gte=deal_number).update(number=F("number") + 1)
        _write_deal(deal, result, created=True)
        audit.log(AuditEvent.DEAL_RECORDED, deal, reason=reason, at_table=source == DealSource.TABLE)
        pending_recomputes.mark_corrected_evening(table.round.evening, now=now, why=PendingRecompute.Reason.RECORDED)
        return deal


@transaction.atomic
def revise(
    deal_id: int,
    facts: Mapping[str, Any],
    *,
    client_key: UUID,
    seen_version: int,
    now: datetime,
    rests: Sequence[int] | None = None,
    reason: str = "",
    source: DealSource = DealSource.DESK,
    check_confirmed: ConfirmationCheck = require_no_confirmation,
) -> Deal:
    """Correct the facts of a deal. In a closed evening, the players of the table get an email.

    A repeated request with the same `client_key` is done once. Raise StaleVersion if the deal is voided or its version
    is not `seen_version`, IllegalDeal with the wrong field of `facts`, or WrongState.
    """
    with history_reason(reason):
        deal = _lock_deal(deal_id, reason=reason)
        if deal.change_key == client_key and has_same_facts(Deal.objects.filter(pk=deal.pk), facts, rests):
            return deal
        if deal.version != seen_version or deal.voided_at is not None:
            raise StaleVersion
        _check_source_may_write(source, deal.table, now, deal)
        deal.facts, deal.checked = dict(facts), source == DealSource.DESK
        if rests is not None:
            deal.rests = sorted(rests)
        deal.version += 1
        deal.change_key = client_key
        _write_deal(deal, _score_deal(deal, check_confirmed), created=False)
        audit.log(AuditEvent.DEAL_REVISED, deal, reason=reason, at_table=source == DealSource.TABLE)
        pending_recomputes.mark_corrected_evening(
            deal.table.round.evening, now=now, why=PendingRecompute.Reason.REVISED
        )
        notifications.notify_correction(deal)
        return deal


@transaction.atomic
def void(deal_id: int, *, client_key: UUID, seen_version: int, now: datetime, reason: str = "") -> Deal:
    """Cancel a deal: delete its number and scores; its facts and history stay.

    A repeated request with the same `client_key` is done once. Raise StaleVersion if the deal is voided already or its
    version is not `seen_version`, or WrongState.
    """
    with history_reason(reason):
        deal = _lock_deal(deal_id, reason=reason)
        if deal.change_key == client_key:
            return deal
        if deal.version != seen_version or deal.voided_at is not None:
            raise StaleVersion
        deal_number = deal.number
        deal.number, deal.voided_at, deal.change_key = None, now, client_key
        deal.version += 1
        deal.save(update_fields=["number", "voided_at", "change_key", "version"])
        deal.scores.all().delete()
        Deal.objects.filter(table=deal.table, number__gt=deal_number).update(number=F("number") - 1)
        seats = list(deal.table.seats.all())
        with suppress(IllegalDeal):
            _rescore_later_deals(deal.table, seats, deal_number or 0, earlier_deals(deal.table, deal_number))
        _update_totals(deal.table, seats)
        audit.log(AuditEvent.DEAL_VOIDED, deal, reason=reason)
        pending_recomputes.mark_corrected_evening(deal.table.round.evening, now=now, why=PendingRecompute.Reason.VOIDED)
        notifications.notify_correction(deal)
        return deal


@transaction.atomic
def check_off(table_id: int, seen_versions: Mapping[int, int]) -> int:
    """Mark deals as compared with the paper score sheet; return the number of newly checked deals.

    `seen_versions` maps the ids of the deals to the versions that the user saw; deals with a newer version are skipped.
    Raise WrongState if the season is closed.
    """
    table = Table.objects.select_for_update(of=("self",)).with_club().get(pk=table_id)
    check_not_closed(table.round.evening.season)
    waiting = Deal.objects.filter(table=table, pk__in=seen_versions, checked=False, voided_at=None)
    as_seen = [deal.pk for deal in waiting if deal.version == seen_versions[deal.pk]]
    if checked := Deal.objects.filter(pk__in=as_seen).update(checked=True):
        audit.log(AuditEvent.DEALS_CHECKED, table, count=checked)
    return checked


@transaction.atomic
def rescore_season(season: Season, *, now: datetime) -> int:
    """Score every deal again, by the house rules of its evening; return the number of tables.

    Raise IllegalDeal, and change nothing, if a deal is illegal under these rules.
    """
    season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    count = score_all_deals(season)
    pending_recomputes.mark_season_and_ratings(season, not_before=now, why=PendingRecompute.Reason.HOUSE_RULES)
    return count


def score_all_deals(season: Season, **tables_to_score: Any) -> int:
    """Score every deal of the season again; return the number of tables. Raise IllegalDeal for an illegal deal.

    `tables_to_score` are lookups that select some tables of the season.
    """
    in_season = Table.objects.filter(round__evening__season=season, **tables_to_score)
    tables = in_season.select_for_update(of=("self",)).order_by("pk")
    count = 0
    for table in tables.with_club():
        table.round.evening.season = season
        seats = list(table.seats.all())
        derived = []
        for deal, played in score_deals(table, list(_not_voided_deals(table))):
            if isinstance(played, IllegalDeal):
                raise played
            derived.append((deal, results_of_deal(deal, seats, played)))
        _store_changed_results(derived)
        _update_totals(table, seats)
        count += 1
    return count


def _check_source_may_write(source: DealSource, table: Table, now: datetime, deal: Deal | None = None) -> None:
    """Raise WrongState if `source` may not record a deal, or not correct `deal`. Call it with the table locked.

    With a valid code of the table, a phone may record deals, and correct the last deal until it is checked.
    """
    if source == DealSource.DESK:
        return
    if not table_codes.is_code_usable(table, now=now):
        raise WrongState(_("The code of this table no longer works."))
    if deal is not None and (deal.source != DealSource.TABLE or deal.checked or deal.number != table.recorded):
        raise WrongState(_("At the table only its last deal can be corrected, as long as nobody has checked it."))


def _lock_deal(deal_id: int, *, reason: str) -> Deal:
    table_id = Deal.objects.values_list("table_id", flat=True).get(pk=deal_id)
    table = lock_table_for_entry(table_id, reason=reason)
    deal: Deal = Deal.objects.get(pk=deal_id)
    deal.table = table
    return deal


def _score_deal(deal: Deal, check_confirmed: ConfirmationCheck) -> DealScoring:
    """Score the deal by its facts, and call `check_confirmed` with the result. Raise IllegalDeal."""
    check_rests(deal)
    result = score_deal(deal)
    check_confirmed(result)
    return result


def _write_deal(deal: Deal, result: DealScoring, *, created: bool) -> None:
    """Store a new or changed deal with its scores, and update later deals that depend on it, and the totals."""
    table, seats = deal.table, list(deal.table.seats.all())
    derived = results_of_deal(deal, seats, result.scored)
    deal.doubted = derived.doubted
    if created:
        deal.save(force_insert=True)
        Score.objects.bulk_create(derived.scores)
    else:
        deal.save(update_fields=["facts", "rests", "checked", "version", "change_key", "doubted"])
        _store_changed_results([(deal, derived)])
    if (number := deal.number or 0) < table.recorded + created:
        _rescore_later_deals(table, seats, number + 1, (*result.earlier, result.scored.deal))
    _update_totals(table, seats)


def _rescore_later_deals(table: Table, seats: Sequence[Seat], number: int, earlier: Sequence[Any]) -> None:
    """Score the deals from `number` on again if their points may depend on the changed deal.

    The points depend on it if the game's rules use earlier deals, or score the table's last deal in another way.
    `earlier` are the deals before `number`, as the rules read them. Scores of deals that became illegal stay unchanged:
    the secretary has to correct these deals.
    """
    evening = table.round.evening
    if not needs_earlier_deals(evening) and not scores_last_deal_differently(evening):
        return
    _store_changed_results(
        (deal, results_of_deal(deal, seats, played))
        for deal, played in score_deals(table, list(_not_voided_deals(table).filter(number__gte=number)), earlier)
        if not isinstance(played, IllegalDeal)
    )


def _not_voided_deals(table: Table) -> QuerySet[Deal]:
    return Deal.objects.filter(table=table).not_voided().order_by("number").prefetch_related("scores")


def _store_changed_results(rows: Iterable[tuple[Deal, DealResults]]) -> None:
    """Store scores and doubts of deals where they differ from the stored scores and doubts."""
    rescored: list[int] = []
    scores: list[Score] = []
    for deal, derived in rows:
        if deal.doubted != derived.doubted:
            deal.doubted = derived.doubted
            deal.save(update_fields=["doubted"])
        stored = {(score.seat_id, score.role, score.points) for score in deal.scores.all()}
        if stored != {(score.seat_id, score.role, score.points) for score in derived.scores}:
            rescored.append(deal.pk)
            scores += derived.scores
    if rescored:
        Score.objects.filter(deal__in=rescored).delete()
        Score.objects.bulk_create(scores)


def _update_totals(table: Table, seats: Sequence[Seat]) -> None:
    by_seat, recorded = score_sums(table)
    update_totals(table, seats, by_seat, recorded)
