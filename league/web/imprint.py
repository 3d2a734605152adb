"""Publisher and host of the installation: required by law on public pages in several countries."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest


class Imprint(NamedTuple):
    """An empty field is not configured."""

    publisher: str
    host: str
    contact: str


def imprint(_request: HttpRequest) -> dict[str, Imprint]:
    return {"imprint": Imprint(settings.PUBLISHER, settings.HOSTED_BY, settings.CONTACT)}
