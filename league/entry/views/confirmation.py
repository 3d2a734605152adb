"""What is said when points were written, whatever form they came by."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.models import Table


def confirm(request: HttpRequest, table: Table, done: str) -> None:
    """Say what was done, and for a closed evening what follows from it later."""
    later = _("The season's standings and the ratings follow in the night.") if table.wants_reason else ""
    messages.success(request, f"{done} {later}".strip())
