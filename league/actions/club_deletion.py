"""Deletion of a club: requested by an admin, hidden at once, deleted after thirty days."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pgtrigger
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Exists, Min, Model, OuterRef, Q, QuerySet
from pghistory.models import Context

from league.actions import audit, club_emails, pending_recomputes
from league.actions.clubs import renew_invitation_key
from league.actions.imports import delete_import_jobs
from league.actions.player_names import apply_club_name_defaults
from league.actions.unreferenced_people import delete_rows, delete_unreferenced_players
from league.imports.queries.club_file.parts import PARTS, PEOPLE_LOOKUP, Part, club_player_ids, references
from league.models import (
    ApiToken,
    ApiWrite,
    AuditEntry,
    Club,
    Evening,
    Merge,
    Notification,
    PendingRecompute,
    PlayerStatistics,
    RankChange,
    Run,
    Season,
    SeasonRecord,
    TournamentClub,
    TournamentRank,
    Webhook,
    WebhookDelivery,
)
from league.models.audit_entry import AuditEvent
from players.models import User

DELETION_DELAY: Final = timedelta(days=30)  # an admin may cancel it meanwhile
# Models whose rows are not in a club file, with the lookup of their club. A model comes before the models it refers to.
MODELS_NOT_IN_CLUB_FILE: Final[tuple[tuple[type[Model], str], ...]] = (
    (RankChange, "season__club"),
    (PlayerStatistics, "season__club"),
    (SeasonRecord, "season__club"),
    (PendingRecompute, "season__club"),
    (TournamentRank, "tournament__club"),
    (Notification, "club"),
    (ApiWrite, "token__club"),
    (ApiToken, "club"),
    (WebhookDelivery, "webhook__club"),
    (Webhook, "club"),
)


@transaction.atomic
def request_deletion(club: Club, *, by: User, now: datetime) -> Club:
    """Hide the club, schedule its deletion after DELETION_DELAY, end its invitation links, and email its admins."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if club.delete_at is None:
        club.delete_at = now + DELETION_DELAY
        club.save(update_fields=["delete_at"])
        renew_invitation_key(club)
        audit.log(AuditEvent.DELETION_ASKED, club, by=by, name=club.name)
        club_emails.notify_deletion_request(club, by=by)
    return club


@transaction.atomic
def cancel_deletion(club: Club, *, by: User) -> Club:
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if club.delete_at is not None:
        club.delete_at = None
        club.save(update_fields=["delete_at"])
        audit.log(AuditEvent.DELETION_CANCELLED, club, by=by, name=club.name)
        club_emails.notify_deletion_cancelled(club, by=by)
    return club


class RunInProgress(Exception):
    """The club cannot be deleted now: standings and ratings are being computed, perhaps with the club's players."""


