"""Which people and ratings somebody may see. A Player belongs to no club: memberships say who sees him."""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import BigIntegerField, Exists, F, Model, OuterRef, Q, QuerySet, Value

from league.models.club import Apart, Club, ClubQuerySet, Membership, open_to_all, read_by, visible_to
from league.models.contest import Contest
from league.models.evening import Attendance, Intention
from league.models.rights import Right, roles_with
from league.models.round import Rest, RoundState
from league.models.standing import Adjustment, Standing
from league.models.table import Seat
from players.models import Player, Rating, RatingStep
from players.models.person import PlayerQuerySet, Reader

# By which path each field that names a person leads to the club that shows the row.
NAMED_IN: Final[tuple[tuple[type[Model], str, str], ...]] = (
    (Membership, "player", "club"),
    (Apart, "first", "club"),
    (Apart, "second", "club"),
    (Intention, "player", "evening__season__club"),
    (Attendance, "player", "evening__season__club"),
    (Attendance, "partner", "evening__season__club"),
    (Seat, "player", "round__evening__season__club"),
    (Rest, "player", "round__evening__season__club"),
    (Contest, "player", "deal__table__round__evening__season__club"),
    (Adjustment, "player", "season__club"),
    (Standing, "player", "season__club"),
)


def clubs_naming(*people: Player) -> ClubQuerySet:
    """Return the clubs that name one of the people: as a member, or in any result of former members."""
    named = Q()
    for model, field, club in NAMED_IN:
        named |= Q(pk__in=model._default_manager.filter(**{f"{field}__in": people}).order_by().values(club))
    clubs: ClubQuerySet = Club.objects.filter(named)
    return clubs


def players(reader: Reader) -> QuerySet[Player]:
    """Return members of clubs that the reader may see, guests of those that he reads, and the reader's own player.

    Whoever reads a club because it is public meets its guests where results name them, and nowhere else.
    """
    return Player.objects.filter(_seen(reader, "pk", "user"))


def _seen(reader: Reader, player: str, user: str) -> Q:
    """Return the condition that the reader may see the player to whom a row leads, whose login `user` leads to."""
    people = Membership.objects.all()
    if not reader.is_superuser:
        people = people.filter(Q(open_to_all("club"), role__in=roles_with(Right.READ)) | read_by(reader, "club"))
    seen = Q(**{f"{player}__in": people.values("player_id")})
    return seen | Q(**{user: reader}) if reader.is_authenticated else seen


def players_in_results(reader: Reader) -> QuerySet[Player]:
    """Return those whom the results of clubs that the reader may see name: guests, and who has left, too.

    For one player: asked of all it would look at each seat.
    """
    seen = Q(visible_to(reader, "round__evening__season__club"), round__state=RoundState.ACCEPTED)
    here = [kind.objects.filter(seen, player=OuterRef("pk")) for kind in (Seat, Rest)]
    return Player.objects.filter(Exists(here[0]) | Exists(here[1]))


def known_names(reader: Reader) -> QuerySet[Player]:
    """Return those whom the reader knows by another name than everyone: people of clubs that he reads as a member."""
    if not reader.is_authenticated:
        return Player.objects.none()
    people = Membership.objects.filter(read_by(reader, "club")).values("player")
    named: QuerySet[Player] = Player.objects.filter(pk__in=people).exclude(names__0=F("names__1")).order_by()
    return named


def with_known_names(people: QuerySet[Player], reader: Reader) -> QuerySet[Player]:
    """Annotate players with the ids of all whom the reader knows by another name, as `known`; for one player."""
    if not reader.is_authenticated:
        return people.annotate(known=Value([], ArrayField(BigIntegerField())))
    return people.annotate(known=ArraySubquery(known_names(reader).values("pk")))


def players_of(club: Club) -> PlayerQuerySet:
    """Return everyone with a membership in the club, guests too."""
    found: PlayerQuerySet = Player.objects.filter(memberships__club=club)
    return found


def shown_to(reader: Reader) -> Q:
    """Return the condition that the reader may know of a membership: a guest's is shown to the club's own readers."""
    return Q() if reader.is_superuser else Q(role__in=roles_with(Right.READ)) | read_by(reader, "club")


def people_shown_in(club: Club, reader: Reader) -> QuerySet[Membership, int]:
    """Return the ids of the club's people whom the reader may know to belong to it: guests to its own readers alone."""
    return Membership.objects.filter(shown_to(reader), club=club).order_by().values_list("player", flat=True)


def memberships_of(club: Club, *, inside: bool) -> QuerySet[Membership]:
    """Return the club's people with their names; guests to its own readers alone."""
    people = Membership.objects.filter(club=club).select_related("player")
    return people if inside else people.filter(role__in=roles_with(Right.READ))


def ratings(reader: Reader) -> QuerySet[Rating]:
    """Return ratings of players whom the reader may see."""
    return Rating.objects.filter(_seen(reader, "player", "player__user"))


def rating_steps(reader: Reader) -> QuerySet[RatingStep]:
    """Return the history of those ratings."""
    return RatingStep.objects.filter(_seen(reader, "player", "player__user"))
