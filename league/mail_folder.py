"""Mail as files in a folder; one that can't be written to is away as a mail server is."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.mail.backends import filebased


class EmailBackend(filebased.EmailBackend):
    """Django's, which calls an outage what the other backends call one: an OSError."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Find the folder, or make it."""
        try:
            super().__init__(*args, **kwargs)
        except ImproperlyConfigured as error:
            raise OSError(str(error)) from error