def ids_of_clubs_to_delete(now: datetime) -> list[int]:
    return list(Club.objects.filter(delete_at__lte=now).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def delete_club_if_due(club_id: int, *, now: datetime) -> bool:
    """Delete a club if its deletion is due and not cancelled; return whether it was deleted. Raise RunInProgress."""
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {Run._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")  # no run begins meanwhile
    if Run.objects.filter(state=Run.State.RUNNING).exists():
        raise RunInProgress
    due_club = Club.objects.select_for_update().filter(pk=club_id, delete_at__lte=now)
    return due_club.exists() and delete_club(club_id, now=now)


@transaction.atomic
def delete_club(club_id: int, *, now: datetime) -> bool:
    """Delete a club, its history, and its players; return whether the club existed.

    Players with a login, and players that rows of other clubs refer to, are not deleted. The ratings of the club's
    games are marked for a new computation from its first closed evening.
    """
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None:
        return False
    club_emails.notify_club_deleted(club)
    delete_import_jobs(club)
    list(Season.objects.select_for_update().filter(club=club).order_by("pk").values_list("pk"))
    closed = Evening.objects.closed().filter(season__club=club).order_by()
    games = dict(closed.values_list("season__game_key").annotate(Min("date")))
    club_people = club_player_ids(club)
    with pgtrigger.ignore(*_history_trigger_names()), transaction.atomic():
        contexts = {*_delete_audit_entries(club), *_delete_history(club)}
        _remove_from_merges(club)
        _delete_club_rows(club)
    _delete_contexts(contexts)
    gone = delete_unreferenced_players(club_people)
    _remove_from_runs(club)
    apply_club_name_defaults(club_people - gone)
    for game, first in games.items():
        pending_recomputes.mark_game(game, first, not_before=now, why=PendingRecompute.Reason.DELETED)
    audit.log(AuditEvent.CLUB_DELETED, club, name=club.name)
    return True


def _delete_club_rows(club: Club) -> None:
    TournamentClub.objects.filter(club=club).exclude(tournament__club=club).update(club=None)
    for model, to_club in MODELS_NOT_IN_CLUB_FILE:
        delete_rows(model._default_manager.filter(**{to_club: club.pk}))
    for part in reversed(PARTS):
        if part.to_club != PEOPLE_LOOKUP:
            delete_rows(part.rows(club))


def _history_trigger_names() -> list[str]:
    """Return the names of triggers that log deletions, and of triggers that refuse to delete rows of the history."""
    tracked = [part for part in PARTS if part.history]
    delete_triggers = [f"{part.model._meta.label}:delete_delete" for part in tracked]
    protecting = [f"{part.history._meta.label}:append_only" for part in tracked if part.history]
    return [*delete_triggers, *protecting]


def _delete_audit_entries(club: Club) -> set[UUID]:
    """Delete the audit entries of the club; return the ids of their history contexts."""
    contexts = set(AuditEntry.objects.filter(club=club).order_by().values_list("context_id", flat=True))
    audit.delete_entries_of_club(club)
    return contexts


def _delete_history(club: Club) -> Iterator[UUID]:
    """Delete the history rows of the club, and yield the ids of their history contexts."""
    for part in reversed(PARTS):
        for rows in _history_rows(part, club) if part.history else ():
            yield from rows.order_by().values_list("pgh_context_id", flat=True).distinct()
            delete_rows(rows)


def _history_rows(part: Part, club: Club) -> Iterator[QuerySet[Any, Any]]:
    """Yield querysets of all history rows of a model (`part`) in the club.

    The first has the history of existing rows; the others have the history of rows that are already deleted.
    """
    rows = part.history_rows(club)
    yield rows
    for name, parent in references(part).items():
        if parent.history and parent.to_club != PEOPLE_LOOKUP:
            for deleted in _history_rows(parent, club):
                yield rows.model._default_manager.filter(**{f"{name}__in": deleted.order_by().values("pgh_obj_id")})


def _delete_contexts(contexts: Collection[UUID]) -> None:
    """Delete history contexts, except contexts that a row still refers to. `contexts` are their ids."""
    references = [
        Exists(model._default_manager.filter(**{field.name: OuterRef("pk")}))
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Context and model._meta.managed
    ]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('league.history_goes', 'on', true)")
        delete_rows(Context.objects.filter(~Q(*references, _connector=Q.OR), pk__in=contexts))
        cursor.execute("SELECT set_config('league.history_goes', '', true)")


def _remove_from_merges(club: Club) -> None:
    evenings = set(Evening.objects.filter(season__club=club).values_list("pk", flat=True))
    for merge in Merge.objects.select_for_update(of=("self",)).filter(
        Q(kept__in=club_player_ids(club)) | Q(gone__in=club_player_ids(club))
    ):
        rows = [
            row
            for row in merge.was
            if row["fields"].get("club") != club.pk and row["fields"].get("evening") not in evenings
        ]
        if rows != merge.was:
            merge.was = rows
            merge.save(update_fields=["was"])


def _remove_from_runs(club: Club) -> None:
    fragment = [{"club": club.pk}]
    names = ("due", "seasons", "failed")
    condition = Q(*((f"{name}__contains", fragment) for name in names), _connector=Q.OR)
    for run in Run.objects.filter(condition):
        for name in names:
            setattr(run, name, [row for row in getattr(run, name) if row.get("club") != club.pk])
        run.save(update_fields=names)
