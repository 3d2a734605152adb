"""Who did what: in a club, for its admins; in all of them, for the installation's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.imports.queries.spreadsheet_cells import Cell
from league.models import Club
from league.models.act import ActKind
from league.operations.forms.audit import AuditFilter
from league.operations.views.audit_kinds import KINDS
from league.operations.views.audit_rows import AuditRow, about, as_rows, audit_rows, people_of, place, reason
from league.web.exports import shown_files, spreadsheet
from league.web.finding import managed
from players.models import Player
from players.naming import Audience, show_names_to

PAGE = 50
MOST = 20_000  # rows of a file


@dataclass(frozen=True)
class AuditLine:
    """A row in words."""

    row: AuditRow
    kind: str
    who: str
    about: str
    link: str
    reason: str


@login_required
@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """What was done in a club."""
    found = managed(Club.objects, request.user, slug=slug)
    return _page(request, found)


@login_required
@require_safe
def club_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    """The same, for a spreadsheet."""
    return _file(request, managed(Club.objects, request.user, slug=slug), extension)


@login_required
@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """What was done in all clubs."""
    _check_superuser(request)
    return _page(request, None)


@login_required
@require_safe
def site_file(request: HttpRequest, extension: str) -> HttpResponse:
    """The same, for a spreadsheet."""
    _check_superuser(request)
    return _file(request, None, extension)


def _check_superuser(request: HttpRequest) -> None:
    if not request.user.is_superuser:
        raise Http404
    show_names_to(Audience.WORK)


def _filter(request: HttpRequest, found: Club | None) -> AuditFilter:
    zone = found.zone if found else ZoneInfo(timezone.get_default_timezone_name())
    return AuditFilter(request.GET, today=timezone.localdate(timezone=zone), zone=zone)


def _page(request: HttpRequest, found: Club | None) -> HttpResponse:
    form = _filter(request, found)
    page = Paginator(audit_rows(found, form.asked), PAGE).get_page(request.GET.get("page"))
    context = {
        "club": found,
        "can_manage": True,
        "filter": form,
        "page": page,
        "lines": list(_lines(as_rows(page.object_list))),
        "zone": form.zone.key,
        "here": reverse("league:audit", args=[found.slug]) if found else reverse("league:audit-site"),
        "files": shown_files(request, "audit", found.slug) if found else shown_files(request, "audit-site"),
    }
    return render(request, "league/operations/audit.html", context, status=422 if form.errors else 200)


def _file(request: HttpRequest, found: Club | None, extension: str) -> HttpResponse:
    form = _filter(request, found)
    if form.errors:
        raise BadRequest
    lines = _lines(as_rows(audit_rows(found, form.asked)[:MOST]))
    title = _("Audit")
    return spreadsheet(_cells(lines, form.zone), extension, title, f"{title} {found or ''}")


def _cells(lines: Iterable[AuditLine], zone: ZoneInfo) -> Iterator[list[Cell]]:
    yield [_("When"), _("Who"), _("What"), _("About"), _("From where"), _("Why")]
    for line in lines:
        at = line.row.at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
        yield [at, line.who, line.kind, line.about, line.row.address, line.reason]


def _lines(rows: Iterable[AuditRow]) -> Iterator[AuditLine]:
    rows = list(rows)
    people = people_of(rows)
    for row in rows:
        of = people["player"].get(row.person or 0)
        said = [str(of) if of else "", about(row)]
        shown = place(row)
        yield AuditLine(
            row,
            str(KINDS[row.kind]),
            _who(row, people["user"].get(row.user or 0) or people["player"].get(row.author or 0), of),
            ", ".join(filter(None, said)),
            reverse(f"league:{shown[0]}", args=[shown[1]]) if shown else "",
            reason(row),
        )


def _who(row: AuditRow, known: Player | None, of: Player | None) -> str:
    if known or (of and row.kind == ActKind.ACCOUNT):  # his login is gone by then
        return str(known or of)
    if row.user:
        return _("deleted login")
    if row.phone:
        return _("at the table")
    return _("not known here") if row.elsewhere else _("the program")
