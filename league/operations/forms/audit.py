"""Which lines of an audit are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from league.operations.views.audit_kinds import GROUPS
from league.operations.views.audit_sources import Asked
from league.web.date_field import BoundedDateField
from players.forms.search import SearchField
from players.models import Player

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

USUAL: Final = timedelta(days=30)


def _date_field(label: StrOrPromise) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date", "class": "form-control"}, format="%Y-%m-%d")
    return BoundedDateField(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)


class AuditFilter(forms.Form):
    """By whom, what, from which day to which; with nothing chosen the last thirty days."""

    q = SearchField(label=_("Who"))
    kind = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[("", _("Everything")), *((about, list(kinds.items())) for about, kinds in GROUPS)],
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    since = _date_field(_("From"))
    until = _date_field(_("To"))

    def __init__(self, query: Mapping[str, Any], *, today: date, zone: ZoneInfo) -> None:
        super().__init__(query)
        self.today, self.zone = today, zone

    @property
    def asked(self) -> Asked:
        """What is asked for, as far as it can be read."""
        self.full_clean()
        chosen = self.cleaned_data
        until = chosen.get("until") or self.today
        since = chosen.get("since") or until - USUAL
        typed = (chosen.get("q") or "").strip()
        return Asked(
            since=datetime.combine(since, time(), self.zone),
            until=datetime.combine(until + timedelta(days=1), time(), self.zone),
            kind=chosen.get("kind") or "",
            by=Player.objects.search(typed) if typed else None,
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether anything of it is chosen, so that it is shown open."""
        return any(self.data.get(name) for name in self.fields)
