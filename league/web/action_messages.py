"""Messages on the next page: an action was done, or is refused."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from league.actions.refusals import WrongState


def run_action(request: HttpRequest, action: Callable[[], object], success: str = "") -> bool:
    """Run an action. Show `success`, if any, or the reason why the action is refused. Return whether it was done."""
    try:
        action()
    except WrongState as refusal:
        messages.error(request, str(refusal))
        return False
    if success:
        messages.success(request, success)
    return True
