from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.mail.backends import filebased


class EmailBackend(filebased.EmailBackend):
    """Django's file backend, but it raises OSError for a folder that is not writable, like a failing mail server."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().__init__(*args, **kwargs)
        except ImproperlyConfigured as error:
            raise OSError(str(error)) from error
