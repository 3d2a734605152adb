"""Who did what in a club, when, from where and why, as one list of the database; and what each line is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Club
from league.models.rights import Role
from league.operations.views import audit_kinds as kinds
from league.operations.views.audit_sources import Asked, sources
from league.sheets.queries.deal_places import deal_place
from players.dates import date_format
from players.models import Player


class AuditRow(NamedTuple):
    """One line; `page` names what the id `of` is of: a deal, a table, a round, an evening, a season, or nothing.

    Where it tells of `many`, these and what follows are of one of them, `whole` is what that belongs to, and `on` and
    `last` are the first and last date. `author` is the player who acted where his login is not known here: in a club
    that was taken in from its file; `elsewhere` says that not even he is known. `phone` says that a phone at the table
    wrote it, for which nobody signs in.
    """

    at: datetime
    many: int
    kind: str
    user: int | None
    author: int | None
    phone: bool
    elsewhere: bool
    address: str
    reason: str
    about: str
    page: str
    of: int | None
    whole: int | None
    player: int | None
    on: date | None
    last: date | None
    round: int | None
    table: int | None
    deal: int | None

    @property
    def person(self) -> int | None:
        """The player of whom it is, if it tells of one."""
        return self.player if self.many == 1 else None


def audit_rows(club: Club | None, asked: Asked) -> QuerySet[Any, Any]:
    """Return the rows, the newest first, as tuples of COLUMNS; all clubs' where there is no club."""
    first, *others = sources(club, asked)
    found: QuerySet[Any, Any] = first.union(*others, all=True) if others else first
    return found.order_by("-a_at", "-a_kind", "-a_of")


def as_rows(found: Iterable[tuple[Any, ...]]) -> Iterator[AuditRow]:
    """Yield what the database answered, named."""
    return (AuditRow(*row) for row in found)


def people_of(rows: Iterable[AuditRow]) -> dict[str, dict[int, Player]]:
    """Return whom the rows name: by `user`, who acted; by `player`, of whom it is or who acted. One query."""
    rows = list(rows)
    users = {row.user for row in rows if row.user}
    players = {pk for row in rows for pk in (row.person, row.author) if pk}
    found = Player.objects.filter(Q(user__in=users) | Q(pk__in=players)).select_related("user")
    return {
        "user": {player.user_id: player for player in found if player.user_id},
        "player": {player.pk: player for player in found},
    }


def place(row: AuditRow) -> tuple[str, int] | None:
    """Return the name of the page that shows what the line is about, and its id."""
    page, of = row.page, row.of
    if page == "round" or (row.many > 1 and row.whole):
        page, of = ("season" if page == "evening" and not row.player else "evening"), row.whole
        if row.on != row.last and page == "evening":
            return None
    return (page, of) if page and of else None


def about(row: AuditRow) -> str:
    """Return in words what the line is about: a role's name, a season's, an evening, or what the act says."""
    if row.kind in (kinds.ADDED, kinds.ROLE, kinds.LEFT):
        said = str(Role(row.about).label)
    elif row.on:
        said = _played(row, date_format(row.on, "DATE_FORMAT"))
    else:
        words = {
            "own data": _("All that is stored about oneself"),
            "club": _("The club as a file"),
            "members": _("The list of members"),
        }
        said = words.get(row.about, row.about)
    return said if row.many == 1 else ", ".join(filter(None, [_number(row), said]))


def _number(row: AuditRow) -> str:
    many = {"count": row.many}
    if row.player:
        return ngettext("%(count)s person", "%(count)s people", row.many) % many
    if row.page == "deal":
        return ngettext("%(count)s deal", "%(count)s deals", row.many) % many
    if row.page == "table":
        return ngettext("%(count)s table", "%(count)s tables", row.many) % many
    if row.page == "round":
        return ngettext("%(count)s round", "%(count)s rounds", row.many) % many
    return ngettext("%(count)s evening", "%(count)s evenings", row.many) % many


def _played(row: AuditRow, day: str) -> str:
    if row.last and row.last != row.on:
        return f"{day} – {date_format(row.last, 'DATE_FORMAT')}"
    if row.many > 1 or row.round is None:
        return day
    if row.table is None:
        return _("Round %(round)s, %(day)s") % {"round": row.round, "day": day}
    if row.page == "deal":
        return deal_place(row.deal, row.table, row.round, day)
    return _("Table %(table)s, round %(round)s, %(day)s") % {"table": row.table, "round": row.round, "day": day}


def reason(row: AuditRow) -> str:
    """Return why, as it was written, or in words where nobody wrote it."""
    return str(kinds.REASONS.get(row.reason, row.reason))
