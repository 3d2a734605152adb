"""The legal notice of the installation. The law of several countries requires publisher and host on public pages."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _


class Imprint(NamedTuple):
    """The legal notice of the installation. A field is "" if its setting is empty."""

    publisher: str
    host: str
    contact: str


def site_name() -> str:
    return settings.SITE_NAME or _("League manager")


def imprint(_request: HttpRequest) -> dict[str, Imprint | str]:
    """Context processor: legal notice, name of the site, and name of the sign-in provider."""
    return {
        "imprint": Imprint(settings.PUBLISHER, settings.HOSTED_BY, settings.CONTACT),
        "site_name": site_name(),
        "sign_in_provider": settings.OIDC_NAME,
    }
