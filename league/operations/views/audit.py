"""Pages and files of the audit log: of a club, for its admins; of all clubs, for the installation's admins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.imports.queries.spreadsheet_cells import Cell
from league.models import AuditEntry, Club
from league.operations.forms.audit import AuditFilter
from league.operations.queries.audit_log import audit_lines, newest_entries
from league.operations.views.audit_words import actor_name, subject_address, subject_text
from league.web.exports import export_addresses, spreadsheet_response
from league.web.lookups import managed_or_403
from league.web.superusers import superuser_required
from players.naming import Audience, show_names_to

PAGE_ROWS = 50
MAX_FILE_ROWS = 20_000


@login_required
@require_safe
def club_audit_log(request: HttpRequest, slug: str) -> HttpResponse:
    return _audit_page(request, managed_or_403(Club.objects, request.user, slug=slug))


@login_required
@require_safe
def club_audit_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    return _audit_file(request, managed_or_403(Club.objects, request.user, slug=slug), extension)


@superuser_required
@require_safe
def site_audit_log(request: HttpRequest) -> HttpResponse:
    show_names_to(Audience.COMMITTEE)
    return _audit_page(request, None)


@superuser_required
@require_safe
def site_audit_file(request: HttpRequest, extension: str) -> HttpResponse:
    show_names_to(Audience.COMMITTEE)
    return _audit_file(request, None, extension)


def _filter_form(request: HttpRequest, club: Club | None) -> AuditFilter:
    zone = club.zone if club else ZoneInfo(timezone.get_default_timezone_name())
    return AuditFilter(request.GET, today=timezone.localdate(timezone=zone), zone=zone)


def _audit_page(request: HttpRequest, club: Club | None) -> HttpResponse:
    form = _filter_form(request, club)
    page = Paginator(audit_lines(club, **form.conditions()), PAGE_ROWS).get_page(request.GET.get("page"))
    entries = newest_entries(page.object_list)
    context = {
        "club": club,
        "can_manage": True,
        "filter": form,
        "page": page,
        "lines": [
            {"entry": entry, "actor": actor_name(entry), "subject": subject_text(entry), "link": subject_address(entry)}
            for entry in entries
        ],
        "zone": form.zone.key,
        "here": reverse("league:audit", args=[club.slug]) if club else reverse("league:audit-site"),
        "files": export_addresses(request, "audit", club.slug) if club else export_addresses(request, "audit-site"),
    }
    return render(request, "league/operations/audit.html", context, status=422 if form.errors else 200)


def _audit_file(request: HttpRequest, club: Club | None, extension: str) -> HttpResponse:
    form = _filter_form(request, club)
    if form.errors:
        raise BadRequest
    entries = newest_entries(audit_lines(club, **form.conditions())[:MAX_FILE_ROWS])
    title = _("Audit")
    return spreadsheet_response(_file_rows(entries, form.zone), extension, title, f"{title} {club or ''}")


def _file_rows(entries: Iterable[AuditEntry], zone: ZoneInfo) -> Iterator[list[Cell]]:
    yield [_("When"), _("Who"), _("What"), _("About"), _("From where"), _("Why")]
    for entry in entries:
        time = entry.logged_at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
        yield [time, actor_name(entry), str(entry), subject_text(entry), entry.address, entry.reason]
