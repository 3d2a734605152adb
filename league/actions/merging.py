"""Merging two records of one person, and undoing it.

Everything that names a player by hand goes over; what the night derives is due to be computed again.
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

from league.actions import apart, audit, due
from league.actions.attendance import put_down
from league.actions.player_names import follow_clubs
from league.actions.roles import clubs_with_admin
from league.actions.season_closing import name_anew
from league.actions.season_lock import share_seasons
from league.imports.queries.listed_people import CONTACT
from league.models import (
    Adjustment,
    Apart,
    Attendance,
    Contest,
    Due,
    Evening,
    Intention,
    Membership,
    Merge,
    Rest,
    Round,
    Season,
    SeasonClosing,
    Seat,
)
from league.models.audit_entry import AuditEvent
from league.models.history import because
from league.models.rights import wider
from league.models.round import RoundState
from players.models import Player, User

MOVED = (Seat, Rest, Adjustment, Contest)  # what always goes over: where only one may be there, `why_not` has asked
ONCE = {
    Attendance: "evening_id",
    Intention: "evening_id",
    Membership: "club_id",
}  # what the kept record may have already, once for each of these
PARTNERS, APARTS = "partners", "aparts"  # in a merge's `moved`, beside the models' labels
PLAYED = "played"  # there, too: of two attendances at one evening the one whose record played there
CLOSINGS = "closings"  # there, too: the season closings that were there before the merge
DECIDED = ("standing", "fee", "from_round", "to_round", "fixed_table")  # by the attendance whose record played

NO_REASON: Final = "two records of one person"  # in the history, where nobody said another


class NotOne(ValueError):
    """The two can't be one person, and the `message` says why."""

    def __init__(self, message: Any) -> None:
        super().__init__(message)
        self.message = message


class Count(NamedTuple):
    """How many rows of a kind each record has."""

    name: str
    kept: int
    gone: int


def counts(kept: Player, gone: Player) -> list[Count]:
    """Return what would go over, kind by kind; what neither has is left out."""
    kinds = [
        Count(
            str(model._meta.verbose_name_plural),
            model._default_manager.filter(player=kept).count(),
            model._default_manager.filter(player=gone).count(),
        )
        for model in (*ONCE, *MOVED)
    ]
    return [kind for kind in kinds if kind.kept or kind.gone]


def why_not(kept: Player, gone: Player) -> Any:
    """Return why the two can't be one person, in words, or nothing."""
    if kept.pk == gone.pk:
        return _("Choose another record than this one.")
    if kept.user_id and gone.user_id:
        return _("Both have a login of their own.")
    if gone_before := Merge.objects.filter(gone__in=(kept, gone), undone_at=None).select_related("gone").first():
        return _("%(player)s is joined to another record already.") % {"player": gone_before.gone}
    if _rounds_of(kept) & _rounds_of(gone):
        return _("Both had a place in one round: they are two people.")
    if evening := _evening_played_by_both(kept, gone):
        said = _("Both played at %(evening)s of %(club)s: give one of them all seats there first.")
        return said % {"evening": evening, "club": evening.season.club}
    if unlike := _unlike_roles(kept, gone):
        return unlike
    both = Season.objects.frozen_with(kept) & Season.objects.frozen_with(gone)
    if season := both.select_related("club").first():
        said = _("Both are in the standings of %(season)s of %(club)s, which is closed: open it again first.")
        return said % {"season": season, "club": season.club}
    asked = Contest.objects.waiting().filter(player=gone).values("deal")
    if Contest.objects.waiting().filter(player=kept, deal__in=asked).exists():
        return _("Both contest the same deal: answer one of them first.")
    return ""


def _unlike_roles(kept: Player, gone: Player) -> Any:
    """Say in which club each of the two may do what the other may not, or nothing."""
    roles = {each.club_id: each for each in gone.memberships.all()}
    for own in kept.memberships.select_related("club"):
        other = roles.get(own.club_id)
        if other is not None and wider(own.role, other.role) is None:
            names = {"club": own.club, "role": own.get_role_display(), "other": other.get_role_display()}
            said = _(
                "In %(club)s their roles are %(role)s and %(other)s, and each may do what the other may not: "
                "give both the same role first."
            )
            return said % names
    return ""


def _rounds_of(player: Player) -> set[int]:
    """Return the rounds that are or were played in which the player has a seat or sits out."""
    return {
        round_
        for model in (Seat, Rest)
        for round_ in model._default_manager.filter(player=player, round__state=RoundState.ACCEPTED).values_list(
            "round", flat=True
        )
    }


