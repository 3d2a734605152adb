from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.db.models.sql import DeleteQuery
from django.db.models.sql.constants import ROW_COUNT
from pghistory.models import Event

from league.models import Merge, RankChange
from players.models import FirstMeeting, Player, Rating, RatingStep

# Models of computed rows, with their fields that refer to a player. They do not prevent the deletion of a player.
COMPUTED_MODELS: Final[tuple[tuple[type[Model], tuple[str, ...]], ...]] = (
    (RankChange, ("player",)),
    (RatingStep, ("player",)),
    (Rating, ("player",)),
    (FirstMeeting, ("first", "second")),
)


def delete_unreferenced_players(people: Collection[int]) -> set[int]:
    """Delete those of the players (ids) who have no login and to whom no other rows refer; return the deleted ids.

    Computed rows, such as ratings, are no obstacle and are deleted too. Call it in a transaction.
    """
    gone = set(Player.objects.filter(pk__in=people, user=None).values_list("pk", flat=True))
    computed = {model for model, _fields in COMPUTED_MODELS}
    for model in apps.get_models():
        if model in computed or model is Merge or not model._meta.managed:
            continue
        for field in model._meta.concrete_fields:
            if field.related_model is Player:
                rows = model._default_manager.filter(**{f"{field.name}__in": gone}).order_by()
                gone -= set(rows.values_list(field.attname, flat=True).distinct())
    ends = list(Merge.objects.filter(Q(kept__in=people) | Q(gone__in=people)).values_list("kept", "gone"))
    while staying := {end for pair in ends if not set(pair) <= gone for end in pair} & gone:
        gone -= staying  # players who were merged with a player who stays
    delete_rows(Merge.objects.filter(kept__in=gone, gone__in=gone))
    for model, names in COMPUTED_MODELS:
        for name in names:
            delete_rows(model._default_manager.filter(**{f"{name}__in": gone}))
    delete_rows(Player.objects.filter(pk__in=gone))
    return gone


def is_referenced_outside(player: int, ignored_models: Collection[type[Model]]) -> bool:
    """Return whether a row refers to the player, except rows of `ignored_models` and of the history. One query."""
    rows = (
        Exists(model._default_manager.filter(**{field.name: OuterRef("pk")}))
        for model in apps.get_models()
        if model not in ignored_models and not issubclass(model, Event) and model._meta.managed
        for field in model._meta.concrete_fields
        if field.related_model is Player
    )
    return Player.objects.filter(Q(*rows, _connector=Q.OR), pk=player).exists()


def delete_rows(rows: QuerySet[Any, Any]) -> None:
    """Delete rows by one SQL statement: unlike QuerySet.delete, it fetches no row and deletes no related row."""
    query = rows.order_by().query.chain(DeleteQuery)
    query.get_compiler(DEFAULT_DB_ALIAS).execute_sql(ROW_COUNT)
