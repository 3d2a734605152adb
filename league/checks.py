"""System checks of the settings: each names the variable and says what to do."""

from collections.abc import Sequence
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def check_settings(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report what would only fail later, and less clearly."""
    found: list[CheckMessage] = []
    if len(settings.SECRET_KEY) < 32:
        found.append(
            Error(
                "SECRET_KEY is missing or shorter than 32 characters.",
                hint="Set it to a long random text.",
                id="league.E001",
            )
        )
    if not 0 <= settings.NIGHT_HOUR <= 23:
        found.append(
            Error(f"NIGHT_HOUR is {settings.NIGHT_HOUR}.", hint="Set it to an hour, 0 to 23.", id="league.E002")
        )
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT < 0:
        found.append(
            Error(
                f"TRUSTED_PROXY_COUNT is {settings.ALLAUTH_TRUSTED_PROXY_COUNT}.",
                hint="Set it to how many proxies stand before the site: 0, 1, …",
                id="league.E006",
            )
        )
    if settings.TIME_ZONE not in available_timezones():
        found.append(
            Error(
                f"TIME_ZONE is {settings.TIME_ZONE!r}.", hint="Set it to a name such as Europe/Paris.", id="league.E003"
            )
        )
    if not settings.REDIS_URL.startswith(("redis://", "rediss://", "redis+socket://")):
        found.append(
            Error(
                "REDIS_URL is no address of a Redis or Valkey server.",
                hint="Set it to redis://host:6379 or redis+socket:///path.",
                id="league.E004",
            )
        )
    if settings.SITE_ADDRESS and not settings.SITE_ADDRESS.startswith(("http://", "https://")):
        found.append(
            Error(
                f"SITE_ADDRESS is {settings.SITE_ADDRESS!r}.",
                hint="Set it to an address such as https://league.example.",
                id="league.E005",
            )
        )
    return found
