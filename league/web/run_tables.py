from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.models import Run
from league.web.tables import DETAIL_NUMBER_ATTRS, DETAIL_TEXT_ATTRS, NUMBER_ATTRS


class RunsTable(tables.Table):
    """The recomputes (runs). With `club` (an id) it counts changed ranks of this club only; with None, of all clubs."""

    caption = _("Runs that computed this club's standings")
    row_header = "started_at"

    started_at = tables.DateTimeColumn(verbose_name=_("Started"), linkify=True)
    trigger = tables.Column(_("Asked for by"), attrs=DETAIL_TEXT_ATTRS)
    state = tables.Column(_("State"))
    took = tables.Column(_("Took"), accessor="finished_at", attrs=DETAIL_NUMBER_ATTRS, orderable=False, empty_values=())
    changed = tables.Column(_("Ranks changed"), accessor="seasons", attrs=NUMBER_ATTRS, orderable=False)

    class Meta:
        model = Run
        fields = ("started_at", "trigger", "state", "took", "changed")
        order_by = "-started_at"

    def __init__(self, *args: Any, club: int | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def render_state(self, value: str, record: Run) -> SafeString:
        return format_html('<span class="badge state state-{}">{}</span>', record.state, value)

    def render_took(self, record: Run) -> str:
        return run_duration(record)

    def render_changed(self, value: list[dict[str, Any]]) -> str:
        parts = [part for part in value if self.club in (None, part.get("club"))]
        return number_format(sum(part.get("changed", 0) for part in parts))


class AllRunsTable(RunsTable):
    caption = _("Every run of the installation")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, club=None, **kwargs)


def run_duration(run: Run) -> str:
    """Return the duration of a run in words; "–" while it is running."""
    if run.finished_at is None:
        return "–"
    minutes, seconds = divmod(round((run.finished_at - run.started_at).total_seconds()), 60)
    if not minutes and not seconds:
        return gettext("less than a second")
    texts = [
        ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes} if minutes else "",
        ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds} if seconds else "",
    ]
    return " ".join(filter(None, texts))
