"""What is said when points were written, or can't be, whatever form they came by."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.models import Table


def confirm(request: HttpRequest, table: Table, done: str) -> None:
    """Say what was done, and for a closed evening what follows from it later."""
    later = _("The season's standings and the ratings follow in a minute or two.") if table.wants_reason else ""
    messages.success(request, f"{done} {later}".strip())


def not_now(request: HttpRequest, table: Table) -> HttpResponse | None:
    """Return the way back to the sheet, which says why its points can't change now; None if they can.

    What is sent is judged by the action, so that nothing that was typed is lost.
    """
    if request.method == "POST" or not table.read_only_reason:
        return None
    messages.error(request, table.read_only_reason)
    return redirect(table)
