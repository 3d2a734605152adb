"""Tables and their seats: who sat where, and what each seat's sheet says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from django.db import connection, models, transaction
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.messages import evening_changed
from league.models.club import Club
from league.models.due import Due
from league.models.evening import Evening, EveningState, WrongState
from league.models.history import because, tracked
from league.models.round import Round, RoundState
from league.models.season import SeasonState
from league.results.table_sums import Sums, derived_sums, derived_table
from players.models.person import Reader

HOLD_CALENDAR = """
    SELECT 1 FROM league_evening JOIN league_season ON league_season.id = league_evening.season_id
    JOIN league_round ON league_round.evening_id = league_evening.id
    JOIN league_table ON league_table.round_id = league_round.id
    WHERE league_table.id = %s FOR SHARE OF league_evening, league_season
"""


class StaleVersion(Exception):
    """It was changed meanwhile; read it again to see what stands now."""


class TableQuerySet(models.QuerySet["Table"]):
    """Tables by who may see them."""

    def visible_to(self, user: Reader) -> Self:
        """Tables of clubs that the user may see, and those at which the user sat.

        Those of rounds that are only planned are for who records: they may never be played.
        """
        allowed = Q(round__evening__season__club__in=Club.objects.visible_to(user))
        if user.is_authenticated:
            allowed |= Q(pk__in=Seat.objects.filter(player__user=user).values("table_id"))
        recorded = Q(round__evening__season__club__in=Club.objects.recordable_by(user))
        return self.filter(allowed, Q(round__state=RoundState.ACCEPTED) | recorded)

    def recordable_by(self, user: Reader) -> Self:
        """Tables whose results the user may enter."""
        return self.filter(round__evening__season__club__in=Club.objects.recordable_by(user))

    def with_club(self) -> Self:
        """Fetch round, evening, season and club as well."""
        return self.select_related("round__evening__season__club")

    def of_evenings(self, evenings: Iterable[Evening]) -> Self:
        """The evenings' tables of accepted rounds in the order in which they were played, with round and evening."""
        tables = self.filter(round__evening__in=evenings, round__state=RoundState.ACCEPTED).select_related(
            "round__evening__season"
        )
        return tables.order_by("round__evening", "round__number", "number")

    def incomplete(self) -> Self:
        """Those of which something is still expected."""
        return self.filter(complete=False)

    def with_seats(self) -> Self:
        """Fetch the seats with their players, in order."""
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.select_related("player")))


class TableManager(models.Manager["Table"]):
    """The second of the two doors that write points, and a table's end by hand."""

    def locked_for_entry(self, table_id: int, *, reason: str) -> Table:
        """The table, locked, if its points may be written now. Call it in a transaction.

        While the evening is open anyone who may record does; a closed evening wants a reason. Evening and season are
        held shared, before they are read: writes to other tables go on, and closing or a change of the rules waits
        for this one, or this one for it, so that what is counted is whole and scored by the rules that stand.
        """
        with connection.cursor() as cursor:
            cursor.execute(HOLD_CALENDAR, [table_id])
        table = self.select_for_update(of=("self",)).select_related("round__evening__season__club").get(pk=table_id)
        evening = table.round.evening
        if evening.season.state == SeasonState.CLOSED:
            raise WrongState(_("The season is closed. Open it first."))
        if evening.state not in (EveningState.OPEN, EveningState.CLOSED):
            raise WrongState(_("The evening is not open."))
        if table.wants_reason and not reason.strip():
            raise WrongState(_("The evening is closed: a change needs a reason."))
        if table.round.state == RoundState.PLANNED:
            raise WrongState(_("This round is only planned. Accept its draw first."))
        return table

    @transaction.atomic
    def record_totals(
        self,
        table_id: int,
        written: Mapping[int, Sums],
        *,
        client_key: UUID,
        seen_version: int,
        now: datetime,
        reason: str = "",
    ) -> Table:
        """Record what the sheet says in total, by seat number: the facts of a sheet without its deals.

        `seen_version` is the version of the totals that the writer saw; the same ones sent twice by one key are
        recorded once. Raises StaleVersion, WrongState, or ValueError when the seats are not the table's.
        """
        with because(reason):
            table = self.locked_for_entry(table_id, reason=reason)
            seats = list(table.seats.all())
            same = all((seat.written, seat.written_deals) == written.get(seat.number) for seat in seats)
            if table.totals_key == client_key and same:
                return table
            if table.version != seen_version:
                raise StaleVersion
            if {seat.number for seat in seats} != set(written):
                raise ValueError("every seat of the table has its total, and no other")
            for seat in seats:
                seat.written, seat.written_deals = written[seat.number]
            Seat.objects.bulk_update(seats, ["written", "written_deals"])
            table.totals_key = client_key
            table.version += 1
            table.save(update_fields=["totals_key", "version"])
            self.settle(table, seats, None if table.recorded else {}, table.recorded)
            Due.objects.mark_corrected(table.round.evening, now=now, why="totals")
            return table

    @transaction.atomic
    def finish(self, table_id: int, *, finished: bool, now: datetime, reason: str = "") -> Table:
        """The secretary says that the table is complete, or that it goes on. Raises WrongState."""
        with because(reason):
            table = self.locked_for_entry(table_id, reason=reason)
            if finished and not table.deals:
                raise WrongState(_("Nothing is recorded at this table yet: it can't be complete."))
            table.finished = finished
            table.save(update_fields=["finished"])
            self.settle(table, list(table.seats.all()), None, table.recorded)
            Due.objects.mark_corrected(table.round.evening, now=now, why="finished")
            return table

    def settle(self, table: Table, seats: Sequence[Seat], scored: Mapping[int, Sums] | None, recorded: int) -> None:
        """Store what follows from the facts: each seat's points and deals, the table's, whether it is complete.

        `recorded` is the number of deals that stand, `scored` the sums of their scores by seat id;
        None leaves the seats' points as they are. Without a deal the points are those written.
        """
        if scored is not None:
            for seat in seats:
                seat.points, seat.deals = derived_sums(seat, scored, recorded)
            _store_sums(seats)
        table.recorded, table.deals, table.complete = derived_table(table, seats, recorded)
        table.save(update_fields=["recorded", "deals", "complete"])
        if table.round.evening.state == EveningState.OPEN:
            evening_changed(table.round.evening_id)


