"""The first of the two doors that write points: a deal with its scores, and its seats' totals with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.due import Due
from league.models.evening import WrongState
from league.models.history import because, tracked
from league.models.score import Score, sums
from league.models.season import Season, SeasonState
from league.models.sent import SentBefore, any_says
from league.models.source import Source, check_source
from league.models.table import Seat, StaleVersion, Table
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.score import Score as EngineScore

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from players.models.person import Reader


class DealQuerySet(models.QuerySet["Deal"]):
    """Deals by who may see them."""

    def visible_to(self, user: Reader) -> Self:
        """Deals of tables that the user may see."""
        return self.filter(table__in=Table.objects.visible_to(user))

    def recordable_by(self, user: Reader) -> Self:
        """Deals that the user may revise or void."""
        return self.filter(table__in=Table.objects.recordable_by(user))

    def contestable_by(self, user: Reader) -> Self:
        """Deals of clubs of which the user is a member; whether there is still time, their evenings say."""
        return self.filter(table__round__evening__season__club__in=Club.objects.read_by(user))

    def standing(self) -> Self:
        """Those that count: not voided."""
        return self.filter(voided_at=None)

    def is_recorded(self, table: Table, key: UUID, facts: Mapping[str, Any], rests: Sequence[int] | None) -> bool:
        """Whether this was recorded at the table before, by the same client key: it is sent again."""
        recorded = self.filter(table=table, client_key=key).first()
        return recorded is not None and any_says(recorded.events.all(), facts, rests)

    def with_table(self) -> Self:
        """Fetch table, round, evening, season and club as well."""
        return self.select_related("table__round__evening__season__club")


class DealManager(models.Manager["Deal"]):
    """Record, revise, void, check off. Each is one transaction that holds the table's row: two at once take turns."""

    @transaction.atomic
    def record(
        self,
        table_id: int,
        facts: Mapping[str, Any],
        *,
        client_key: UUID,
        now: datetime,
        rests: Sequence[int] | None = None,
        number: int | None = None,
        reason: str = "",
        source: Source = Source.DESK,
    ) -> Deal:
        """Write a deal down, as the table's last or as `number`, with those from there on moved up by one.

        `rests` sit it out (by default the dealer's turn). The same deal sent twice by one key is recorded once, another
        is SentBefore. A phone's is not checked. Raises IllegalDeal on the engine's field, or WrongState.
        """
        with because(reason):
            table = Table.objects.locked_for_entry(table_id, reason=reason)
            check_source(source, table)
            recorded = self.filter(table=table, client_key=client_key).first()
            if recorded is not None:
                if any_says(recorded.events.all(), facts, rests):
                    return recorded
                raise SentBefore(recorded)
            last = table.recorded
            place = last + 1 if number is None else min(max(number, 1), last + 1)
            if place <= last:
                self.filter(table=table, number__gte=place).update(number=F("number") + 1)
            deal = Deal(table=table, number=place, facts=facts, client_key=client_key, source=source)
            deal.checked = source == Source.DESK
            deal.rests = table_rests(table, place) if rests is None else sorted(rests)
            self._write(deal, created=True)
            Due.objects.mark_corrected(table.round.evening, now=now, why="recorded")
            return deal

    @transaction.atomic
    def revise(
        self,
        deal_id: int,
        facts: Mapping[str, Any],
        *,
        client_key: UUID,
        seen_version: int,
        now: datetime,
        rests: Sequence[int] | None = None,
        reason: str = "",
        source: Source = Source.DESK,
    ) -> Deal:
        """Correct a deal whose version is still the one that was seen; the same correction sent twice is one.

        Corrected at the desk it is checked. Raises StaleVersion, IllegalDeal, or WrongState; a voided deal is stale.
        """
        with because(reason):
            deal = self._locked(deal_id, reason=reason)
            if deal.change_key == client_key and any_says(self.filter(pk=deal.pk), facts, rests):
                return deal
            if deal.version != seen_version or deal.voided_at is not None:
                raise StaleVersion
            check_source(source, deal.table, deal)
            deal.facts, deal.checked = dict(facts), source == Source.DESK
            if rests is not None:
                deal.rests = sorted(rests)
            deal.version += 1
            deal.change_key = client_key
            self._write(deal, created=False)
            Due.objects.mark_corrected(deal.table.round.evening, now=now, why="revised")
            return deal

    @transaction.atomic
    def void(self, deal_id: int, *, client_key: UUID, seen_version: int, now: datetime, reason: str = "") -> Deal:
        """Cancel a deal: it loses its number and its scores, and keeps its facts and history."""
        with because(reason):
            deal = self._locked(deal_id, reason=reason)
            if deal.change_key == client_key:
                return deal
            if deal.version != seen_version or deal.voided_at is not None:
                raise StaleVersion
            place = deal.number
            deal.number, deal.voided_at, deal.change_key = None, now, client_key
            deal.version += 1
            deal.save(update_fields=["number", "voided_at", "change_key", "version"])
            deal.scores.all().delete()
            self.filter(table=deal.table, number__gt=place).update(number=F("number") - 1)
            settle(deal.table, list(deal.table.seats.all()))
            Due.objects.mark_corrected(deal.table.round.evening, now=now, why="voided")
            return deal

    @transaction.atomic
    def check_off(self, table_id: int, seen: Mapping[int, int]) -> int:
        """Deals entered at the table are as on its sheet: `seen` has their versions by id; answers how many these are.

        One that was changed since it was seen stays unchecked. Raises WrongState.
        """
        table = Table.objects.select_for_update(of=("self",)).with_club().get(pk=table_id)
        if table.round.evening.season.state == SeasonState.CLOSED:
            raise WrongState(_("The season is closed. Open it first."))
        waiting = self.filter(table=table, pk__in=seen, checked=False, voided_at=None)
        as_seen = [deal.pk for deal in waiting if deal.version == seen[deal.pk]]
        return self.filter(pk__in=as_seen).update(checked=True)

    @transaction.atomic
    def rescore(self, season: Season, *, now: datetime) -> int:
        """Score every deal of a season again after its rules were changed; answers how many tables there are.

        Raises IllegalDeal if a deal can't be read under the new rules: then nothing is changed.
        """
        season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        tables = Table.objects.select_for_update(of=("self",)).filter(round__evening__season=season).order_by("pk")
        count = 0
        for table in tables.with_club():
            table.round.evening.season = season
            seats = list(table.seats.all())
            for deal in self.filter(table=table, voided_at=None):
                deal.table = table
                self._score(deal, seats, fresh=False)
            settle(table, seats)
            count += 1
        Due.objects.mark_whole(season, not_before=now, why="rules changed")
        return count

    def _locked(self, deal_id: int, *, reason: str) -> Deal:
        """The deal with its table locked; the deal is read after the lock, so that it is what stands now."""
        table_id = self.values_list("table_id", flat=True).get(pk=deal_id)
        table = Table.objects.locked_for_entry(table_id, reason=reason)
        deal = self.get(pk=deal_id)
        deal.table = table
        return deal

    def _write(self, deal: Deal, *, created: bool) -> None:
        seats = list(deal.table.seats.all())
        check_rests(deal)
        if created:
            read_and_score(deal)  # refuse before anything is written
            deal.save(force_insert=True)
        else:
            deal.save(update_fields=["facts", "rests", "checked", "version", "change_key"])
        self._score(deal, seats, fresh=created)
        settle(deal.table, seats)

    def _score(self, deal: Deal, seats: Sequence[Seat], *, fresh: bool) -> None:
        scores = expected_scores(deal, seats)
        if not fresh:
            deal.scores.all().delete()
        Score.objects.bulk_create(scores)


