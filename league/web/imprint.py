"""Who answers for the installation: what the law of several countries asks a public site to say on its pages."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest


class Imprint(NamedTuple):
    """The publisher, who hosts the site, and where both can be reached; empty where the installation says nothing."""

    publisher: str
    host: str
    contact: str


def imprint(_request: HttpRequest) -> dict[str, Imprint]:
    """Give every page the installation's imprint."""
    return {"imprint": Imprint(settings.PUBLISHER, settings.HOSTED_BY, settings.CONTACT)}
