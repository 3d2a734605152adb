from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, club_ids_hidden_from, visible_condition
from league.models.evening import Evening, EveningState
from league.models.history import track_history
from league.models.round import Round, RoundState
from players.models.person import Viewer


class TableQuerySet(models.QuerySet["Table"]):
    def visible_to(self, user: Viewer) -> Self:
        """Return the tables of clubs that the user may see, and tables where the user played.

        Tables of planned rounds are returned only for users with the right to record.
        """
        allowed = visible_condition(user, "round__evening__season__club")
        if user.is_authenticated and not user.is_superuser:  # for a superuser `allowed` is Q(), and Q() | x would be x
            seats = Seat.objects.filter(player__user=user)
            seats = seats.exclude(round__evening__season__club__in=club_ids_hidden_from(user))
            allowed |= Q(pk__in=seats.values("table_id"))
        recorded = Q(round__evening__season__club__in=Club.objects.recordable_by(user))
        return self.filter(allowed, Q(round__state=RoundState.ACCEPTED) | recorded)

    def recordable_by(self, user: Viewer) -> Self:
        return self.filter(round__evening__season__club__in=Club.objects.recordable_by(user))

    def with_club(self) -> Self:
        return self.select_related("round__evening__season__club")

    def in_evenings(self, evenings: Iterable[Evening]) -> Self:
        """Return the tables of accepted rounds of the evenings, ordered by evening, round and number."""
        tables = self.filter(round__evening__in=evenings, round__state=RoundState.ACCEPTED).select_related(
            "round__evening__season"
        )
        return tables.order_by("round__evening", "round__number", "number")

    def incomplete(self) -> Self:
        return self.filter(complete=False)

    def with_unchecked_totals(self) -> Self:
        """Return tables whose totals were entered on a phone and have not been compared with the paper score sheet."""
        return self.filter(totals_checked=False)

    def with_seats(self) -> Self:
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.select_related("player")))


@track_history(
    "TableEvent",
    fields=["id", "round", "number", "size", "one_rests", "finished", "paper_accepted", "totals_checked"],
)
class Table(models.Model):
    """The players who share one score sheet for one round.

    `update_totals` (actions/tables.py) computes `recorded`, `deals`, `complete` and the points of the seats; `verify`
    checks them. `recorded` is the number of recorded deals that are not voided. `deals` is the same number, or without
    recorded deals the number of deals that was entered with the totals. `totals_checked` is false while totals from
    a phone at the table wait for the secretary's check.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    size = models.PositiveSmallIntegerField(_("size"))
    one_rests = models.BooleanField(_("one rests"), default=False)
    finished = models.BooleanField(_("complete by hand"), default=False)
    paper_accepted = models.CharField(_("why the paper may differ"), max_length=200, blank=True, default="")
    totals_key = models.UUIDField(null=True, editable=False)
    totals_checked = models.BooleanField(_("totals checked"), default=True, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    recorded = models.PositiveSmallIntegerField(default=0, editable=False)
    deals = models.PositiveSmallIntegerField(default=0, editable=False)
    complete = models.BooleanField(default=False, editable=False)

    objects: ClassVar = TableQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        verbose_name = _("table")
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once_a_round"),
            models.CheckConstraint(condition=Q(size__gte=2), name="table_of_two_at_least"),
            models.CheckConstraint(condition=Q(one_rests=False) | Q(size__gte=4), name="table_rests_from_four"),
        ]
        indexes = [models.Index(fields=["round"], condition=Q(complete=False), name="table_incomplete")]

    def __str__(self) -> str:
        return _("Table %(number)s") % {"number": self.number}

    def get_absolute_url(self) -> str:
        return reverse("league:table", args=[self.pk])

    @property
    def read_only_reason(self) -> str:
        """Why the points of the table can't be changed, as a sentence; "" if they can. Fetch its club."""
        evening = self.round.evening
        if evening.state not in (EveningState.OPEN, EveningState.CLOSED):
            return evening.season.read_only_reason or gettext("The evening is not open.")
        return evening.season.read_only_reason

    @property
    def is_editable(self) -> bool:
        """Whether the points of the table can be changed. It reads the table's evening, season and club."""
        return not self.read_only_reason

    @property
    def requires_reason(self) -> bool:
        """Whether a change of the points needs a reason: after the evening is closed."""
        return self.round.evening.state == EveningState.CLOSED

    @property
    def players_of_deal(self) -> int:
        """The number of players in a deal: `size`, or one less if one player sits out each deal."""
        return self.size - 1 if self.one_rests else self.size


class SeatQuerySet(models.QuerySet["Seat"]):
    def counted(self) -> Self:
        """Return the seats that standings and ratings use: seats at complete tables of closed evenings.

        The query excludes the few incomplete tables, because joining every seat to its table is slow.
        """
        incomplete = Table.objects.incomplete().filter(pk=OuterRef("table"))
        return self.filter(~Exists(incomplete), round__evening__state=EveningState.CLOSED)


@track_history("SeatEvent", fields=["id", "table", "round", "number", "player", "written", "written_deals", "paper"])
class Seat(models.Model):
    """A position at a table, numbered from 0, and the player there.

    `written` is the total on the score sheet of a table without recorded deals; it counts as points. `paper` is the
    total on the score sheet of a table with recorded deals; it never counts as points. `points` and `deals` are
    computed. `round` repeats the table's round, for the constraint that a player has one seat in a round.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"))
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="seats")
    written = models.IntegerField(_("written total"), null=True, blank=True)
    written_deals = models.PositiveSmallIntegerField(_("written deals"), null=True, blank=True)
    paper = models.IntegerField(_("total on the paper"), null=True, blank=True)
    points = models.IntegerField(default=0, editable=False)
    deals = models.PositiveSmallIntegerField(default=0, editable=False)

    objects: ClassVar = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        verbose_name = _("seat")
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number_once_a_table"),
            # Checked at the end of a statement, not row by row: two players may swap seats in one statement.
            models.UniqueConstraint(
                fields=["round", "player"], name="seat_once_a_round", deferrable=models.Deferrable.IMMEDIATE
            ),
            models.CheckConstraint(
                condition=Q(written=None, written_deals=None) | Q(written__isnull=False, written_deals__isnull=False),
                name="seat_written_with_its_deals",
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)

    @property
    def sheet_total(self) -> int | None:
        """The total on the score sheet, of a table with or without recorded deals; None if it was not entered."""
        return self.written if self.paper is None else self.paper

    @property
    def differs_from_sheet(self) -> bool:
        """Whether the total on the score sheet differs from the points of the recorded deals."""
        differs = self.sheet_total is not None and self.sheet_total != self.points
        return differs and not (self.paper is None and not self.table.recorded)