def _evening_played_by_both(kept: Player, gone: Player) -> Evening | None:
    """Return the first evening at which each record has a seat: only one of their attendances could stand."""
    at_table = [Seat.objects.filter(player=player, round__state=RoundState.ACCEPTED) for player in (kept, gone)]
    evenings = Evening.objects.with_season().order_by("date", "pk")
    for seats in at_table:
        evenings = evenings.filter(pk__in=seats.values("round__evening"))
    evening: Evening | None = evenings.first()
    return evening


@transaction.atomic
def merge(kept_id: int, gone_id: int, *, by: User | None, now: datetime, reason: str = "") -> Merge:
    """Give everything of one record to the other; asked for twice it is done once. Raises NotOne.

    What was only planned for evenings of either is planned again.
    """
    with because(reason or NO_REASON):
        players = _held(kept_id, gone_id)
        kept, gone = players[kept_id], players[gone_id]
        done: Merge | None = Merge.objects.filter(kept=kept, gone=gone, undone_at=None).first()
        if done is not None:
            return done
        if message := why_not(kept, gone):
            raise NotOne(message)
        _drop_plans((kept_id, gone_id))
        played = _attendances_that_played(kept, gone)
        was = [*_once(kept, gone, played), *(_as_it_was(pair) for pair in _aparts_of(gone))]
        moved = {_label(model): _hand_over(model, gone, kept) for model in (*ONCE, *MOVED)}
        moved[PLAYED] = sorted(played)
        frozen = Season.objects.frozen_with(kept) | Season.objects.frozen_with(gone)
        moved[CLOSINGS] = list(frozen.order_by("closing").values_list("closing", flat=True).distinct())
        moved |= {PARTNERS: _hand_over_partners(gone, kept), APARTS: _hand_over_aparts(gone, kept)}
        login = gone.user_id
        audit.log_in_clubs(AuditEvent.MERGED, kept, by=by, reason=reason)
        made: Merge = Merge.objects.create(
            kept=kept,
            gone=gone,
            moved=moved,
            login_id=login,
            was=was,
            reason=reason,
            made_at=now,
            made_by=by,
        )
        follow_clubs([kept_id])
        name_anew(Season.objects.frozen_with(gone).values_list("pk", flat=True), gone.pk, kept.pk)
        _mark_due((kept.pk, gone.pk), now)
        if login:  # last: it takes the players' keys, for which a run that holds a season would wait
            _give_login(login, gone, kept)
        return made


@transaction.atomic
def undo(merge_id: int, *, now: datetime) -> Merge:
    """Give back what went over, as far as it still is where it went; undoing twice undoes once.

    What was changed since stays as it is. Raises NotOne while the kept record is part of a later merge.
    """
    ends = Merge.objects.values_list("kept_id", "gone_id").get(pk=merge_id)
    with because("two people after all"):
        _held(*ends)
        made: Merge = Merge.objects.select_for_update(of=("self",)).select_related("kept", "gone").get(pk=merge_id)
        if made.undone_at is not None:
            return made
        later = Merge.objects.filter(Q(kept=made.kept) | Q(gone=made.kept), undone_at=None, pk__gt=made.pk)
        if latest := later.select_related("kept", "gone").first():
            raise NotOne(_("%(gone)s was joined to %(kept)s later: undo that first.") % _ends(latest))
        own, back = _frozen_of(made)
        closed_since = _closed_since(made, back)
        if closed := Season.objects.filter(pk__in=(own & back) | closed_since).select_related("club").first():
            said = _("%(season)s of %(club)s was closed with both as one: open it again first.")
            raise NotOne(said % {"season": closed, "club": closed.club})
        managed = clubs_with_admin(*ends)
        _drop_plans(ends)
        _mark_due(ends, now)
        _give_back(made)
        if alone := managed - clubs_with_admin(*ends):
            said = _("%(club)s would have no admin with a login: make another person with a login an admin first.")
            raise NotOne(said % {"club": min(alone, key=lambda club: club.pk)})
        follow_clubs(ends)
        name_anew(back, made.kept_id, made.gone_id)
        audit.log_in_clubs(AuditEvent.UNMERGED, made.kept)
        made.undone_at = now
        made.save(update_fields=["undone_at"])
        return made


def _frozen_of(made: Merge) -> tuple[set[int], set[int]]:
    """Return the ids of the closed seasons where the kept record has something of its own, and where the other's."""
    frozen = Season.objects.frozen_with(made.kept).values("pk")
    own, back = set[int](), set[int]()
    for model, season in ((Seat, "round__evening__season"), (Rest, "round__evening__season"), (Adjustment, "season")):
        moved = set(made.moved[_label(model)])
        rows = model._default_manager.filter(player=made.kept, **{f"{season}__in": frozen})
        for pk, where in rows.values_list("pk", season):
            (back if pk in moved else own).add(where)
    return own, back


