"""Where an audit's lines come from: acts, contests and the history of facts, each as one query of the same columns.

What one page or list writes of many rows is one line that counts them, and so are an evening's check-ins and fees by
one person. Who asks for one kind gets a line for each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.apps import apps
from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    DateField,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Greatest, JSONObject

from league.imports.queries.club_file.export import BY, ELSEWHERE
from league.models import Act, Club, Contest
from league.models.act import ActKind
from league.models.evening import EveningState
from league.models.rights import Right, Role, roles_with
from league.models.round import RoundState
from league.models.season import SeasonState
from league.operations.views import audit_kinds as kinds
from players.models import Player

STAFF: Final = [role for role in Role if role in roles_with(Right.COLLECT)]
TOLD_OF_EVENING: Final = ("date", "name", "weight", "season_final", "begins_at", "place")

SHARED: Final = ("kind", "user", "author", "phone", "elsewhere", "address", "reason", "about", "page")
COUNTED: Final = ("of", "whole", "player", "first", "last", "round", "table", "deal")
COLUMNS: Final = tuple(f"a_{name}" for name in ("at", "many", *SHARED, *COUNTED))


@dataclass(frozen=True)
class Asked:
    """What of it is asked for: from when until when, of one kind, by some people."""

    since: datetime
    until: datetime
    kind: str = ""
    by: QuerySet[Player, Player] | None = None


def sources(club: Club | None, asked: Asked) -> Iterator[QuerySet[Any, Any]]:
    """Yield a query of COLUMNS for each table of which a line may be asked for; of all clubs where there is none."""
    for source in (*_of_results(club), *_of_evenings(club), *_of_seasons(club), *_of_people(club), *_of_clubs(club)):
        if not asked.kind or asked.kind in source.kinds:
            yield source.lines(asked)


@dataclass(frozen=True)
class LineSource:
    """Rows of one table, and what a line says of them; `key` tells which rows are one line.

    `page` names what the id `of` is of, `whole` the id of what they all belong to. Columns that aren't named are empty.
    """

    rows: QuerySet[Any, Any]
    kind: Any
    kinds: Collection[str]
    columns: dict[str, Any]
    at: str = "pgh_created_at"
    context: str = "pgh_context"
    key: Any = None
    key_of_each: Any = None  # of a line where one kind is asked for

    def lines(self, asked: Asked) -> QuerySet[Any, Any]:
        """Return the lines, as tuples of COLUMNS."""
        columns = EMPTY | self._of_context() | self.columns
        columns["first"] = columns["last"] = columns["date"]
        rows = self.rows.filter(**{f"{self.at}__gte": asked.since, f"{self.at}__lt": asked.until})
        rows = rows.annotate(a_kind=self.kind, **{f"a_{name}": columns[name] for name in SHARED if name != "kind"})
        if asked.kind:
            rows = rows.filter(a_kind=asked.kind)
        if asked.by is not None:
            people = asked.by.order_by()
            signed_in = people.filter(user__isnull=False).values("user_id")
            rows = rows.filter(Q(a_user__in=signed_in) | Q(a_author__in=people.values("pk")))
        told = {f"a_{name}": columns[name] for name in COUNTED}
        key = self.key_of_each if asked.kind else self.key
        if key is None:
            alone: QuerySet[Any, Any] = rows.annotate(a_at=F(self.at), a_many=_ONE, **told)
            return alone.values_list(*COLUMNS)
        many = Count(columns["of" if columns["player"] is _NONE else "player"], distinct=True)
        told = {name: (Max if name == "a_last" else Min)(column) for name, column in told.items()}
        lines: QuerySet[Any, Any] = rows.annotate(a_key=key).values(*(f"a_{name}" for name in SHARED), "a_key")
        lines = lines.annotate(a_at=Max(self.at), a_many=Greatest(many, _ONE), **told)
        return lines.values_list(*COLUMNS)

    def _of_context(self) -> dict[str, Any]:
        if not self.context:
            return {}
        return {
            "user": Cast(_said(self.context, "user"), BigIntegerField()),
            "author": Cast(_said(self.context, BY), BigIntegerField()),
            "elsewhere": Case(When(**{f"{self.context}__metadata__has_key": ELSEWHERE}, then=True), default=False),
            "address": Coalesce(_said(self.context, "address"), _text("")),
            "reason": Coalesce(_said(self.context, "reason"), _text("")),
        }


def _text(value: str) -> Value:
    return Value(value, output_field=TextField())


_NONE: Final = Cast(Value(None), BigIntegerField())
_ONE: Final = Value(1, output_field=IntegerField())
EMPTY: Final[dict[str, Any]] = {
    **dict.fromkeys((*COUNTED, "user", "author"), _NONE),
    **dict.fromkeys(("address", "reason", "about", "page"), _text("")),
    **dict.fromkeys(("phone", "elsewhere"), Value(False)),
    "date": Cast(Value(None), DateField()),
}


def _said(context: str, key: str) -> KeyTextTransform:
    return KeyTextTransform(key, f"{context}__metadata")


def _as_text(name: str) -> Cast:
    return Cast(name, TextField())


# One request or list writes by one context; what the program writes without has a moment, that of its transaction.
_ONE_WRITE: Final = Coalesce(_as_text("pgh_context_id"), _as_text("pgh_created_at"))
_ONE_LIST: Final = Coalesce(_as_text("pgh_context_id"), _as_text("pgh_id"))


def _events(name: str, club: Club | None, path: str) -> QuerySet[Any, Any]:
    model: Any = apps.get_model("league", name)
    found: QuerySet[Any, Any] = model.objects.order_by()
    return found.filter(**{path: club}) if club else found


def _before(events: QuerySet[Any, Any], *names: str, **more: Any) -> QuerySet[Any, Any]:
    """Add to events what fields, `was_…`, were in the event before of the same row."""
    earlier = events.model.objects.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id"))
    latest = earlier.order_by("-pgh_id")
    was = {f"was_{name}": Subquery(latest.values(name)[:1]) for name in names}
    was |= {f"was_{name}": Subquery(latest.values(of=each)[:1]) for name, each in more.items()}
    found: QuerySet[Any, Any] = events.annotate(**was)
    return found


def _kind(*cases: When, default: str) -> Case:
    return Case(*cases, default=Value(default), output_field=TextField())


def _when(kind: str, *conditions: Q, **fields: Any) -> When:
    return When(Q(*conditions, **fields), then=Value(kind))


_INSERTED, _DELETED = Q(pgh_label="insert"), Q(pgh_label="delete")
_JOINED: Final = Exists(Act.objects.filter(context=OuterRef("pgh_context"), kind__in=(ActKind.MERGED, ActKind.PARTED)))


def _of_results(club: Club | None) -> Iterator[LineSource]:
    path = "table__round__evening__season__club"
    at_table = {
        "date": F("table__round__evening__date"),
        "round": F("table__round__number"),
        "table": F("table__number"),
        "whole": F("table__round__evening_id"),
    }
    deals = LineSource(
        _before(_events("DealEvent", club, path), "version"),
        _kind(
            _when(kinds.ENTERED, _INSERTED),
            _when(kinds.VOIDED, voided_at__isnull=False),
            _when(kinds.CHECKED, version=F("was_version"), checked=True),
            default=kinds.CORRECTED,
        ),
        (kinds.ENTERED, kinds.CHECKED, kinds.CORRECTED, kinds.VOIDED),
        {
            **at_table,
            "page": _text("deal"),
            "of": F("pgh_obj_id"),
            "deal": F("pgh_obj__number"),
            "phone": Case(When(checked=False, then=True), default=False),
        },
        key=_ONE_LIST,
    )
    yield deals
    totals = _before(_events("SeatEvent", club, path), "written").filter(written__isnull=False).exclude(_DELETED)
    yield LineSource(
        totals.filter(Q(was_written=None) | ~Q(was_written=F("written"))),
        _kind(_when(kinds.TOTALS, was_written=None), default=kinds.TOTALS_CORRECTED),
        (kinds.TOTALS, kinds.TOTALS_CORRECTED),
        {**at_table, "page": _text("table"), "of": F("table_id")},
        key=_ONE_WRITE,
        key_of_each=_as_text("table_id"),
    )
    seats = _before(_events("SeatEvent", club, path).filter(pgh_label="update"), "player")
    seats = seats.filter(table__round__state=RoundState.ACCEPTED).exclude(was_player=F("player_id"))
    yield LineSource(
        seats.exclude(_JOINED),
        _text(kinds.SEATS),
        (kinds.SEATS,),
        {
            "page": _text("round"),
            "of": F("round_id"),
            "whole": F("round__evening_id"),
            "date": F("round__evening__date"),
            "round": F("round__number"),
        },
        key=_ONE_WRITE,
        key_of_each=_ONE_WRITE,
    )
    yield from _of_contests(club)


def _of_contests(club: Club | None) -> Iterator[LineSource]:
    """Contests have no history: each row says when it was raised and answered, and by whom."""
    deal = "deal__table__round"
    contests = Contest.objects.order_by()
    raised = LineSource(
        contests.filter(**{f"{deal}__evening__season__club": club}) if club else contests,
        _text(kinds.CONTESTED),
        (kinds.CONTESTED,),
        {
            "author": F("player_id"),
            "reason": _as_text("reason"),
            "page": _text("deal"),
            "of": F("deal_id"),
            "whole": F(f"{deal}__evening_id"),
            "date": F(f"{deal}__evening__date"),
            "round": F(f"{deal}__number"),
            "table": F("deal__table__number"),
            "deal": F("deal__number"),
        },
        at="raised_at",
        context="",
    )
    yield raised
    yield replace(
        raised,
        kind=_text(kinds.ANSWERED),
        kinds=(kinds.ANSWERED,),
        at="answered_at",
        columns={
            **raised.columns,
            "author": _NONE,
            "user": F("answered_by_id"),
            "player": F("player_id"),
            "reason": _as_text("answer"),
        },
    )


def _of_evenings(club: Club | None) -> Iterator[LineSource]:
    told = JSONObject(**{name: name for name in TOLD_OF_EVENING})
    evenings = _before(_events("EveningEvent", club, "season__club"), "state", told=told)
    changed = ~Q(state=F("was_state"))
    yield LineSource(
        evenings.annotate(told=told).exclude(state=F("was_state"), told=F("was_told"), pgh_label="update"),
        _kind(
            _when(kinds.EVENING_DELETED, _DELETED),
            _when(kinds.PLANNED, _INSERTED, state=EveningState.PLANNED),
            _when(kinds.ADDED_EVENING, _INSERTED),
            _when(kinds.OPENED, state=EveningState.OPEN, was_state=EveningState.PLANNED),
            _when(kinds.REOPENED, changed, state=EveningState.OPEN),
            _when(kinds.CLOSED, changed, state=EveningState.CLOSED),
            _when(kinds.CANCELLED, changed, state=EveningState.CANCELLED),
            default=kinds.EVENING,
        ),
        (
            *(kinds.PLANNED, kinds.ADDED_EVENING, kinds.OPENED, kinds.CLOSED, kinds.REOPENED, kinds.CANCELLED),
            *(kinds.EVENING, kinds.EVENING_DELETED),
        ),
        {
            "page": Case(When(_DELETED, then=_text("")), default=_text("evening")),
            "of": F("pgh_obj_id"),
            "whole": F("season_id"),
            "date": F("date"),
        },
        key=_ONE_LIST,
    )
    there = _before(_events("AttendanceEvent", club, "evening__season__club"), "paid")
    yield LineSource(
        there.exclude(_JOINED),
        _kind(
            _when(kinds.CAME, _INSERTED),
            _when(kinds.CAME_NOT, _DELETED),
            _when(kinds.PAID, paid__gt=F("was_paid")),
            _when(kinds.PAID_BACK, paid__lt=F("was_paid")),
            default=kinds.CAME_CHANGED,
        ),
        (kinds.CAME, kinds.CAME_NOT, kinds.PAID, kinds.PAID_BACK, kinds.CAME_CHANGED),
        {
            "page": _text("evening"),
            "of": F("evening_id"),
            "whole": F("evening_id"),
            "player": F("player_id"),
            "date": F("evening__date"),
        },
        key=_as_text("evening_id"),
    )


def _of_seasons(club: Club | None) -> Iterator[LineSource]:
    seasons = _before(_events("SeasonEvent", club, "club"), "state", "house_rules", "standings_rules")
    opened, closed = Q(state=SeasonState.OPEN), Q(state=SeasonState.CLOSED)
    yield LineSource(
        seasons,
        _kind(
            _when(kinds.SEASON_DELETED, _DELETED),
            _when(kinds.SEASON_MADE, _INSERTED),
            _when(kinds.SEASON_OPENED, opened, was_state=SeasonState.DRAFT),
            _when(kinds.SEASON_REOPENED, opened, was_state=SeasonState.CLOSED),
            _when(kinds.SEASON_CLOSED, closed & ~Q(was_state=SeasonState.CLOSED)),
            _when(kinds.HOUSE_RULES, ~Q(house_rules=F("was_house_rules"))),
            _when(kinds.STANDINGS_RULES, ~Q(standings_rules=F("was_standings_rules"))),
            default=kinds.SEASON,
        ),
        (
            *(kinds.SEASON_MADE, kinds.SEASON_OPENED, kinds.SEASON_REOPENED, kinds.SEASON_CLOSED),
            *(kinds.HOUSE_RULES, kinds.STANDINGS_RULES, kinds.SEASON, kinds.SEASON_DELETED),
        ),
        {
            "page": Case(When(_DELETED, then=_text("")), default=_text("season")),
            "of": F("pgh_obj_id"),
            "about": _as_text("name"),
        },
    )
    yield LineSource(
        _events("AdjustmentEvent", club, "season__club").exclude(_JOINED),
        _text(kinds.ADJUSTED),
        (kinds.ADJUSTED,),
        {
            "page": _text("season"),
            "of": F("season_id"),
            "player": F("player_id"),
            "reason": Coalesce(_said("pgh_context", "reason"), _as_text("reason")),
        },
    )


def _of_people(club: Club | None) -> Iterator[LineSource]:
    roles = _before(_events("MembershipEvent", club, "club"), "role")
    yield LineSource(
        roles.exclude(pgh_label="update", was_role=F("role")),
        _kind(_when(kinds.ADDED, _INSERTED), _when(kinds.LEFT, _DELETED), default=kinds.ROLE),
        (kinds.ADDED, kinds.LEFT, kinds.ROLE),
        {"about": _as_text("role"), "player": F("player_id")},
        key=_ONE_LIST,
    )
    acts = Act.objects.order_by()
    of_act: dict[str, Any] = {
        "user": Coalesce("user_id", Cast(_said("context", "user"), BigIntegerField())),
        "about": _as_text("about"),
        "player": F("player_id"),
    }
    acted = LineSource(
        acts.filter(club=club) if club else acts.exclude(kind=ActKind.SIGNED_IN),
        _as_text("kind"),
        [kind.value for kind in ActKind if kind != ActKind.SIGNED_IN],
        {
            **of_act,
            "page": Case(When(round=None, then=_text("")), default=_text("evening")),
            "of": F("round__evening_id"),
            "date": F("round__evening__date"),
            "round": F("round__number"),
        },
        at="at",
        context="context",
        key=Case(When(kind=ActKind.DETAILS, then=_as_text("context_id")), default=_as_text("pk")),
    )
    yield acted
    signed_in = acts.filter(kind=ActKind.SIGNED_IN)
    yield LineSource(
        _of_staff(signed_in, club) if club else signed_in,
        _as_text("kind"),
        (ActKind.SIGNED_IN.value,),
        of_act,
        at="at",
        context="context",
    )


def _of_staff(acts: QuerySet[Act, Act], club: Club) -> QuerySet[Act, Act]:
    """Return acts of who took fees, recorded or managed in the club when he did them."""
    roles = _events("MembershipEvent", club, "club")
    then = roles.filter(player__user=OuterRef("user"), pgh_created_at__lte=OuterRef("at")).order_by("-pgh_id")
    role = Case(When(_DELETED, then=_text("")), default=_as_text("role"))
    staff = roles.filter(role__in=STAFF, player__user__isnull=False)
    found = acts.filter(user__in=staff.values("player__user"))
    return found.annotate(role_then=Subquery(then.values(of=role)[:1])).filter(role_then__in=STAFF)


def _of_clubs(club: Club | None) -> Iterator[LineSource]:
    clubs = _before(_events("ClubEvent", club, "pgh_obj"), "asks_second_factor", "delete_at").exclude(_DELETED)
    kept = Q(was_delete_at=None, delete_at=None) | Q(was_delete_at=F("delete_at"))
    yield LineSource(
        clubs.filter(_INSERTED | kept),  # that it is to be deleted, and is kept, acts tell
        _kind(
            _when(kinds.FOUNDED, _INSERTED),
            _when(kinds.SECOND_FACTOR, ~Q(asks_second_factor=F("was_asks_second_factor"))),
            default=kinds.SETTINGS,
        ),
        (kinds.FOUNDED, kinds.SECOND_FACTOR, kinds.SETTINGS),
        {"about": _as_text("name")},
    )
