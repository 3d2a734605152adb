"""Text for an entry of the audit log: acting user, subject, and the path of the subject's page."""

from __future__ import annotations

from datetime import date

from django.apps import apps
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions.jobs import job_kinds
from league.models import AuditEntry
from league.models.audit_entry import AuditEvent, ExportKind
from league.models.rights import Role
from league.sheets.queries.deal_labels import deal_label
from players.dates import date_format


def actor_name(entry: AuditEntry) -> str:
    if entry.user_id:
        player = getattr(entry.user, "player", None) or entry.author
        return str(player) if player else _("deleted login")
    if entry.author:
        return str(entry.author)
    if entry.params.get("at_table"):
        return _("at the table")
    return _("not known here") if entry.params.get("elsewhere") else _("the program")


def subject_text(entry: AuditEntry) -> str:
    params = entry.params
    words = [str(entry.player)] if entry.count == 1 and entry.player else []
    if entry.count > 1:
        words.append(_count_text(entry))
    if "role" in params:
        words.append(str(Role(params["role"]).label))
    if "what" in params:
        words.append(str(ExportKind(params["what"]).label))
    if "kind" in params:
        words.append(str(job_kinds()[params["kind"]].label) if params["kind"] in job_kinds() else params["kind"])
    if "model" in params:
        words.append(str(apps.get_model(params["model"])._meta.verbose_name))
    if "first" in params:
        words.append(_day_range_text(params["first"], params["last"]))
    elif entry.evening:
        words.append(_evening_text(entry))
    else:
        words.append(str(params.get("name") or params.get("game") or (entry.season.name if entry.season else "")))
    if "club" in params:  # the name of a club that is invited to a tournament
        words.append(params["club"])
    return ", ".join(filter(None, words))


def subject_address(entry: AuditEntry) -> str:
    for name in ("deal", "table", "evening", "season"):
        if row := getattr(entry, name):
            return reverse(f"league:{name}", args=[row.pk])
    tournament = entry.params.get("tournament")
    return reverse("league:tournament", args=[tournament]) if isinstance(tournament, int) else ""


def _count_text(entry: AuditEntry) -> str:
    number = {"count": entry.count}
    match entry.event:
        case AuditEvent.DEALS_CHECKED | AuditEvent.DEAL_RECORDED | AuditEvent.DEAL_REVISED | AuditEvent.DEAL_VOIDED:
            return ngettext("%(count)s deal", "%(count)s deals", entry.count) % number
        case AuditEvent.RESULTS_IMPORTED | AuditEvent.TOTALS_RECORDED | AuditEvent.TOTALS_REVISED:
            return ngettext("%(count)s table", "%(count)s tables", entry.count) % number
        case AuditEvent.SEATS_CHANGED:
            return ngettext("%(count)s round", "%(count)s rounds", entry.count) % number
        case AuditEvent.UNITS_IMPORTED:
            return ngettext("%(count)s registration", "%(count)s registrations", entry.count) % number
        case _ if entry.event.startswith("evening_"):
            return ngettext("%(count)s evening", "%(count)s evenings", entry.count) % number
    return ngettext("%(count)s person", "%(count)s people", entry.count) % number


def _day_range_text(first: str, last: str) -> str:
    days = [date_format(date.fromisoformat(day), "DATE_FORMAT") for day in (first, last)]
    return days[0] if first == last else " – ".join(days)


def _evening_text(entry: AuditEntry) -> str:
    assert entry.evening
    params = {"day": date_format(entry.evening.date, "DATE_FORMAT")}
    if entry.round is None or entry.count > 1:
        return params["day"]
    if entry.table is None:
        return _("Round %(round)s, %(day)s") % {**params, "round": entry.round.number}
    if entry.deal is None:
        return _("Table %(table)s, round %(round)s, %(day)s") % {
            **params,
            "table": entry.table.number,
            "round": entry.round.number,
        }
    return deal_label(entry.deal.number, entry.table.number, entry.round.number, params["day"])