def _closed_since(made: Merge, back: Collection[int]) -> set[int]:
    """Return the ids of seasons that were closed after the merge and whose frozen rows follow from it.

    These are seasons in `back`, and seasons with an evening at which two attendances became one.
    """
    attendances = [row["fields"]["evening"] for row in made.was if row["model"] == Attendance._meta.label_lower]
    closings = SeasonClosing.objects.filter(Q(season__in=back) | Q(season__evenings__in=attendances))
    if CLOSINGS in made.moved:
        closings = closings.exclude(pk__in=made.moved[CLOSINGS])
    else:  # a merge from before closings were stored with it
        closings = closings.filter(closed_at__gt=made.made_at)
    return set(closings.values_list("season", flat=True))


def _give_back(made: Merge) -> None:
    for model in (*ONCE, *MOVED):
        rows = model._default_manager.filter(pk__in=made.moved[_label(model)], player=made.kept)
        rows.update(player=made.gone)
    Attendance.objects.filter(pk__in=made.moved[PARTNERS], partner=made.kept).update(partner=made.gone)
    Apart.objects.filter(pk__in=made.moved[APARTS]).delete()
    was = [each.object for each in serializers.deserialize("python", made.was)]
    _restore(was, made.kept, made.moved.get(PLAYED, ()))
    _stay_present(made.kept)
    if made.login_id and made.kept.user_id == made.login_id:
        _give_login(made.login_id, made.kept, made.gone)


def _restore(rows: list[Model], kept: Player, played: Collection[int]) -> None:
    """Put rows back as they were: pairs that became one, the kept record's first, and those that were taken away."""
    before: Membership | Attendance | Intention | None = None
    for row in rows:
        if isinstance(row, Apart):
            row.save()
        elif isinstance(row, Membership | Attendance | Intention):
            if row.player_id == kept.pk:
                before = row
            elif before is not None:
                _part(before, row, played)


def _part(
    before: Membership | Attendance | Intention, other: Membership | Attendance | Intention, played: Collection[int]
) -> None:
    """Split a merged row in two again; a row that was changed since the merge stays as it is."""
    model = type(before)
    left = copy(before)
    _take_over(left, other, played)
    now = model._default_manager.filter(pk=before.pk).first()
    if now is not None:
        for field in (each.attname for each in model._meta.concrete_fields):
            if getattr(now, field) == getattr(left, field):
                setattr(now, field, getattr(before, field))
        if isinstance(now, Membership):
            now.give_role(now.role)
        now.save()
    once = {name: getattr(other, name) for name in (ONCE[model], "player_id")}
    if not model._default_manager.filter(**once).exists():
        other.save()


def _stay_present(kept: Player) -> None:
    """Who was seated under the kept record since is there, also if the other one's attendance went back."""
    places = Seat.objects.filter(player=kept, round__evening__season__club__memberships__player=kept)
    present = Attendance.objects.filter(player=kept).values("evening")
    evenings = places.exclude(round__evening__in=present).values("round__evening")
    for evening in Evening.objects.with_season().filter(pk__in=evenings):
        put_down(evening, [kept.pk])


def _held(*players: int) -> dict[int, Player]:
    """Lock the players, after the evenings of their clubs: nobody is checked in, seated or scored there meanwhile.

    Evenings come first and in order, as for all who seat people. The players' keys are not held: a run may refer to
    them.
    """
    clubs = Membership.objects.filter(player__in=players).values("club")
    share_seasons(list(Season.objects.filter(club__in=clubs).values_list("pk", flat=True)))
    evenings = Evening.objects.select_for_update(of=("self",), no_key=True).filter(season__club__in=clubs)
    list(evenings.order_by("pk").values_list("pk"))
    held = Player.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    return held.in_bulk(sorted(set(players)))


def _drop_plans(players: Collection[int]) -> None:
    """Delete the planned rounds of evenings at which one of them is: they no longer fit."""
    Round.objects.planned().filter(evening__attendances__player__in=players).delete()


def _ends(made: Merge) -> dict[str, Player]:
    return {"kept": made.kept, "gone": made.gone}


def _attendances_that_played(kept: Player, gone: Player) -> set[int]:
    """Return the ids of attendances at evenings where one of the two played and the other did not.

    A seat weighs more than a round that was sat out.
    """
    weights: dict[tuple[int, int], int] = {}
    for weight, model in enumerate((Rest, Seat), start=1):
        places = model._default_manager.filter(player__in=(kept, gone), round__state=RoundState.ACCEPTED)
        weights |= dict.fromkeys(places.values_list("round__evening", "player"), weight)
    rows = Attendance.objects.filter(player__in=(kept, gone)).values_list("pk", "evening", "player")
    others = {kept.pk: gone.pk, gone.pk: kept.pk}
    return {
        pk
        for pk, evening, player in rows
        if weights.get((evening, player), 0) > weights.get((evening, others[player]), 0)
    }


