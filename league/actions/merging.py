"""Merging two players who are one person, and undoing a merge.

All facts of one player are moved to the other. Computed rows, such as standings, change when a worker
computes standings and ratings the next time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.core import serializers
from django.db import transaction
from django.db.models import Min, Model, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.actions import audit, pending_recomputes, separations
from league.actions.attendance import add_attendances
from league.actions.player_names import apply_club_name_defaults
from league.actions.roles import clubs_with_admin
from league.actions.season_closing import replace_player_in_frozen_standings
from league.actions.season_lock import lock_seasons_shared
from league.imports.queries.listed_people import CONTACT_FIELDS
from league.models import (
    Adjustment,
    Attendance,
    Contest,
    Evening,
    Intention,
    Membership,
    Merge,
    PendingRecompute,
    Rest,
    Round,
    Season,
    SeasonClosing,
    Seat,
    Separation,
    TeamMember,
    UnitPlayer,
)
from league.models.audit_entry import AuditEvent
from league.models.history import history_reason
from league.models.rights import RIGHTS, Role, wider_role
from league.models.round import RoundState
from players.models import Player, User

# Models whose rows get the other player. `merge_obstacle` refuses a merge that would leave two
# rows where only one is allowed.
MODELS_TO_MOVE = (
    Seat,
    Rest,
    Adjustment,
    Contest,
    TeamMember,
    UnitPlayer,
)
# A player has at most one row of these models for each value of the field: two rows are merged.
UNIQUE_FIELD_BY_MODEL = {
    Attendance: "evening_id",
    Intention: "evening_id",
    Membership: "club_id",
}
# Keys of `Merge.moved`; its other keys are labels of models.
PARTNERS_KEY, SEPARATIONS_KEY = "partners", "aparts"
PLAYED_KEY = "played"  # ids of the attendances of the player who played, at evenings where only one of the two played
CLOSINGS_KEY = "closings"  # ids of the season closings that existed before the merge
# Fields that the merged attendance gets from the attendance of the player who played.
ATTENDANCE_FIELDS_TO_MERGE = (
    "standing",
    "fee",
    "from_round",
    "to_round",
    "fixed_table",
)

DEFAULT_MERGE_REASON: Final = "two records of one person"  # the reason in the history, if the user gave none


class CannotMerge(ValueError):
    """Two players cannot be merged, or a merge cannot be undone; `message` is the reason, a sentence for the user."""

    def __init__(self, message: Any) -> None:
        super().__init__(message)
        self.message = message


class RecordCount(NamedTuple):
    """The numbers of rows of two players in one model. `name` is the translated plural name of the model."""

    name: str
    kept: int
    gone: int


def compare_records(first_player: Player, second_player: Player) -> list[RecordCount]:
    """Return the numbers of rows that a merge would move or merge, by model; models without rows are left out."""
    kinds = [
        RecordCount(
            str(model._meta.verbose_name_plural),
            model._default_manager.filter(player=first_player).count(),
            model._default_manager.filter(player=second_player).count(),
        )
        for model in (*UNIQUE_FIELD_BY_MODEL, *MODELS_TO_MOVE)
    ]
    return [kind for kind in kinds if kind.kept or kind.gone]


def merge_obstacle(kept: Player, gone: Player) -> Any:
    """Return a sentence for the user: why `gone` cannot be merged into `kept`. Return "" if the merge is possible."""
    if kept.pk == gone.pk:
        return _("Choose another record than this one.")
    if kept.user_id and gone.user_id:
        return _("Both have a login of their own.")
    if gone_before := Merge.objects.filter(gone__in=(kept, gone), undone_at=None).select_related("gone").first():
        return _("%(player)s is merged with another record already.") % {"player": gone_before.gone}
    if _accepted_round_ids(kept) & _accepted_round_ids(gone):
        return _("Both had a seat in one round: they are two people.")
    if evening := _evening_played_by_both(kept, gone):
        message = _("Both played at %(evening)s of %(club)s: give one of them all seats there first.")
        return message % {"evening": evening, "club": evening.season.club}
    if UnitPlayer.objects.filter(player=kept, unit__players__player=gone).exists():
        return _("Both are players of one unit of a tournament: they are two people.")
    if TeamMember.objects.filter(player=kept, season__team_members__player=gone).exists():
        return _("Both are in teams of one season: they are two people.")
    if unlike := _role_conflict(kept, gone):
        return unlike
    both = Season.objects.frozen_with_player(kept) & Season.objects.frozen_with_player(gone)
    if season := both.select_related("club").first():
        message = _("Both are in the standings of %(season)s of %(club)s, which is closed: open it again first.")
        return message % {"season": season, "club": season.club}
    contested = Contest.objects.unanswered().filter(player=gone).values("deal")
    if Contest.objects.unanswered().filter(player=kept, deal__in=contested).exists():
        return _("Both contest the same deal: answer one of them first.")
    return ""


def _role_conflict(kept: Player, gone: Player) -> Any:
    """Return a message if, in some club, each of the two roles has a right that the other lacks; else ""."""
    roles = {membership.club_id: membership for membership in gone.memberships.all()}
    for kept_membership in kept.memberships.select_related("club"):
        gone_membership = roles.get(kept_membership.club_id)
        if gone_membership is not None and wider_role(kept_membership.role, gone_membership.role) is None:
            names = {
                "club": kept_membership.club,
                "role": kept_membership.get_role_display(),
                "other": gone_membership.get_role_display(),
            }
            message = _(
                "In %(club)s their roles are %(role)s and %(other)s, and each may do what the other may not: "
                "give both the same role first."
            )
            return message % names
    return ""


def _accepted_round_ids(player: Player) -> set[int]:
    """Return the ids of the accepted rounds in which the player had a seat or sat out."""
    return {
        round_
        for model in (Seat, Rest)
        for round_ in model._default_manager.filter(player=player, round__state=RoundState.ACCEPTED).values_list(
            "round", flat=True
        )
    }


def _evening_played_by_both(kept: Player, gone: Player) -> Evening | None:
    at_table = [Seat.objects.filter(player=player, round__state=RoundState.ACCEPTED) for player in (kept, gone)]
    evenings = Evening.objects.with_season().order_by("date", "pk")
    for seats in at_table:
        evenings = evenings.filter(pk__in=seats.values("round__evening"))
    evening: Evening | None = evenings.first()
    return evening


@transaction.atomic
def merge(kept_id: int, gone_id: int, *, by: User | None, now: datetime, reason: str = "") -> Merge:
    """Merge the player `gone_id` into the player `kept_id`; a repeated request merges once. Raise CannotMerge.

    Rounds of both players' evenings that are drawn but not accepted are deleted.
    """
    with history_reason(reason or DEFAULT_MERGE_REASON):
        players = _lock_evenings_and_players(kept_id, gone_id)
        kept, gone = players[kept_id], players[gone_id]
        earlier: Merge | None = Merge.objects.filter(kept=kept, gone=gone, undone_at=None).first()
        if earlier is not None:
            return earlier
        if message := merge_obstacle(kept, gone):
            raise CannotMerge(message)
        _delete_planned_rounds((kept_id, gone_id))
        played = _attendances_that_played(kept, gone)
        former_rows = [
            *_merge_duplicate_rows(kept, gone, played),
            *(_former_row(pair) for pair in _separations_of(gone)),
        ]
        moved_rows = {
            _model_label(model): _move_rows(model, gone, kept) for model in (*UNIQUE_FIELD_BY_MODEL, *MODELS_TO_MOVE)
        }
        moved_rows[PLAYED_KEY] = sorted(played)
        frozen = Season.objects.frozen_with_player(kept) | Season.objects.frozen_with_player(gone)
        moved_rows[CLOSINGS_KEY] = list(frozen.order_by("closing").values_list("closing", flat=True).distinct())
        moved_rows |= {PARTNERS_KEY: _move_partners(gone, kept), SEPARATIONS_KEY: _move_separations(gone, kept)}
        login = gone.user_id
        audit.log_in_clubs(AuditEvent.MERGED, kept, by=by, reason=reason)
        stored_merge: Merge = Merge.objects.create(
            kept=kept,
            gone=gone,
            moved=moved_rows,
            login_id=login,
            was=former_rows,
            reason=reason,
            made_at=now,
            made_by=by,
        )
        apply_club_name_defaults([kept_id])
        replace_player_in_frozen_standings(
            Season.objects.frozen_with_player(gone).values_list("pk", flat=True), gone.pk, kept.pk
        )
        _mark_seasons_and_ratings((kept.pk, gone.pk), now)
        if login:  # last: it locks the players' keys, and a run that has locked seasons would wait
            _move_login(login, gone, kept)
        return stored_merge


@transaction.atomic
def undo(merge_id: int, *, now: datetime) -> Merge:
    """Undo a merge: the two players are separate again. Changes that were made after the merge stay.

    Rounds of both players' evenings that are drawn but not accepted are deleted. Raise CannotMerge if the kept
    player is part of a later merge, a season of both players is closed, or a club would have no admin.
    """
    player_ids = Merge.objects.values_list("kept_id", "gone_id").get(pk=merge_id)
    with history_reason("two people after all"):
        _lock_evenings_and_players(*player_ids)
        merge: Merge = Merge.objects.select_for_update(of=("self",)).select_related("kept", "gone").get(pk=merge_id)
        if merge.undone_at is not None:
            return merge
        later = Merge.objects.filter(Q(kept=merge.kept) | Q(gone=merge.kept), undone_at=None, pk__gt=merge.pk)
        if latest := later.select_related("kept", "gone").first():
            raise CannotMerge(
                _("%(gone)s was merged with %(kept)s later: undo that first.")
                % {"kept": latest.kept, "gone": latest.gone}
            )
        kept_seasons, returned_seasons = _frozen_seasons(merge)
        refused_seasons = (kept_seasons & returned_seasons) | _seasons_closed_since(merge, returned_seasons)
        if closed := Season.objects.filter(pk__in=refused_seasons).select_related("club").first():
            message = _("%(season)s of %(club)s was closed with both as one: open it again first.")
            raise CannotMerge(message % {"season": closed, "club": closed.club})
        managed_clubs = clubs_with_admin(*player_ids)
        _delete_planned_rounds(player_ids)
        _mark_seasons_and_ratings(player_ids, now)
        _return_rows(merge)
        if clubs_without_admin := managed_clubs - clubs_with_admin(*player_ids):
            message = _("%(club)s would have no admin with a login: make another person with a login an admin first.")
            raise CannotMerge(message % {"club": min(clubs_without_admin, key=lambda club: club.pk)})
        apply_club_name_defaults(player_ids)
        replace_player_in_frozen_standings(returned_seasons, merge.kept_id, merge.gone_id)
        audit.log_in_clubs(AuditEvent.UNMERGED, merge.kept)
        merge.undone_at = now
        merge.save(update_fields=["undone_at"])
        return merge


def _frozen_seasons(merge: Merge) -> tuple[set[int], set[int]]:
    """Return ids of closed seasons: those with rows of the kept player, and those with rows that an undo would return
    to the other player. A season may be in both.
    """
    frozen = Season.objects.frozen_with_player(merge.kept).values("pk")
    kept_seasons, returned_seasons = set[int](), set[int]()
    for model, season in ((Seat, "round__evening__season"), (Rest, "round__evening__season"), (Adjustment, "season")):
        moved_ids = set(merge.moved[_model_label(model)])
        rows = model._default_manager.filter(player=merge.kept, **{f"{season}__in": frozen})
        for pk, season_id in rows.values_list("pk", season):
            (returned_seasons if pk in moved_ids else kept_seasons).add(season_id)
    return kept_seasons, returned_seasons


def _seasons_closed_since(merge: Merge, returned: Collection[int]) -> set[int]:
    """Return the ids of seasons that were closed after the merge and contain rows that the merge changed.

    These are the seasons in `returned`, and seasons in which two attendances at one evening became one.
    """
    attendances = [row["fields"]["evening"] for row in merge.was if row["model"] == Attendance._meta.label_lower]
    closings = SeasonClosing.objects.filter(Q(season__in=returned) | Q(season__evenings__in=attendances))
    if CLOSINGS_KEY in merge.moved:
        closings = closings.exclude(pk__in=merge.moved[CLOSINGS_KEY])
    else:  # a merge from before closings were stored with it
        closings = closings.filter(closed_at__gt=merge.made_at)
    return set(closings.values_list("season", flat=True))


def _return_rows(merge: Merge) -> None:
    """Give rows and login back to `merge.gone`, and restore the rows that the merge changed or deleted."""
    for model in (*UNIQUE_FIELD_BY_MODEL, *MODELS_TO_MOVE):
        rows = model._default_manager.filter(pk__in=merge.moved.get(_model_label(model), ()), player=merge.kept)
        rows.update(player=merge.gone)
    Attendance.objects.filter(pk__in=merge.moved[PARTNERS_KEY], partner=merge.kept).update(partner=merge.gone)
    Separation.objects.filter(pk__in=merge.moved[SEPARATIONS_KEY]).delete()
    old_rows = [restored.object for restored in serializers.deserialize("python", merge.was)]
    _restore_former_rows(old_rows, merge.kept, merge.moved.get(PLAYED_KEY, ()))
    _restore_attendances(merge.kept)
    if merge.login_id and merge.kept.user_id == merge.login_id:
        _move_login(merge.login_id, merge.kept, merge.gone)


def _restore_former_rows(rows: list[Model], kept: Player, played: Collection[int]) -> None:
    """Restore the rows that the merge changed or deleted.

    `rows` has their values from before the merge. They are separations, and rows that were merged into one: the row of
    the kept player, then the row of the other player. `played` means the same as in `_merge_row`.
    """
    kept_row: Membership | Attendance | Intention | None = None
    for row in rows:
        if isinstance(row, Separation):
            row.save()
        elif isinstance(row, Membership | Attendance | Intention):
            if row.player_id == kept.pk:
                kept_row = row
            elif kept_row is not None:
                _undo_row_merge(kept_row, row, played)


def _undo_row_merge(
    kept_row: Membership | Attendance | Intention,
    gone_row: Membership | Attendance | Intention,
    played: Collection[int],
) -> None:
    """Undo the merge of `gone_row` into `kept_row`. Both have the values from before the merge.

    In the database, the kept row gets these values again, except in fields that were changed after the merge. It is not
    stored again if it was deleted. The gone row is stored again, unless its player has a new row or its evening was
    deleted. `played` means the same as in `_merge_row`.
    """
    model = type(kept_row)
    merged = copy(kept_row)
    _merge_row(merged, gone_row, played)
    current = model._default_manager.filter(pk=kept_row.pk).first()
    if isinstance(gone_row, Membership):
        _remove_rights_taken_since(gone_row, merged, current)
    elif not Evening.objects.filter(pk=gone_row.evening_id).exists():
        return
    if current is not None:
        for field in (column.attname for column in model._meta.concrete_fields):
            if getattr(current, field) == getattr(merged, field):
                setattr(current, field, getattr(kept_row, field))
        if isinstance(current, Membership):
            current.give_role(current.role)
        current.save()
    if isinstance(gone_row, Membership):
        same_number = Membership.objects.filter(club=gone_row.club_id, number__iexact=gone_row.number)
        if same_number.exists():  # a member got it since the merge, perhaps the kept player
            gone_row.number = ""
    unique_fields = {name: getattr(gone_row, name) for name in (UNIQUE_FIELD_BY_MODEL[model], "player_id")}
    if not model._default_manager.filter(**unique_fields).exists():
        gone_row.save()


def _remove_rights_taken_since(membership: Membership, merged: Any, current: Any) -> None:
    """Lower the role of a membership from before the merge, if the player has lost rights since the merge.

    `merged` is the membership that the merge stored. `current` is its row now, or None if it was deleted.
    """
    role = current.role if current else Role.MEMBER
    if not (current and role == merged.role) and not RIGHTS[membership.role] <= RIGHTS[role]:
        membership.role = role


def _restore_attendances(kept: Player) -> None:
    """Add an attendance at each evening where the kept player has a seat, but no attendance after the undo."""
    seats = Seat.objects.filter(player=kept, round__evening__season__club__memberships__player=kept)
    present = Attendance.objects.filter(player=kept).values("evening")
    evenings = seats.exclude(round__evening__in=present).values("round__evening")
    for evening in Evening.objects.with_season().filter(pk__in=evenings):
        add_attendances(evening, [kept.pk])


def _lock_evenings_and_players(*players: int) -> dict[int, Player]:
    """Lock the seasons (shared) and evenings of the players' clubs, then the players; return the players by id.

    Until the end of the transaction, nobody can be checked in, seated or scored. All actions that seat players lock in
    this order. The lock (FOR NO KEY UPDATE) still lets a recompute add rows that refer to the players.
    """
    clubs = Membership.objects.filter(player__in=players).values("club")
    lock_seasons_shared(list(Season.objects.filter(club__in=clubs).values_list("pk", flat=True)))
    evenings = Evening.objects.select_for_update(of=("self",), no_key=True).filter(season__club__in=clubs)
    list(evenings.order_by("pk").values_list("pk"))
    locked = Player.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    return locked.in_bulk(sorted(set(players)))


def _delete_planned_rounds(players: Collection[int]) -> None:
    Round.objects.planned().filter(evening__attendances__player__in=players).delete()


def _attendances_that_played(kept: Player, gone: Player) -> set[int]:
    """Return the ids of the attendances of the player who played, at evenings where only one of the two played.

    A seat has priority over a round that was sat out.
    """
    weights: dict[tuple[int, int], int] = {}
    for weight, model in enumerate((Rest, Seat), start=1):
        places = model._default_manager.filter(player__in=(kept, gone), round__state=RoundState.ACCEPTED)
        weights |= dict.fromkeys(places.values_list("round__evening", "player"), weight)
    rows = Attendance.objects.filter(player__in=(kept, gone)).values_list("pk", "evening", "player")
    counterparts = {kept.pk: gone.pk, gone.pk: kept.pk}
    return {
        pk
        for pk, evening, player in rows
        if weights.get((evening, player), 0) > weights.get((evening, counterparts[player]), 0)
    }


def _merge_duplicate_rows(kept: Player, gone: Player, played: Collection[int]) -> Iterator[dict[str, Any]]:
    """Merge each two rows of the players for one evening or club. Yield both rows as they were before, as JSON."""
    for model, field in UNIQUE_FIELD_BY_MODEL.items():
        kept_rows = {getattr(row, field): row for row in model._default_manager.filter(player=kept)}
        for row in model._default_manager.filter(player=gone, **{f"{field}__in": list(kept_rows)}):
            kept_row = kept_rows[getattr(row, field)]
            yield from (_former_row(single) for single in (kept_row, row))
            _merge_row(kept_row, row, played)
            row.delete()  # before `save`: a member number is unique in a club
            kept_row.save()


def _merge_row(kept_row: Model, gone_row: Model, played: Collection[int]) -> None:
    """Merge `gone_row` into `kept_row`.

    Membership: the role with more rights; empty contact data are filled. Intention: "yes" if either player answered
    "yes". Attendance: payments are added up; the other fields come from the attendance whose id is in `played`. If
    neither id is in `played`, the merged attendance lasts from the earlier `from_round` to the later `to_round`.
    """
    if isinstance(kept_row, Membership) and isinstance(gone_row, Membership):
        kept_row.login_unconfirmed = kept_row.login_unconfirmed or gone_row.login_unconfirmed
        kept_row.give_role(wider_role(kept_row.role, gone_row.role) or kept_row.role)
        for name in CONTACT_FIELDS:
            setattr(kept_row, name, getattr(kept_row, name) or getattr(gone_row, name))
    if isinstance(kept_row, Intention) and isinstance(gone_row, Intention):
        kept_row.comes = kept_row.comes or gone_row.comes
    if isinstance(kept_row, Attendance) and isinstance(gone_row, Attendance):
        _merge_attendance(kept_row, gone_row, played)


def _merge_attendance(kept_row: Attendance, gone_row: Attendance, played: Collection[int]) -> None:
    kept_row.paid += gone_row.paid
    if kept_row.partner_id == gone_row.player_id:  # a player cannot be their own partner
        kept_row.partner_id = None
    if gone_row.pk in played:
        for name in ATTENDANCE_FIELDS_TO_MERGE:
            setattr(kept_row, name, getattr(gone_row, name))
    elif kept_row.pk not in played:
        kept_row.from_round = min(kept_row.from_round, gone_row.from_round)
        ends = [end for end in (kept_row.to_round, gone_row.to_round) if end is not None]
        kept_row.to_round = max(ends) if len(ends) == len((kept_row, gone_row)) else None


def _separations_of(player: Player) -> QuerySet[Separation, Separation]:
    pairs: QuerySet[Separation, Separation] = Separation.objects.filter(Q(first=player) | Q(second=player))
    return pairs


def _move_rows(model: type[Model], gone: Player, kept: Player) -> list[int]:
    ids = list(model._default_manager.filter(player=gone).values_list("pk", flat=True))
    model._default_manager.filter(pk__in=ids).update(player=kept)
    return ids


def _move_partners(gone: Player, kept: Player) -> list[int]:
    ids = list(Attendance.objects.filter(partner=gone).exclude(player=kept).values_list("pk", flat=True))
    Attendance.objects.filter(pk__in=ids).update(partner=kept)
    return ids


def _move_separations(gone: Player, kept: Player) -> list[int]:
    """Replace the separations of `gone` by separations of `kept`; return the ids of the new ones."""
    earlier = set(_separations_of(kept).values_list("pk", flat=True))
    for pair in _separations_of(gone).select_related("club"):
        neighbour = pair.second_id if pair.first_id == gone.pk else pair.first_id
        pair.delete()
        if neighbour != kept.pk:
            separations.add_separation(pair.club, kept.pk, neighbour)
    return [pk for pk in _separations_of(kept).values_list("pk", flat=True) if pk not in earlier]


def _move_login(login: int, giver: Player, taker: Player) -> None:
    Player.objects.filter(pk=giver.pk).update(user=None)
    Player.objects.filter(pk=taker.pk).update(user=login)


def _mark_seasons_and_ratings(players: Collection[int], now: datetime) -> None:
    """Mark seasons and games with results or adjustments of the players for a new computation."""
    seats, rests = (model.objects.filter(player__in=players).values("round__evening") for model in (Seat, Rest))
    evenings = Evening.objects.closed().filter(Q(pk__in=seats) | Q(pk__in=rests))
    for season in Season.objects.filter(Q(evenings__in=evenings) | Q(adjustments__player__in=players)).distinct():
        pending_recomputes.mark_season(season, not_before=now, why=PendingRecompute.Reason.MERGED)
    for game, first in evenings.order_by().values_list("season__game_key").annotate(Min("date")):
        pending_recomputes.mark_game(game, first, not_before=now, why=PendingRecompute.Reason.MERGED)


def _former_row(row: Model) -> dict[str, Any]:
    """Return the row in the form that `serializers.deserialize` reads, with only JSON values."""
    [plain] = serializers.serialize("python", [row])
    fields = {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in plain["fields"].items()
    }
    return {**plain, "fields": fields}


def _model_label(model: type[Model]) -> str:
    return model._meta.label
