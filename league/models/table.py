"""Tables and their seats: who sat where, and what each seat's sheet says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, visible_to, withheld_from
from league.models.evening import Evening, EveningState
from league.models.history import tracked
from league.models.round import Round, RoundState
from players.models.person import Reader


class TableQuerySet(models.QuerySet["Table"]):
    """Tables by who may see them."""

    def visible_to(self, user: Reader) -> Self:
        """Return tables of clubs that the user may see, and those at which the user sat.

        Those of rounds that are only planned are for who records: they may never be played.
        """
        allowed = visible_to(user, "round__evening__season__club")
        if user.is_authenticated and not user.is_superuser:  # an empty condition must not get an "or"
            own = Seat.objects.filter(player__user=user)
            own = own.exclude(round__evening__season__club__in=withheld_from(user))
            allowed |= Q(pk__in=own.values("table_id"))
        recorded = Q(round__evening__season__club__in=Club.objects.recordable_by(user))
        return self.filter(allowed, Q(round__state=RoundState.ACCEPTED) | recorded)

    def recordable_by(self, user: Reader) -> Self:
        """Return tables whose results the user may enter."""
        return self.filter(round__evening__season__club__in=Club.objects.recordable_by(user))

    def with_club(self) -> Self:
        """Fetch round, evening, season and club as well."""
        return self.select_related("round__evening__season__club")

    def of_evenings(self, evenings: Iterable[Evening]) -> Self:
        """Return the evenings' tables of accepted rounds in the order of play, with round and evening."""
        tables = self.filter(round__evening__in=evenings, round__state=RoundState.ACCEPTED).select_related(
            "round__evening__season"
        )
        return tables.order_by("round__evening", "round__number", "number")

    def incomplete(self) -> Self:
        """Return those of which something is still expected."""
        return self.filter(complete=False)

    def with_seats(self) -> Self:
        """Fetch the seats with their players, in order."""
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.select_related("player")))


@tracked("TableEvent", fields=["id", "round", "number", "size", "one_rests", "finished", "paper_accepted"])
class Table(models.Model):
    """Players who share one score sheet for one round.

    `update_totals` writes `recorded`, `deals`, `complete` and the seats' points; `verify` checks them.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    size = models.PositiveSmallIntegerField(_("size"))
    one_rests = models.BooleanField(_("one rests"), default=False)
    finished = models.BooleanField(_("complete by hand"), default=False)
    paper_accepted = models.CharField(_("why the paper may differ"), max_length=200, blank=True, default="")
    totals_key = models.UUIDField(null=True, editable=False)
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
    def why_not_written(self) -> str:
        """Why its points can't change at all, by its season's and evening's state; empty if they can.

        It was fetched with its club.
        """
        evening = self.round.evening
        if evening.state not in (EveningState.OPEN, EveningState.CLOSED):
            return evening.season.why_not_written or gettext("The evening is not open.")
        return evening.season.why_not_written

    @property
    def may_be_written(self) -> bool:
        """Whether its points may change at all; fetched with its club."""
        return not self.why_not_written

    @property
    def wants_reason(self) -> bool:
        """Whether a change of its points has to say why: its results are public."""
        return self.round.evening.state == EveningState.CLOSED

    @property
    def playing(self) -> int:
        """How many seats play each deal."""
        return self.size - 1 if self.one_rests else self.size


class SeatQuerySet(models.QuerySet["Seat"]):
    """Seats by whether they count."""

    def counted(self) -> Self:
        """Return those at complete tables of closed evenings: what standings and ratings are made of.

        Asked by what is incomplete, which is little: else the database would look at each seat's table.
        """
        incomplete = Table.objects.incomplete().filter(pk=OuterRef("table"))
        return self.filter(~Exists(incomplete), round__evening__state=EveningState.CLOSED)


@tracked("SeatEvent", fields=["id", "table", "round", "number", "player", "written", "written_deals", "paper"])
class Seat(models.Model):
    """A place at a table, from 0, and the player's row on its sheet.

    `written` is a fact (a total handed in: the points of a table without deals), and so is `paper` (the total on the
    sheet beside its deals: never points). `points` and `deals` are derived.
    The round stands here too, so that the database can hold everyone to one seat a round.
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
            # Checked at the end of a statement, not row by row: two may change places in one.
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
    def on_paper(self) -> int | None:
        """The total that stands on the sheet, as far as it is known."""
        return self.written if self.paper is None else self.paper

    @property
    def differs(self) -> bool:
        """Whether the paper says another total than the deals."""
        return self.on_paper is not None and self.on_paper != self.points