def table_rests(table: Table, number: int) -> list[int]:
    """Who sits the table's deal of that number out by default: the dealer, seat after seat."""
    return [(number - 1) % table.size] if table.one_rests else []


def check_rests(deal: Deal) -> None:
    """Refuse rests that aren't seats of the table, or not as many as the table rests."""
    table = deal.table
    resting = table.size - table.playing
    if len(set(deal.rests)) != resting or any(not 0 <= seat < table.size for seat in deal.rests):
        raise IllegalDeal("rests", "wrong_rests", {"allowed": resting})


def read_and_score(deal: Deal) -> tuple[EngineScore, tuple[str, ...]]:
    """Score and roles of a deal under its season's house rules, or IllegalDeal."""
    season = deal.table.round.evening.season
    rules = registry.rules(season.game)
    read = rules.read(deal.table.playing, deal.facts)
    return rules.score(read, rules.read_options(season.house_rules)), rules.roles(read)


def expected_scores(deal: Deal, seats: Sequence[Seat]) -> list[Score]:
    """The rows, unsaved, that follow from a deal's facts; none when it is voided."""
    if deal.voided_at is not None:
        return []
    score, roles = read_and_score(deal)
    playing = [seat for seat in seats if seat.number not in deal.rests]
    return [
        Score(deal=deal, seat=seat, role=role, points=points)
        for seat, role, points in zip(playing, roles, score.points, strict=True)
    ]


def settle(table: Table, seats: Sequence[Seat]) -> None:
    """Bring the table and its seats' totals in line with the scores that stand."""
    table_sums, recorded = sums(table)
    Table.objects.settle(table, seats, table_sums, recorded)


@tracked("DealEvent", fields=["id", "table", "facts", "rests", "version", "voided_at", "source", "checked"])
class Deal(models.Model):
    """One hand dealt and played. Its facts are what was seen; a voided deal has no number and no scores."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="dealt")
    number = models.PositiveSmallIntegerField(_("number"), null=True)
    facts = models.JSONField(_("facts"))
    rests = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("sitting out"), default=list, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)
    source = models.CharField(_("entered"), max_length=5, choices=Source, default=Source.DESK, editable=False)
    checked = models.BooleanField(_("checked"), default=True, editable=False)
    client_key = models.UUIDField(editable=False)
    change_key = models.UUIDField(null=True, editable=False)
    recorded_at = models.DateTimeField(auto_now_add=True)
    voided_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = DealManager.from_queryset(DealQuerySet)()
    if TYPE_CHECKING:
        events: RelatedManager[Any]  # its history, made by `tracked`

    class Meta:
        ordering = ["number", "pk"]
        verbose_name = _("deal")
        constraints = [
            # Deferred: inserting a forgotten deal moves the later ones up in one statement.
            models.UniqueConstraint(
                fields=["table", "number"], name="deal_number_once_a_table", deferrable=models.Deferrable.DEFERRED
            ),
            models.UniqueConstraint(fields=["table", "client_key"], name="deal_key_once_a_table"),
            models.CheckConstraint(
                # The database takes a check of NULL as passed, so that "not null" has to be said.
                condition=Q(voided_at=None, number__isnull=False, number__gte=1)
                | Q(voided_at__isnull=False, number=None),
                name="deal_voided_has_no_number",
            ),
            models.CheckConstraint(condition=Q(source__in=Source.values), name="deal_source_is_known"),
            models.CheckConstraint(condition=Q(source=Source.TABLE) | Q(checked=True), name="deal_of_desk_is_checked"),
        ]

    def __str__(self) -> str:
        return _("Deal %(number)s") % {"number": self.number or "–"}

    def get_absolute_url(self) -> str:
        return reverse("league:deal", args=[self.pk])
