"""Deleting a club: asked for by an admin, hidden at once, taken back within thirty days, and then gone whole."""

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

from league.actions import acts, due, letters
from league.actions.clubs import renew_invitations
from league.actions.imports import delete_imports
from league.actions.player_names import follow_clubs
from league.actions.unnamed_people import delete_rows, delete_unnamed
from league.imports.queries.club_file.parts import PARTS, PEOPLE, Part, people, references
from league.models import (
    Act,
    Club,
    Due,
    Evening,
    Letter,
    Merge,
    Movement,
    PlayerStatistics,
    Run,
    Season,
    SeasonRecord,
)
from league.models.act import ActKind
from players.models import User

DELAY: Final = timedelta(days=30)  # in which an admin may take it back
# What is the club's and is not in its file, before what it is of.
BESIDE: Final[tuple[tuple[type[Model], str], ...]] = (
    (Movement, "season__club"),
    (PlayerStatistics, "season__club"),
    (SeasonRecord, "season__club"),
    (Due, "season__club"),
    (Letter, "club"),
)
OF_DELETION: Final = (ActKind.TO_DELETE, ActKind.KEPT, ActKind.DELETED)  # what is still told of a club that is gone


@transaction.atomic
def ask(club: Club, *, by: User, now: datetime) -> Club:
    """Have the club deleted thirty days from now; from now on its admins alone see it. Asked twice it is asked once."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if club.delete_at is None:
        club.delete_at = now + DELAY
        club.save(update_fields=["delete_at"])
        renew_invitations(club)
        acts.note(ActKind.TO_DELETE, by, club=club, about=club.name)
        letters.club_to_delete(club, by=by)
    return club


@transaction.atomic
def take_back(club: Club, *, by: User) -> Club:
    """Keep a club that was to be deleted: it is seen again as before."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if club.delete_at is not None:
        club.delete_at = None
        club.save(update_fields=["delete_at"])
        acts.note(ActKind.KEPT, by, club=club, about=club.name)
        letters.club_kept(club, by=by)
    return club


class RunInProgress(Exception):
    """A run may have the club's people in memory."""


def due_clubs(now: datetime) -> list[int]:
    """Return the ids of the clubs to delete."""
    return list(Club.objects.filter(delete_at__lte=now).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def delete_if_due(club_id: int, *, now: datetime) -> bool:
    """Delete a club unless an admin has cancelled the deletion. Raise RunInProgress."""
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {Run._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")  # no run begins meanwhile
    if Run.objects.filter(state=Run.State.RUNNING).exists():
        raise RunInProgress
    due_club = Club.objects.select_for_update().filter(pk=club_id, delete_at__lte=now)
    return due_club.exists() and delete(club_id, now=now)


@transaction.atomic
def delete(club_id: int, *, now: datetime) -> bool:
    """Delete a club with its history and whoever belongs to no other; return whether it was there.

    Whoever has a login stays, and so does who is named anywhere else. Ratings of its games are due from its first
    evening on. No run may be at work.
    """
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None:
        return False
    letters.club_deleted(club)
    delete_imports(club)
    list(Season.objects.select_for_update().filter(club=club).order_by("pk").values_list("pk"))
    closed = Evening.objects.closed().filter(season__club=club).order_by()
    games = dict(closed.values_list("season__game").annotate(Min("date")))
    named = people(club)
    with pgtrigger.ignore(*_history_triggers()), transaction.atomic():
        done = {*_forget_acts(club), *_forget_history(club)}
        _forget_in_merges(club)
        _delete_rows(club)
    _forget_contexts(done)
    gone = delete_unnamed(named)
    _forget_in_runs(club)
    follow_clubs(named - gone)
    for game, first in games.items():
        due.mark_game(game, first, not_before=now, why=Due.Why.DELETED)
    acts.note(ActKind.DELETED, None, club=club, about=club.name)
    return True


def _delete_rows(club: Club) -> None:
    for model, to_club in BESIDE:
        delete_rows(model._default_manager.filter(**{to_club: club.pk}))
    for part in reversed(PARTS):
        if part.to_club != PEOPLE:
            delete_rows(part.rows(club))


def _history_triggers() -> list[str]:
    """Name the triggers that would keep history, and write more of it."""
    tracked = [part for part in PARTS if part.history]
    written = [f"{part.model._meta.label}:delete_delete" for part in tracked]
    kept = [f"{part.history._meta.label}:append_only" for part in tracked if part.history]
    return [*written, *kept, f"{Act._meta.label}:append_only"]


def _forget_acts(club: Club) -> set[UUID]:
    rows = Act.objects.filter(club=club).exclude(kind__in=OF_DELETION)
    contexts = set(rows.order_by().values_list("context_id", flat=True))
    delete_rows(rows)
    return contexts


def _forget_history(club: Club) -> Iterator[UUID]:
    """Delete the history of all that is or was the club's; yield what had been done, and why."""
    for part in reversed(PARTS):
        for rows in _past(part, club) if part.history else ():
            yield from rows.order_by().values_list("pgh_context_id", flat=True).distinct()
            delete_rows(rows)


def _past(part: Part, club: Club) -> Iterator[QuerySet[Any, Any]]:
    """Yield a part's history: that which belongs to what is still there, and to what only history knows."""
    rows = part.past_rows(club)
    yield rows
    for name, to in references(part).items():
        if to.history and to.to_club != PEOPLE:
            for gone in _past(to, club):
                yield rows.model._default_manager.filter(**{f"{name}__in": gone.order_by().values("pgh_obj_id")})


def _forget_contexts(found: Collection[UUID]) -> None:
    """Delete acts of which no history is left."""
    told = [
        Exists(model._default_manager.filter(**{field.name: OuterRef("pk")}))
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Context and model._meta.managed
    ]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('league.history_goes', 'on', true)")
        delete_rows(Context.objects.filter(~Q(*told, _connector=Q.OR), pk__in=found))
        cursor.execute("SELECT set_config('league.history_goes', '', true)")


def _forget_in_merges(club: Club) -> None:
    """Forget what merges keep of the club, so that one which is undone later brings none of it back."""
    evenings = set(Evening.objects.filter(season__club=club).values_list("pk", flat=True))
    for merge in Merge.objects.select_for_update(of=("self",)).filter(
        Q(kept__in=people(club)) | Q(gone__in=people(club))
    ):
        was = [row for row in merge.was if not _is_of(row["fields"], club, evenings)]
        if was != merge.was:
            merge.was = was
            merge.save(update_fields=["was"])


def _is_of(fields: dict[str, Any], club: Club, evenings: Collection[int]) -> bool:
    return fields.get("club") == club.pk or fields.get("evening") in evenings


def _forget_in_runs(club: Club) -> None:
    """Forget what runs say of the club's seasons."""
    said = [{"club": club.pk}]
    names = ("due", "seasons", "failed")
    found = Q(*((f"{name}__contains", said) for name in names), _connector=Q.OR)
    for run in Run.objects.filter(found):
        for name in names:
            setattr(run, name, [row for row in getattr(run, name) if row.get("club") != club.pk])
        run.save(update_fields=names)
