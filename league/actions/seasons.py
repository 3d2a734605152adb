"""Actions on a season: create, copy, open, discard it, and change its rules. Other actions use this module's locks."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, deals, pending_recomputes
from league.actions.clubs import lock_club
from league.actions.refusals import StaleVersion, WrongState, check_no_tournament_season, check_not_closed
from league.messages import send_tick
from league.models import Deal, Evening, PendingRecompute, Season, Seat
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.history import history_reason
from league.models.season import SeasonState
from league.seasons.queries.house_rules_trial import kept_house_rules
from league.seasons.queries.next_year_dates import FIFTY_TWO_WEEKS, next_year_dates
from league.standings.rules import StandingsRules
from scoring import registry

# Fields that `copy_for_next_year` copies from the season, and from each of its evenings.
COPIED_FIELDS = (
    "game",
    "club_game",
    "house_rules",
    "typing",
    "standings_rules",
    "planned_evenings",
    "table_sizes",
    "fifth_rests",
    "end",
    "end_number",
    "count_passed",
    "contest_hours",
    "rounds",
    "draw",
    "partners",
    "exempt_points",
    "rest_score",
    "rest_points",
    "team_best",
    "leavers",
)
COPIED_EVENING_FIELDS = ("name", "place", "begins_at", "weight", "season_final")
# No recorded score or rank depends on these: a change needs no reason, and no deal is scored again.
FIELDS_WITHOUT_EFFECT = frozenset(
    {
        *("name", "typing", "contest_hours", "rounds", "draw", "partners"),
        *("exempt_points", "rest_score", "rest_points"),  # a drawn round keeps its points of rests
        "team_best",  # no team's result is stored
    }
)


def create_season(season: Season, house_rules: Mapping[str, Any]) -> None:
    """Store a new season with these house rules. Call it with the club locked.

    For a club's own game, the options of the game are stored instead.
    """
    season.house_rules = _club_game_options(season) or dict(house_rules)
    season.save()
    audit.log(AuditEvent.SEASON_CREATED, season)


def _club_game_options(season: Season) -> dict[str, Any]:
    """Return the options of the season's game if it is a club's own game, else {}."""
    return season.club_game.options if season.club_game else {}


class NameTaken(ValueError):
    """The club has another season of that name."""


@transaction.atomic
def copy_for_next_year(season_id: int, *, name: str, evening_ids: Collection[int]) -> tuple[Season, bool]:
    """Create a draft season with the rules of a season; return the draft, and whether it is new.

    Each evening of the season in `evening_ids` is planned again a year later, on the date that follows from the
    season's weekly or monthly pattern. Raise NameTaken, or WrongState for the season of a tournament.
    """
    source = Season.objects.select_related("club").get(pk=season_id)
    check_no_tournament_season(source)
    with lock_club(source.club):
        settings = {field: getattr(source, field) for field in COPIED_FIELDS}
        existing = source.club.seasons.without_tournaments().filter(name=name).first()
        if existing is not None:
            if existing.pk == source.pk or any(getattr(existing, field) != settings[field] for field in COPIED_FIELDS):
                raise NameTaken
            return existing, False
        draft = Season.objects.create(club=source.club, name=name, **settings)
        evenings_to_copy = source.evenings.not_cancelled().within_bounds(later=FIFTY_TWO_WEEKS)
        later = next_year_dates(evenings_to_copy.values_list("date", flat=True))
        Evening.objects.bulk_create(
            Evening(
                season=draft,
                date=later[evening.date],
                **{field: getattr(evening, field) for field in COPIED_EVENING_FIELDS},
            )
            for evening in evenings_to_copy.filter(pk__in=evening_ids).order_by("date", "pk")
        )
        audit.log(AuditEvent.SEASON_CREATED, draft)
    return draft, True


@transaction.atomic
def open(season_id: int) -> Season:
    """Open a draft season. Raise WrongState."""
    season = lock_season_in_state(season_id, SeasonState.DRAFT)
    season.state = SeasonState.OPEN
    season.save(update_fields=["state"])
    audit.log(AuditEvent.SEASON_OPENED, season)
    return season


@transaction.atomic
def discard(season_id: int) -> str:
    """Delete a draft season; return its name. Raise WrongState if it is no draft, or one of its evenings was opened."""
    season = lock_season_in_state(season_id, SeasonState.DRAFT)
    if season.evenings.exclude(state__in=(EveningState.PLANNED, EveningState.CANCELLED)).exists():
        raise WrongState(_("Evenings of this draft were held: it can't be discarded."))
    audit.log(AuditEvent.SEASON_DELETED, season, name=season.name)
    season.delete()
    return season.name


class ReasonMissing(ValueError):
    """A reason is required, since recorded scores depend on the changed rules."""


@transaction.atomic
def change_rules(
    season: Season,
    names: list[str],
    house_rules: Mapping[str, Any],
    *,
    reason: str | None,
    now: datetime,
    since: Evening | None = None,
    later_only: bool = False,
) -> None:
    """Store the fields `names` of the season, and its house rules. Raise IllegalDeal, ReasonMissing or WrongState.

    If recorded scores may depend on the change, a `reason` is required and every deal is scored again. With `since`,
    the house rules change from that evening on. With `later_only`, existing evenings keep their house rules.
    """
    with history_reason(reason or ""):
        # Lock before reading: a concurrent recording ends first, or waits and then reads the new rules.
        stored = lock_editable_season(season.pk)
        season.house_rules = _club_game_options(season) or dict(house_rules)
        scored = _may_change_scores(stored, season, names)
        if scored and not reason and has_recorded_points(season):
            raise ReasonMissing
        season.save(update_fields=[*names, "house_rules"])
        has_other_rules = _house_rules_with_defaults(stored) != _house_rules_with_defaults(season)
        event = AuditEvent.HOUSE_RULES_CHANGED if has_other_rules else AuditEvent.SEASON_CHANGED
        audit.log(event, season, reason=reason or "")
        if not scored:
            return
        if reason:
            _store_house_rules_change(season, stored.house_rules, since, later_only=later_only, reason=reason, now=now)
            deals.rescore_season(season, now=now)
            transaction.on_commit(send_tick)
        elif season.evenings.closed().exists():  # even without recorded points, exempt rounds may count
            pending_recomputes.mark_season(season, not_before=now, why=PendingRecompute.Reason.HOUSE_RULES)
            transaction.on_commit(send_tick)


def _may_change_scores(stored: Season, season: Season, names: Iterable[str]) -> bool:
    """Return whether recorded scores or ranks may depend on the change of the fields `names` or of the house rules."""
    return _house_rules_with_defaults(stored) != _house_rules_with_defaults(season) or any(
        getattr(stored, name) != getattr(season, name) for name in names if name not in FIELDS_WITHOUT_EFFECT
    )


def _house_rules_with_defaults(season: Season) -> dict[str, Any]:
    """Return all house rules of the season, with the default for rules that are not stored."""
    stored: dict[str, Any] = season.house_rules
    return {rule.name: rule.default for rule in registry.rules(season.game).house_rules} | stored


def _store_house_rules_change(
    season: Season, before: Mapping[str, Any], since: Evening | None, *, later_only: bool, reason: str, now: datetime
) -> None:
    """Store the change of the house rules, and the old rules in the evenings that keep them.

    Do nothing if both rules have the same meaning. `before` are the old rules.
    """
    read_options = registry.rules(season.game).read_options
    if read_options(before) == read_options(season.house_rules):
        return
    kept_rules = kept_house_rules(season, before, since, later_only=later_only)
    keeping = [evening for evening, rules in kept_rules.items() if rules is not None]
    season.evenings.filter(pk__in=keeping, kept_house_rules__isnull=True).update(kept_house_rules=before)
    season.evenings.exclude(pk__in=keeping).update(kept_house_rules=None)
    season.house_rules_changes.create(
        since=since, later_only=later_only, before=before, after=season.house_rules, reason=reason, changed_at=now
    )


@transaction.atomic
def change_standings_rules(
    season_id: int,
    rules: StandingsRules,
    *,
    planned_evenings: int | None,
    seen_version: str,
    reason: str | None,
    now: datetime,
) -> Season:
    """Store a season's standings rules and its planned number of evenings.

    `seen_version` is the `standings_rules_version` of the rules that the user saw: raise StaleVersion if the rules have
    changed since. Raise WrongState if the season is closed or a tournament's, or if an evening is closed and the
    `reason` is missing.
    """
    season = lock_season_in_state(season_id, SeasonState.DRAFT, SeasonState.OPEN)
    check_no_tournament_season(season)
    rules_json = rules.to_json()
    if (season.standings_rules, season.planned_evenings) == (rules_json, planned_evenings):
        return season
    if standings_rules_version(season) != seen_version:
        raise StaleVersion
    closed = season.evenings.closed().exists()
    if closed and not reason:
        raise WrongState(_("An evening was closed meanwhile. Say below why the rules change."))
    is_changed = season.standings_rules != rules_json
    season.standings_rules, season.planned_evenings = rules_json, planned_evenings
    with history_reason(reason or ""):
        season.save(update_fields=["standings_rules", "planned_evenings"])
    audit.log(AuditEvent.STANDINGS_RULES_CHANGED, season, reason=reason or "")
    if is_changed and (closed or season.adjustments.exists()):
        pending_recomputes.mark_season(season, not_before=now, why=PendingRecompute.Reason.STANDINGS_RULES)
        transaction.on_commit(send_tick)
    return season


def standings_rules_version(season: Season) -> str:
    """Return a digest of standings rules and planned evenings, to recognise that another user has changed them."""
    rules = [season.standings_rules, season.planned_evenings]
    return sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]


def has_recorded_points(season: Season) -> bool:
    """Return whether a total or a deal, even a voided deal, is recorded in the season."""
    seats = Seat.objects.filter(round__evening__season=season, written__isnull=False)
    return seats.exists() or Deal.objects.filter(table__round__evening__season=season).exists()


@contextmanager
def lock_season(season: Season) -> Iterator[Season]:
    """Open a transaction, lock the season's row in any state, and yield it with its club."""
    with transaction.atomic():
        yield Season.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=season.pk)


def lock_editable_season(season_id: int) -> Season:
    """Lock the season's row and return it. Raise WrongState if the season is closed, or a tournament's."""
    season: Season = Season.objects.select_for_update(no_key=True).get(pk=season_id)
    check_not_closed(season)
    check_no_tournament_season(season)
    return season


def lock_season_in_state(season_id: int, *allowed: SeasonState) -> Season:
    """Lock the season's row and return it. Raise WrongState if its state is not in `allowed`."""
    # The key is not locked: new rows may refer to the season.
    season: Season = Season.objects.select_for_update(no_key=True).get(pk=season_id)
    if season.state not in allowed:
        raise WrongState(
            _("The season is %(state)s: this can't be done now.") % {"state": season.get_state_display().lower()}
        )
    return season
