"""System checks of the settings: each names the variable and says what to do."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from league.backups.archive import check_key

# What deploy/league.env shows: reserved names (RFC 2606), and a text that nobody would keep.
_EXAMPLE = re.compile(r"\bexample\b|\bchange-me\b", re.IGNORECASE)
_NEVER_EXAMPLES = (
    *("SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_ADDRESS", "PUBLISHER", "HOSTED_BY", "CONTACT"),
    *("DEFAULT_FROM_EMAIL", "EMAIL_HOST", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD"),
)


def examples() -> Iterator[CheckMessage]:
    """Yield an error for each setting that has the value of an example, where the site is served to others."""
    if settings.DEBUG or not settings.HTTPS:
        return
    for name in _NEVER_EXAMPLES:
        if _EXAMPLE.search(str(getattr(settings, name))):
            variable = name if not name.startswith("EMAIL_") else "EMAIL_URL"
            yield Error(
                f"{variable} is still an example.",
                hint=f"Set {variable} to your own value, or take its line away.",
                id="league.E007",
            )


@register()
def check_settings(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report what would only fail later, and less clearly."""
    found = list(examples())
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
    if settings.BACKUP_FOLDER and not Path(settings.BACKUP_FOLDER).is_absolute():
        found.append(
            Error(
                f"BACKUP_FOLDER is {settings.BACKUP_FOLDER!r}.",
                hint="Set it to a whole path, such as /var/backups/league.",
                id="league.E008",
            )
        )
    if settings.BACKUP_KEY:
        try:
            check_key(settings.BACKUP_KEY)
        except ValueError:
            found.append(
                Error(
                    "BACKUP_KEY is no key.",
                    hint="Set it to what `manage.py backup_key` prints, and keep a copy elsewhere.",
                    id="league.E009",
                )
            )
    if settings.EMAIL_FILE_PATH and settings.EMAIL_HOST:
        found.append(
            Error(
                "EMAIL_URL names no whole path.",
                hint="Set it to three slashes and the folder, such as file:///var/lib/league/mail.",
                id="league.E010",
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