def _store_sums(seats: Sequence[Seat]) -> None:
    """Write the seats' points and deals in one plain statement: bulk_update is a third of a deal's whole cost."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE league_seat SET points = new.points, deals = new.deals
            FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS new (id, points, deals)
            WHERE league_seat.id = new.id
            """,
            [[seat.pk for seat in seats], [seat.points for seat in seats], [seat.deals for seat in seats]],
        )


@tracked("TableEvent", fields=["id", "round", "number", "size", "one_rests", "finished"])
class Table(models.Model):
    """Players who share one score sheet for one round.

    `recorded`, `deals` and `complete` are derived, with the seats' points: `settle` writes them, `verify` checks them.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    size = models.PositiveSmallIntegerField(_("size"))
    one_rests = models.BooleanField(_("one rests"), default=False)
    finished = models.BooleanField(_("complete by hand"), default=False)
    totals_key = models.UUIDField(null=True, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    recorded = models.PositiveSmallIntegerField(default=0, editable=False)
    deals = models.PositiveSmallIntegerField(default=0, editable=False)
    complete = models.BooleanField(default=False, editable=False)

    objects: ClassVar = TableManager.from_queryset(TableQuerySet)()

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
    def may_be_written(self) -> bool:
        """Whether its points may change at all, by its evening's and season's state; fetched with its club."""
        evening = self.round.evening
        return evening.season.state != SeasonState.CLOSED and evening.state in (EveningState.OPEN, EveningState.CLOSED)

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
        """Those at complete tables of closed evenings: what standings and ratings are made of.

        Asked by what is incomplete, which is little: else the database would look at each seat's table.
        """
        incomplete = Table.objects.incomplete().filter(pk=OuterRef("table"))
        return self.filter(~Exists(incomplete), round__evening__state=EveningState.CLOSED)


@tracked("SeatEvent", fields=["id", "table", "round", "number", "player", "written", "written_deals"])
class Seat(models.Model):
    """A place at a table, from 0, and the player's row on its sheet.

    `written` is a fact (a total on the paper); `points` and `deals` are derived.
    The round stands here too, so that the database can hold everyone to one seat a round.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"))
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="seats")
    written = models.IntegerField(_("written total"), null=True, blank=True)
    written_deals = models.PositiveSmallIntegerField(_("written deals"), null=True, blank=True)
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
    def differs(self) -> bool:
        """Whether the paper says another total than the deals."""
        return self.written is not None and self.written != self.points
