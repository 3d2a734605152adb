"""Tournaments of a club, and their units: the registered players, pairs or teams."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from secrets import token_urlsafe
from typing import Any, ClassVar, Final, Self

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, public_condition, visible_condition
from league.models.history import track_history
from league.models.table_limits import MAX_TABLE_MINUTES, MAX_TABLE_POINTS
from players.models.person import Viewer
from scoring import registry
from scoring.rules.errors import IllegalDeal

MAX_UNIT_SIZE: Final = 4
MAX_PLACES: Final = 400  # units in a tournament
MAX_RETENTION_DAYS: Final = 400
MAX_CLUBS: Final = 100  # clubs in a tournament
Day = date  # inside the model, the field `date` hides the type `date`
# Replaces the name of a person whose data were deleted: nomen nescio, understood in every language.
ERASED_NAME: Final = "N. N."


class TournamentState(models.TextChoices):
    """The states of a tournament. Visitors can register only while it is OPEN."""

    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Registration open")
    CLOSED = "closed", _("Registration closed")
    RUNNING = "running", _("Being played")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")


class RankedBy(models.TextChoices):
    """The first criterion in the ranking of a tournament; league/pairing computes it."""

    POINTS = "points", _("Sum of points")
    WINS = "wins", _("Number of wins")
    MATCH_POINTS = "match_points", _("Match points: 3 for a win, 2 for a draw, 1 for a defeat")


class Pairing(models.TextChoices):
    """The method that pairs the units (players, pairs or teams) of a round; league/pairing computes it."""

    LOT = "lot", _("By lot")
    RANKING = "ranking", _("By the ranking: first against second, third against fourth")
    MOVEMENT = "movement", _("By a fixed movement: odd numbers stay, even numbers move up a table")


class TieBreak(models.TextChoices):
    """A criterion that separates units with equal results; league/pairing computes it."""

    POINTS = "points", _("Points")
    AGAINST = "against", _("Fewest points against")
    DIFFERENCE = "difference", _("Difference of points for and against")
    WINS = "wins", _("Wins")
    BEST_ROUND = "best_round", _("Best round")
    FIRST_ROUND = "first_round", _("First round")
    DIRECT = "direct", _("Direct meeting")


def new_link_key() -> str:
    """Return a random key for the links in emails about a registration. A new key makes earlier links invalid."""
    return token_urlsafe(12)


def has_readable_rules(game: str, house_rules: object) -> bool:
    """Return whether the house rules are valid for the game. For a club's own game any dict is accepted."""
    if not isinstance(house_rules, dict):
        return False
    if game not in registry.slugs():
        return True
    try:
        registry.rules(game).read_options(house_rules)
    except IllegalDeal:
        return False
    return True


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return tournaments that the user may see: public tournaments, and tournaments of clubs that the user may see.

        Users who may record results for an invited club see the tournament, too. Drafts are visible only to users who
        may record results for the organising club.
        """
        announced = ~Q(state=TournamentState.DRAFT)
        readable = visible_condition(user, "club") | Q(public=True, club__delete_at=None)
        if user.is_authenticated:
            invitations = TournamentClub.objects.filter(club__in=_recordable_club_ids(user))
            readable |= Q(pk__in=invitations.order_by().values("tournament"))
        return self.filter(announced & readable | Q(club__in=_recordable_club_ids(user)))

    def open_to_all(self) -> Self:
        """Return tournaments that a visitor without an account may see."""
        return self.filter(Q(public=True, club__delete_at=None) | public_condition("club")).exclude(
            state=TournamentState.DRAFT
        )

    def recordable_by(self, user: Viewer) -> Self:
        return self.filter(club__in=_recordable_club_ids(user))

    def announced(self) -> Self:
        return self.exclude(state=TournamentState.DRAFT)

    def coming(self, today: date) -> Self:
        """Return tournaments on this date or later, the next one first, without cancelled ones."""
        return self.exclude(state=TournamentState.CANCELLED).filter(date__gte=today).order_by("date", "pk")

    def with_club(self) -> Self:
        return self.select_related("club")

    def due_for_erasure(self, today: date) -> Self:
        """Return tournaments whose personal data must be deleted today or should already be deleted."""
        days = models.ExpressionWrapper(F("date") + F("retention_days"), models.DateField())
        return self.filter(forgotten_at=None).annotate(day_of_deletion=days).filter(day_of_deletion__lte=today)


def _recordable_club_ids(user: Viewer) -> models.QuerySet[Any, Any]:
    club_ids: models.QuerySet[Any, Any] = Club.objects.recordable_by(user).order_by().values("pk")
    return club_ids


@track_history("TournamentEvent", exclude=["clock_ends_at", "clock_left"])
class Tournament(models.Model):
    """A tournament: one day with its own registration, ranking and prizes. Amounts are cents in the club's currency."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="tournaments")
    name = models.CharField(_("name"), max_length=80)
    game = models.SlugField(_("game"), max_length=40, blank=True, default="")  # "": any game, by totals
    date = models.DateField(_("date"))
    begins_at = models.TimeField(_("begins at"), null=True, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True, default="")
    state = models.CharField(_("state"), max_length=9, choices=TournamentState, default=TournamentState.DRAFT)
    public = models.BooleanField(_("open to the public"), default=True)

    unit_size = models.PositiveSmallIntegerField(_("players of a unit"), default=2)
    plays_apart = models.BooleanField(_("team mates play at different tables"), default=False)
    # The number of a team's best players that count in the ranking of teams; None: all.
    team_best = models.PositiveSmallIntegerField(
        _("players of a team that count"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_UNIT_SIZE)],
    )
    # The number of a club's best players or pairs that count in the ranking of clubs; None: all.
    club_best = models.PositiveSmallIntegerField(
        _("results of a club that count"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_PLACES)],
    )
    places = models.PositiveSmallIntegerField(
        _("places"), validators=[MinValueValidator(2), MaxValueValidator(MAX_PLACES)]
    )
    fee = models.PositiveIntegerField(_("entry fee for each player"), default=0)
    closes_at = models.DateTimeField(_("registration ends"))
    by_approval = models.BooleanField(_("each registration is approved by the desk"), default=False)
    notes = models.TextField(_("for those who register"), max_length=600, blank=True, default="")
    consent = models.TextField(_("privacy notice"), max_length=600, blank=True, default="")
    retention_days = models.PositiveSmallIntegerField(
        _("days until personal data are deleted"), default=60, validators=[MaxValueValidator(MAX_RETENTION_DAYS)]
    )

    rounds = models.PositiveSmallIntegerField(
        _("rounds"), default=4, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    deals = models.PositiveSmallIntegerField(
        _("deals of a round"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    target = models.PositiveIntegerField(
        _("points that end a round"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_POINTS)],
    )
    minutes = models.PositiveSmallIntegerField(
        _("minutes of a round"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_MINUTES)],
    )
    games_to_win = models.PositiveSmallIntegerField(
        _("wins that decide a match"), default=1, validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    pairing = models.CharField(_("later rounds"), max_length=8, choices=Pairing, default=Pairing.RANKING)
    ranked_by = models.CharField(_("ranking"), max_length=12, choices=RankedBy, default=RankedBy.POINTS)
    ties = ArrayField(
        models.CharField(max_length=11, choices=TieBreak), verbose_name=_("tie-breaks"), default=list, blank=True
    )
    cap = models.PositiveIntegerField(
        _("most points of a round"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_POINTS)],
    )
    # The points of a unit without an opponent; None: the mean of the round.
    exempt_points = models.PositiveIntegerField(
        _("points of a resting unit"), null=True, blank=True, validators=[MaxValueValidator(MAX_TABLE_POINTS)]
    )
    exempt_wins = models.BooleanField(_("a rest counts as a win"), default=True)
    forfeit_points = models.PositiveIntegerField(
        _("points against an absent unit"), default=0, validators=[MaxValueValidator(MAX_TABLE_POINTS)]
    )
    house_rules = models.JSONField(_("rules of the deals"), default=dict, blank=True)

    # The countdown on the screen in the hall: it runs if `clock_ends_at` is set. While it is paused, `clock_left`
    # has the remaining seconds.
    clock_ends_at = models.DateTimeField(null=True, editable=False)
    clock_left = models.PositiveIntegerField(null=True, editable=False)

    created_at = models.DateTimeField(auto_now_add=True)
    # When the personal data of people who are not members were deleted. After that, registrations can't be changed.
    forgotten_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-date", "-pk"]
        verbose_name = _("tournament")
        constraints = [
            models.UniqueConstraint(fields=["club", "date", "name"], name="tournament_once_a_date_and_name"),
            models.CheckConstraint(condition=Q(state__in=TournamentState.values), name="tournament_state_is_known"),
            models.CheckConstraint(condition=Q(pairing__in=Pairing.values), name="tournament_pairing_is_known"),
            models.CheckConstraint(condition=Q(ranked_by__in=RankedBy.values), name="tournament_ranking_is_known"),
            models.CheckConstraint(
                condition=Q(ties__contained_by=TieBreak.values), name="tournament_tie_breaks_are_known"
            ),
            models.CheckConstraint(
                condition=Q(unit_size__gte=1, unit_size__lte=MAX_UNIT_SIZE), name="tournament_unit_has_one_to_four"
            ),
            models.CheckConstraint(
                condition=Q(plays_apart=False) | Q(unit_size__gte=2), name="tournament_mates_are_two"
            ),
            models.CheckConstraint(
                condition=Q(team_best=None) | Q(plays_apart=True, team_best__gte=1, team_best__lte=F("unit_size")),
                name="tournament_team_best_is_of_teams",
            ),
            models.CheckConstraint(
                condition=Q(club_best=None) | Q(club_best__gte=1), name="tournament_club_best_is_positive"
            ),
            models.CheckConstraint(condition=Q(places__gte=2), name="tournament_has_places"),
            models.CheckConstraint(condition=Q(rounds__gte=1), name="tournament_has_rounds"),
            models.CheckConstraint(condition=Q(games_to_win__gte=1), name="tournament_match_has_games"),
            models.CheckConstraint(
                condition=Q(clock_ends_at=None) | Q(clock_left=None), name="tournament_clock_runs_or_is_paused"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:tournament", args=[self.pk])

    @property
    def begins(self) -> datetime | None:
        """The start in the club's time zone; None if no time is set. Fetch the tournament with its club."""
        return None if self.begins_at is None else datetime.combine(self.date, self.begins_at, self.club.zone)

    @property
    def where(self) -> str:
        """The venue: the tournament's own, or the club's usual one. Fetch the tournament with its club."""
        return self.place or str(self.club.place)

    @property
    def deletion_date(self) -> Day:
        """The date when the personal data of people who are not members are deleted."""
        return self.date + timedelta(days=self.retention_days)

    @property
    def unit_fee(self) -> int:
        return self.fee * self.unit_size

    @property
    def read_only_reason(self) -> Any:
        if self.state == TournamentState.CANCELLED:
            return _("The tournament is cancelled.")
        return _("Its personal data were deleted.") if self.forgotten_at else ""

    @property
    def has_started(self) -> bool:
        """Whether the tournament is or was played. Then it has a season with one evening."""
        return self.state in (TournamentState.RUNNING, TournamentState.FINISHED)

    @property
    def clock_minutes(self) -> str:
        """The remaining time of a paused countdown in minutes and seconds: "12:30"."""
        minutes, seconds = divmod(self.clock_left or 0, 60)
        return f"{minutes}:{seconds:02}"

    def accepts_registrations(self, now: datetime) -> bool:
        """Return whether a visitor may register now."""
        return self.state == TournamentState.OPEN and now < self.closes_at

    def is_over(self, now: datetime) -> bool:
        """Return whether it was finished or cancelled, or its day has passed in the club's time zone.

        A running tournament is not over, also after midnight.
        """
        if self.state == TournamentState.RUNNING:
            return False
        is_ended = self.state in (TournamentState.FINISHED, TournamentState.CANCELLED)
        return is_ended or self.date < now.astimezone(self.club.zone).date()


class TournamentClubQuerySet(models.QuerySet["TournamentClub"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return the invitations to clubs where the user may record results.

        The organising club's own row, and invitations to drafts, are excluded.
        """
        invitations = self.exclude(club=F("tournament__club")).exclude(tournament__state=TournamentState.DRAFT)
        return invitations.filter(club__in=_recordable_club_ids(user))

    recordable_by = visible_to

    def shown_to_visitors(self) -> Self:
        """Exclude invited private clubs that have not registered anybody: only the organisers may know that they were
        invited.
        """
        takes_part = models.Exists(TournamentUnit.objects.filter(plays_for=models.OuterRef("pk"), by_club=True))
        return self.filter(Q(club=None) | Q(club=F("tournament__club")) | Q(club__public=True) | Q(takes_part))

    def with_clubs(self) -> Self:
        return self.select_related("tournament__club", "club")


class TournamentClub(models.Model):
    """A club that takes part in a tournament of several clubs: an invited club, or the organising club.

    `club` is None if the club was deleted, or if the tournament was imported from a club file. Then only the name is
    known.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="clubs")
    club = models.ForeignKey(Club, models.SET_NULL, null=True, blank=True, related_name="tournaments_joined")
    name = models.CharField(_("name"), max_length=80)

    objects: ClassVar = TournamentClubQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("club of a tournament")
        verbose_name_plural = _("clubs of tournaments")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "club"], name="tournament_club_once_a_tournament"),
            models.CheckConstraint(condition=~Q(name=""), name="tournament_club_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:tournament-club", args=[self.pk])


class UnitState(models.TextChoices):
    REGISTERED = "registered", _("Registered")
    WAITING = "waiting", _("On the waiting list")
    PENDING = "pending", _("To be approved")
    SEEKING = "seeking", _("Looks for a partner")
    CANCELLED = "cancelled", _("Cancelled")


class PaymentKind(models.TextChoices):
    CASH = "cash", _("Cash")
    TRANSFER = "transfer", _("Transfer")
    CARD = "card", _("Card")
    OTHER = "other", _("Other")


class TournamentUnitQuerySet(models.QuerySet["TournamentUnit"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return units (players, pairs or teams) in tournaments of clubs where the user may record results: other users
        may not see the addresses.
        """
        return self.filter(tournament__in=Tournament.objects.recordable_by(user).order_by().values("pk"))

    recordable_by = visible_to

    def not_cancelled(self) -> Self:
        return self.exclude(state=UnitState.CANCELLED)

    def registered(self) -> Self:
        return self.filter(state=UnitState.REGISTERED)

    def waiting(self) -> Self:
        """Return the units (players, pairs or teams) on the waiting list. The first one gets the next free place."""
        return self.filter(state=UnitState.WAITING).order_by("queued_at", "pk")

    def with_players(self) -> Self:
        return self.prefetch_related(
            models.Prefetch("players", UnitPlayer.objects.select_related("player").order_by("position"))
        )


class TournamentUnit(models.Model):
    """A registered player, pair or team. The model has no history, because the history would have names after their
    deletion.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="units")
    name = models.CharField(_("name of the team"), max_length=60, blank=True, default="")
    state = models.CharField(_("state"), max_length=10, choices=UnitState, default=UnitState.REGISTERED)
    number = models.PositiveSmallIntegerField(_("number"), null=True, blank=True)  # given at check-in
    plays_for = models.ForeignKey(TournamentClub, models.RESTRICT, null=True, blank=True, related_name="units")
    by_club = models.BooleanField(_("registered by its club"), default=False, editable=False)
    names_public = models.BooleanField(_("names on the public list"), default=False)
    at_desk = models.BooleanField(_("entered at the desk"), default=False)
    language = models.CharField(max_length=5, blank=True, default="", editable=False)  # for emails; "": the club's
    paid = models.PositiveIntegerField(_("paid"), default=0)
    payment_kind = models.CharField(_("paid by"), max_length=8, choices=PaymentKind, blank=True, default="")
    returned = models.PositiveIntegerField(_("returned"), default=0)  # of the paid amount, by the same kind
    registered_at = models.DateTimeField()
    queued_at = models.DateTimeField()  # decides the order of the waiting list
    link_key = models.CharField(max_length=24, default=new_link_key, editable=False)
    client_key = models.UUIDField(null=True, editable=False)  # so that a form sent twice registers only once

    objects: ClassVar = TournamentUnitQuerySet.as_manager()

    class Meta:
        ordering = ["registered_at", "pk"]
        verbose_name = _("unit")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "client_key"], name="unit_once_a_form"),
            models.UniqueConstraint(fields=["tournament", "number"], name="unit_number_once_a_tournament"),
            models.CheckConstraint(condition=Q(state__in=UnitState.values), name="unit_state_is_known"),
            models.CheckConstraint(
                condition=Q(paid=0, payment_kind="") | Q(paid__gt=0, payment_kind__in=PaymentKind.values),
                name="unit_payment_has_its_kind",
            ),
            models.CheckConstraint(condition=Q(returned__lte=F("paid")), name="unit_returns_at_most_the_paid"),
            models.CheckConstraint(
                condition=Q(by_club=False) | Q(plays_for__isnull=False), name="unit_by_club_plays_for_it"
            ),
        ]
        indexes = [models.Index(F("tournament"), F("state"), name="unit_of_tournament_by_state")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def net_payment(self) -> int:
        """The paid amount minus the returned amount, in cents."""
        return self.paid - self.returned

    @property
    def members(self) -> Sequence[UnitPlayer]:
        """The players of the unit in order. Fetch the unit by `with_players`."""
        return list(self.players.all())

    @property
    def title(self) -> str:
        """The names of the players; if the unit has a name, the name with the players in brackets."""
        names = " – ".join(str(member) for member in self.members)
        return f"{self.name} ({names})" if self.name else names


class UnitPlayer(models.Model):
    """A player of a unit. `player` is the member or guest of the club, if known; at check-in it is set.

    Only the club's committee sees email address and telephone.
    """

    unit = models.ForeignKey(TournamentUnit, models.CASCADE, related_name="players")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80)
    email = models.EmailField(_("e-mail"), blank=True, default="")
    phone = models.CharField(_("telephone"), max_length=30, blank=True, default="")
    player = models.ForeignKey(
        "players.Player", models.PROTECT, null=True, blank=True, related_name="tournament_entries"
    )
    # The check-in added this person to the club as a guest. The guest is deleted with the personal data of the unit.
    added_as_guest = models.BooleanField(default=False, editable=False)

    objects: ClassVar[models.Manager[UnitPlayer]] = models.Manager()

    class Meta:
        ordering = ["unit", "position"]
        verbose_name = _("player of a unit")
        verbose_name_plural = _("players of units")
        constraints = [
            models.UniqueConstraint(fields=["unit", "position"], name="unit_player_once_a_position"),
            models.UniqueConstraint(fields=["unit", "player"], name="unit_player_once_a_unit"),
            models.CheckConstraint(
                condition=Q(position__gte=1, position__lte=MAX_UNIT_SIZE), name="unit_player_is_one_of_four"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="unit_player_has_a_name"),
        ]

    def __str__(self) -> str:
        return str(self.player) if self.player else self.name


class Forfeit(models.Model):
    """A unit (player, pair or team) that did not come to its table. Then the table needs no points."""

    table = models.ForeignKey("league.Table", models.CASCADE, related_name="forfeits")
    unit = models.ForeignKey(TournamentUnit, models.CASCADE, related_name="forfeits")

    objects: ClassVar[models.Manager[Forfeit]] = models.Manager()

    class Meta:
        verbose_name = _("forfeit")
        verbose_name_plural = _("forfeits")
        constraints = [models.UniqueConstraint(fields=["table", "unit"], name="forfeit_once_a_table_and_unit")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