def _once(kept: Player, gone: Player, played: Collection[int]) -> Iterator[dict[str, Any]]:
    """Make one row of two where there may be only one; yield both as they were."""
    for model, field in ONCE.items():
        own = {getattr(row, field): row for row in model._default_manager.filter(player=kept)}
        for row in model._default_manager.filter(player=gone, **{f"{field}__in": list(own)}):
            held = own[getattr(row, field)]
            yield from (_as_it_was(each) for each in (held, row))
            _take_over(held, row, played)
            row.delete()  # first: a member number is unique in a club
            held.save()


def _take_over(held: Model, other: Model, played: Collection[int]) -> None:
    """Merge the second row into the first, which stays.

    The wider of two roles stays. If either record answered "yes", the merged answer is "yes". Payments are added up;
    the rest of an attendance is decided by the one in `played`; if neither is, both kinds of rounds count.
    """
    if isinstance(held, Membership) and isinstance(other, Membership):
        held.login_unconfirmed = held.login_unconfirmed or other.login_unconfirmed
        held.give_role(wider(held.role, other.role) or held.role)
        for name in CONTACT:
            setattr(held, name, getattr(held, name) or getattr(other, name))
    if isinstance(held, Intention) and isinstance(other, Intention):
        held.comes = held.comes or other.comes
    if isinstance(held, Attendance) and isinstance(other, Attendance):
        _take_over_attendance(held, other, played)


def _take_over_attendance(held: Attendance, other: Attendance, played: Collection[int]) -> None:
    held.paid += other.paid
    if held.partner_id == other.player_id:  # a player cannot be their own partner
        held.partner_id = None
    if other.pk in played:
        for name in DECIDED:
            setattr(held, name, getattr(other, name))
    elif held.pk not in played:
        held.from_round = min(held.from_round, other.from_round)
        ends = [end for end in (held.to_round, other.to_round) if end is not None]
        held.to_round = max(ends) if len(ends) == len((held, other)) else None


def _aparts_of(player: Player) -> QuerySet[Apart, Apart]:
    pairs: QuerySet[Apart, Apart] = Apart.objects.filter(Q(first=player) | Q(second=player))
    return pairs


def _hand_over(model: type[Model], gone: Player, kept: Player) -> list[int]:
    """Return the ids of the rows that went over."""
    ids = list(model._default_manager.filter(player=gone).values_list("pk", flat=True))
    model._default_manager.filter(pk__in=ids).update(player=kept)
    return ids


def _hand_over_partners(gone: Player, kept: Player) -> list[int]:
    ids = list(Attendance.objects.filter(partner=gone).exclude(player=kept).values_list("pk", flat=True))
    Attendance.objects.filter(pk__in=ids).update(partner=kept)
    return ids


def _hand_over_aparts(gone: Player, kept: Player) -> list[int]:
    """Keep the record that stays apart from whom the other one was kept apart from.

    Answers the ids of the pairs that are new.
    """
    had = set(_aparts_of(kept).values_list("pk", flat=True))
    for pair in _aparts_of(gone).select_related("club"):
        other = pair.second_id if pair.first_id == gone.pk else pair.first_id
        pair.delete()
        if other != kept.pk:
            apart.keep_apart(pair.club, kept.pk, other)
    return [pk for pk in _aparts_of(kept).values_list("pk", flat=True) if pk not in had]


def _give_login(login: int, giver: Player, taker: Player) -> None:
    """Move the login to the other record; it has one player at every moment."""
    Player.objects.filter(pk=giver.pk).update(user=None)
    Player.objects.filter(pk=taker.pk).update(user=login)


def _mark_due(players: Collection[int], now: datetime) -> None:
    """Mark standings and ratings of whatever the two took part in as due."""
    seats, rests = (model.objects.filter(player__in=players).values("round__evening") for model in (Seat, Rest))
    evenings = Evening.objects.closed().filter(Q(pk__in=seats) | Q(pk__in=rests))
    for season in Season.objects.filter(Q(evenings__in=evenings) | Q(adjustments__player__in=players)).distinct():
        due.mark_season(season, not_before=now, why=Due.Why.MERGED)
    for game, first in evenings.order_by().values_list("season__game").annotate(Min("date")):
        due.mark_game(game, first, not_before=now, why=Due.Why.MERGED)


def _as_it_was(row: Model) -> dict[str, Any]:
    [plain] = serializers.serialize("python", [row])
    fields = {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in plain["fields"].items()
    }
    return {**plain, "fields": fields}


def _label(model: type[Model]) -> str:
    return model._meta.label
