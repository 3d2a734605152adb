"""Querysets of players and ratings that a user may see, and of clubs whose data contain a player.

A player does not belong to one club: memberships decide the visibility.
"""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import BigIntegerField, Exists, F, Model, OuterRef, Q, QuerySet, Value

from league.models.club import (
    Club,
    ClubQuerySet,
    Membership,
    Separation,
    public_condition,
    readable_condition,
    visible_condition,
)
from league.models.contest import Contest
from league.models.evening import Attendance, Intention
from league.models.rights import Right, roles_with_right
from league.models.round import Rest, RoundState
from league.models.standing import Adjustment, Standing
from league.models.table import Seat
from league.models.team import TeamMember
from league.models.tournament import UnitPlayer
from players.models import Player, Rating, RatingStep
from players.models.person import PlayerQuerySet, Viewer

# Each foreign key to a player: model, field, and the lookup from the model to the club.
PLAYER_REFERENCES: Final[tuple[tuple[type[Model], str, str], ...]] = (
    (Membership, "player", "club"),
    (Separation, "first", "club"),
    (Separation, "second", "club"),
    (Intention, "player", "evening__season__club"),
    (Attendance, "player", "evening__season__club"),
    (Attendance, "partner", "evening__season__club"),
    (Seat, "player", "round__evening__season__club"),
    (Rest, "player", "round__evening__season__club"),
    (Contest, "player", "deal__table__round__evening__season__club"),
    (Adjustment, "player", "season__club"),
    (Standing, "player", "season__club"),
    (TeamMember, "player", "season__club"),
    (UnitPlayer, "player", "unit__tournament__club"),
)


def clubs_with_rows_of(*people: Player) -> ClubQuerySet:
    """Return the clubs with any row of these players, such as a membership, a result or a separation."""
    condition = Q()
    for model, field, club in PLAYER_REFERENCES:
        condition |= Q(pk__in=model._default_manager.filter(**{f"{field}__in": people}).order_by().values(club))
    clubs: ClubQuerySet = Club.objects.filter(condition)
    return clubs


def players(viewer: Viewer) -> QuerySet[Player]:
    """Return the players that the user `viewer` may see outside of results.

    These are members of public clubs, members and guests of clubs where the user's role allows reading, and the user's
    own player. Other users see guests of a public club only in its results.
    """
    return Player.objects.filter(_visible_players_condition(viewer, "pk", "user"))


def _visible_players_condition(viewer: Viewer, player: str, user: str) -> Q:
    """Return the query condition for rows of players that `viewer` may see. `player` and `user` are the lookups from
    the row to the player's id and to the player's login.
    """
    people = Membership.objects.all()
    if not viewer.is_superuser:
        people = people.filter(
            Q(public_condition("club"), role__in=roles_with_right(Right.READ)) | readable_condition(viewer, "club")
        )
    condition = Q(**{f"{player}__in": people.values("player_id")})
    return condition | Q(**{user: viewer}) if viewer.is_authenticated else condition


def players_in_results(viewer: Viewer) -> QuerySet[Player]:
    """Return players who have a result that the user `viewer` may see.

    Filter the queryset to few players; without a filter the database reads every seat.
    """
    condition = Q(visible_condition(viewer, "round__evening__season__club"), round__state=RoundState.ACCEPTED)
    querysets = [kind.objects.filter(condition, player=OuterRef("pk")) for kind in (Seat, Rest)]
    return Player.objects.filter(Exists(querysets[0]) | Exists(querysets[1]))


def players_with_member_names(viewer: Viewer) -> QuerySet[Player]:
    """Return players whose name for members differs from the public name, in clubs where the role of `viewer` allows
    reading.
    """
    if not viewer.is_authenticated:
        return Player.objects.none()
    people = Membership.objects.filter(readable_condition(viewer, "club")).values("player")
    renamed: QuerySet[Player] = Player.objects.filter(pk__in=people).exclude(names__0=F("names__1")).order_by()
    return renamed


def with_known_names(people: QuerySet[Player], viewer: Viewer) -> QuerySet[Player]:
    """Add `known`: the ids of all players whose name for members `viewer` may see. All rows get the same list."""
    if not viewer.is_authenticated:
        return people.annotate(known=Value([], ArrayField(BigIntegerField())))
    return people.annotate(known=ArraySubquery(players_with_member_names(viewer).values("pk")))


def players_of(club: Club) -> PlayerQuerySet:
    players_of_club: PlayerQuerySet = Player.objects.filter(memberships__club=club)
    return players_of_club


def visible_memberships_condition(viewer: Viewer) -> Q:
    """Return the query condition for memberships in clubs that `viewer` may see: guests only if the user's role in
    the club allows reading. A superuser may see all.
    """
    return Q() if viewer.is_superuser else Q(role__in=roles_with_right(Right.READ)) | readable_condition(viewer, "club")


def visible_player_ids_of(club: Club, viewer: Viewer) -> QuerySet[Membership, int]:
    return (
        Membership.objects.filter(visible_memberships_condition(viewer), club=club)
        .order_by()
        .values_list("player", flat=True)
    )


def memberships_of(club: Club, *, with_guests: bool) -> QuerySet[Membership]:
    people = Membership.objects.filter(club=club).select_related("player")
    return people if with_guests else people.filter(role__in=roles_with_right(Right.READ))


def ratings(viewer: Viewer) -> QuerySet[Rating]:
    return Rating.objects.filter(_visible_players_condition(viewer, "player", "player__user"))


def rating_steps(viewer: Viewer) -> QuerySet[RatingStep]:
    return RatingStep.objects.filter(_visible_players_condition(viewer, "player", "player__user"))
