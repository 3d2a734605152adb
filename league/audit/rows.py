"""Who did what in a club, when, from where and why: acts and the history of facts, as one list of the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import (
    BigIntegerField,
    Case,
    DateField,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.audit import kinds
from league.models import Act, Club, Membership
from league.models.evening import EveningState
from league.models.rights import Right, Role, roles_with
from league.results.club_file.export import BY
from league.web.deal_places import deal_place
from players.models import Player

COLUMNS = (
    *("a_at", "a_kind", "a_user", "a_author", "a_phone", "a_address", "a_reason", "a_about", "a_page", "a_id"),
    *("a_player", "a_date", "a_round", "a_table", "a_deal"),
)
STAFF = [role for role in Role if role in roles_with(Right.COLLECT)]


class AuditRow(NamedTuple):
    """One line; `page` names what the id `of` is of: a deal, a table, an evening, a season, or nothing.

    `author` is the player who acted where his login is not known here: in a club that was taken in from its file.
    `phone` says that a phone at the table wrote it, for which nobody signs in.
    """

    at: datetime
    kind: str
    user: int | None
    author: int | None
    phone: bool
    address: str
    reason: str
    about: str
    page: str
    of: int | None
    player: int | None
    on: date | None
    round: int | None
    table: int | None
    deal: int | None


@dataclass(frozen=True)
class Asked:
    """What of it is asked for: from when until when, of one kind, by some people."""

    since: datetime
    until: datetime
    kind: str = ""
    by: QuerySet[Player, Player] | None = None


def audit_rows(club: Club | None, asked: Asked) -> QuerySet[Any, Any]:
    """Return the rows, the newest first, as tuples of COLUMNS; all clubs' where there is no club."""
    arms = [_narrowed(arm, asked).values_list(*COLUMNS) for arm in _arms(club)]
    found: QuerySet[Any, Any] = arms[0].union(*arms[1:], all=True).order_by("-a_at", "-a_kind", "-a_id")
    return found


def as_rows(found: Iterable[tuple[Any, ...]]) -> Iterator[AuditRow]:
    """Yield what the database answered, named."""
    return (AuditRow(*row) for row in found)


def people_of(rows: Iterable[AuditRow]) -> dict[str, dict[int, Player]]:
    """Return whom the rows name: by `user`, who acted; by `player`, of whom it is or who acted. One query."""
    rows = list(rows)
    users = {row.user for row in rows if row.user}
    players = {pk for row in rows for pk in (row.player, row.author) if pk}
    found = Player.objects.filter(Q(user__in=users) | Q(pk__in=players)).select_related("user")
    return {
        "user": {player.user_id: player for player in found if player.user_id},
        "player": {player.pk: player for player in found},
    }


def _arms(club: Club | None) -> Iterator[QuerySet[Any, Any]]:
    def of(path: str) -> Q:
        return Q(**{path: club}) if club else Q()

    yield _acts(club)
    yield _told(
        _changed("DealEvent", before="version").filter(of("table__round__evening__season__club")),
        Case(
            When(pgh_label="insert", then=Value(kinds.ENTERED)),
            When(voided_at__isnull=False, then=Value(kinds.VOIDED)),
            When(version=F("before"), checked=True, then=Value(kinds.CHECKED)),
            default=Value(kinds.CORRECTED),
            output_field=TextField(),
        ),
        page="deal",
        of=F("pgh_obj_id"),
        deal=F("pgh_obj__number"),
        phone=Case(When(checked=False, then=True), default=False),
        **_AT_TABLE,
    )
    totals = _changed("SeatEvent", before="written").filter(
        of("table__round__evening__season__club"), number=0, written__isnull=False, pgh_label="update"
    )
    yield _told(
        totals.filter(Q(before=None) | ~Q(before=F("written"))),
        kinds.TOTALS,
        page="table",
        of=F("table_id"),
        **_AT_TABLE,
    )
    evenings = _changed("EveningEvent", before="state").filter(of("season__club"), pgh_label="update")
    for kind, now in ((kinds.CLOSED, Q(state=EveningState.CLOSED)), (kinds.REOPENED, _REOPENED)):
        changed = evenings.filter(now).exclude(before=F("state"))
        yield _told(changed, kind, page="evening", of=F("pgh_obj_id"), date=F("date"))
    roles = _changed("MembershipEvent", before="role").filter(of("club"))
    yield _told(
        roles.exclude(pgh_label="update", before=F("role")),
        Case(
            When(pgh_label="insert", then=Value(kinds.ADDED)),
            When(pgh_label="delete", then=Value(kinds.LEFT)),
            default=Value(kinds.ROLE),
            output_field=TextField(),
        ),
        about=F("role"),
        player=F("player_id"),
    )
    adjusted = _events("AdjustmentEvent").filter(of("season__club"))
    yield _told(adjusted, kinds.ADJUSTED, page="season", of=F("season_id"), player=F("player_id"), reason=F("reason"))
    yield _told(
        _events("SeasonEvent").filter(of("club")), kinds.SEASON, page="season", of=F("pgh_obj_id"), about=F("name")
    )
    yield _told(_events("ClubEvent").filter(of("pgh_obj"), pgh_label="update"), kinds.SETTINGS)


