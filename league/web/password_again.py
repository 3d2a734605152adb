"""Dangerous steps ask for the password again: a stolen session is worth that session alone."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse

OF_ACCOUNT = "allauth.account"  # whose setting says that it is asked for, and for how long it was given

with_password: Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]] = reauthentication_required(
    app=OF_ACCOUNT, allow_get=True
)


@reauthentication_required(app=OF_ACCOUNT)  # type: ignore[untyped-decorator]
def ask_password(request: HttpRequest) -> None:
    """Send the reader to where he gives his password or second factor, unless he did a moment ago.

    Call it after his rights are known. What he sent is then done as if he had sent it again.
    """
