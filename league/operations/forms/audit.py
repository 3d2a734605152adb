from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models.audit_entry import AuditEvent
from league.web.fields import BoundedDateField
from players.forms.search import SearchField
from players.models import Player

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DEFAULT_TIME_RANGE: Final = timedelta(days=30)


def _event_range(first: AuditEvent, last: AuditEvent) -> Sequence[tuple[str, StrOrPromise]]:
    index = AuditEvent.values.index
    return AuditEvent.choices[index(first) : index(last) + 1]


# Each group is a range of AuditEvent, which is ordered by subject.
EVENT_GROUPS: Final = (
    (_("Results"), _event_range(AuditEvent.DEAL_RECORDED, AuditEvent.RESULTS_IMPORTED)),
    (_("Evenings"), _event_range(AuditEvent.EVENING_PLANNED, AuditEvent.LIVE_LINKS_ENDED)),
    (_("Seasons"), _event_range(AuditEvent.SEASON_CREATED, AuditEvent.SEASON_DELETED)),
    (_("Tournaments"), _event_range(AuditEvent.TOURNAMENT_CREATED, AuditEvent.PRIZE_HANDED)),
    (_("People"), _event_range(AuditEvent.SIGNED_IN, AuditEvent.ACCOUNT_DELETED)),
    (_("Club"), _event_range(AuditEvent.CLUB_FOUNDED, AuditEvent.CLUB_DELETED)),
)


def _date_field(label: StrOrPromise) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date", "class": "form-control"}, format="%Y-%m-%d")
    return BoundedDateField(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)


class AuditFilter(forms.Form):
    """Filters of the audit log: name of the acting user, event, first and last day (default: the last thirty days)."""

    q = SearchField(label=_("Who"))
    kind = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[("", _("Everything")), *EVENT_GROUPS],
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    since = _date_field(_("From"))
    until = _date_field(_("To"))

    def __init__(self, query: Mapping[str, Any], *, today: date, zone: ZoneInfo) -> None:
        super().__init__(query)
        self.today, self.zone = today, zone

    def conditions(self) -> dict[str, Any]:
        """Return the keyword arguments of `audit_lines`. A field with an error counts as empty."""
        self.full_clean()
        fields = self.cleaned_data
        until = fields.get("until") or self.today
        since = fields.get("since") or until - DEFAULT_TIME_RANGE
        name = (fields.get("q") or "").strip()
        return {
            "since": datetime.combine(since, time(), self.zone),
            "until": datetime.combine(until + timedelta(days=1), time(), self.zone),
            "event": fields.get("kind") or "",
            "people": Player.objects.search(name) if name else None,
        }

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)