_AT_TABLE = {"date": F("table__round__evening__date"), "round": F("table__round__number"), "table": F("table__number")}
_REOPENED = Q(state=EveningState.OPEN, before=EveningState.CLOSED)


def _acts(club: Club | None) -> QuerySet[Any, Any]:
    """Acts for the club, and sign-ins of those who now take fees, record or manage there."""
    acts = Act.objects.all()
    if club:
        staff = Membership.objects.filter(club=club, role__in=STAFF, player__user__isnull=False)
        acts = acts.filter(Q(club=club) | Q(club=None, kind="signed in", user__in=staff.values("player__user")))
    told: QuerySet[Any, Any] = acts.order_by().annotate(
        a_at=F("at"),
        a_kind=Cast("kind", TextField()),
        a_user=F("user_id"),
        a_author=_NONE,
        a_phone=Value(False),
        a_address=_said("context", "address"),
        a_reason=_said("context", "reason"),
        a_about=Cast("about", TextField()),
        a_page=_text(""),
        a_id=_NONE,
        a_player=F("player_id"),
        a_date=_NEVER,
        a_round=_NONE,
        a_table=_NONE,
        a_deal=_NONE,
    )
    return told


def _events(name: str) -> QuerySet[Any, Any]:
    model: Any = apps.get_model("league", name)
    found: QuerySet[Any, Any] = model.objects.order_by()
    return found


def _changed(name: str, *, before: str) -> QuerySet[Any, Any]:
    """Events with what the field was in the one before of the same row."""
    earlier = _events(name).filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id")).order_by("-pgh_id")
    found: QuerySet[Any, Any] = _events(name).annotate(before=Subquery(earlier.values(before)[:1]))
    return found


def _text(value: str) -> Value:
    return Value(value, output_field=TextField())


_NONE = Value(None, output_field=BigIntegerField())
_NEVER = Value(None, output_field=DateField())


def _said(context: str, key: str) -> Coalesce:
    return Coalesce(KeyTextTransform(key, f"{context}__metadata"), _text(""))


def _told(events: QuerySet[Any, Any], kind: Any, *, page: str = "", **columns: Any) -> QuerySet[Any, Any]:
    told: QuerySet[Any, Any] = events.annotate(
        a_at=F("pgh_created_at"),
        a_kind=_text(kind) if isinstance(kind, str) else kind,
        a_user=Cast(KeyTextTransform("user", "pgh_context__metadata"), BigIntegerField()),
        a_author=Cast(KeyTextTransform(BY, "pgh_context__metadata"), BigIntegerField()),
        a_phone=columns.get("phone", Value(False)),
        a_address=_said("pgh_context", "address"),
        a_reason=Cast(columns["reason"], TextField()) if "reason" in columns else _said("pgh_context", "reason"),
        a_about=Cast(columns.get("about", _text("")), TextField()),
        a_page=_text(page),
        a_id=Cast(columns.get("of", _NONE), BigIntegerField()),
        a_player=Cast(columns.get("player", _NONE), BigIntegerField()),
        a_date=columns.get("date", _NEVER),
        **{f"a_{name}": Cast(columns.get(name, _NONE), BigIntegerField()) for name in ("round", "table", "deal")},
    )
    return told


def _narrowed(arm: QuerySet[Any, Any], asked: Asked) -> QuerySet[Any, Any]:
    found = arm.filter(a_at__gte=asked.since, a_at__lt=asked.until)
    if asked.kind:
        found = found.filter(a_kind=asked.kind)
    if asked.by is not None:
        people = asked.by.order_by()
        signed_in = people.filter(user__isnull=False).values("user_id")
        found = found.filter(Q(a_user__in=signed_in) | Q(a_author__in=people.values("pk")))
    return found


def about(row: AuditRow) -> str:
    """Return in words what the line is about: a role's name, a season's, an evening, or what the act says."""
    if row.kind in (kinds.ADDED, kinds.ROLE, kinds.LEFT):
        return str(Role(row.about).label)
    if row.on:
        return _played(row, date_format(row.on, "DATE_FORMAT"))
    words = {"own data": _("All that is stored about oneself"), "club": _("The club as a file")}
    return words.get(row.about, row.about)


def _played(row: AuditRow, day: str) -> str:
    if row.table is None or row.round is None:
        return day
    if row.page == "deal":
        return deal_place(row.deal, row.table, row.round, day)
    return _("Table %(table)s, round %(round)s, %(day)s") % {"table": row.table, "round": row.round, "day": day}


def reason(row: AuditRow) -> str:
    """Return why, as it was written, or in words where nobody wrote it."""
    return str(kinds.REASONS.get(row.reason, row.reason))
