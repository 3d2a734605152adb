"""The publisher and host of the installation, which the law of several countries requires on public pages."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest


class Imprint(NamedTuple):
    """Empty fields are not configured."""

    publisher: str
    host: str
    contact: str


def imprint(_request: HttpRequest) -> dict[str, Imprint]:
    return {"imprint": Imprint(settings.PUBLISHER, settings.HOSTED_BY, settings.CONTACT)}
