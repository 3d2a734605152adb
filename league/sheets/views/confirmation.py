"""Messages after points were written, or if they cannot be written."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.models import Table


def add_success_message(request: HttpRequest, table: Table, message: str) -> None:
    note = _("The season's standings and the ratings follow in a minute or two.") if table.requires_reason else ""
    messages.success(request, f"{message} {note}".strip())


def redirect_if_locked(request: HttpRequest, table: Table) -> HttpResponse | None:
    """Return a redirect to the table if its results cannot be changed, else None.

    Always return None for a POST: the action refuses the change, so that the form keeps the typed values.
    """
    if request.method == "POST" or not table.read_only_reason:
        return None
    messages.error(request, table.read_only_reason)
    return redirect(table)
