"""Reading the feed of this program's releases (Atom or RSS) once a day, if RELEASES_FEED is set.

No data about the installation are sent, and nothing is installed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import structlog
from django.conf import settings
from packaging.version import InvalidVersion, Version

from league.actions.jobs import TimeSource, enqueue
from league.models import Check, Job
from league.models.check import CheckKind
from league.models.job import MAX_CLOCK_ERROR
from league.operations.work.check_records import record_check

log = structlog.get_logger(__name__)

FEED_TIMEOUT: Final = 10  # seconds
MAX_FEED_BYTES: Final = 1_000_000  # bytes
READ_INTERVAL: Final = timedelta(days=1)


class UnreadableFeed(ValueError):
    """The feed of this program's releases has no release, or is not a feed. The message is for the admin."""


def schedule_feed(now: datetime) -> None:
    if not settings.RELEASES_FEED:
        return
    recent = Check.objects.filter(
        kind=CheckKind.FEED, ended_at__gt=now - READ_INTERVAL, ended_at__lte=now + MAX_CLOCK_ERROR
    )
    if not recent.exists():
        enqueue(CheckKind.FEED, now=now)


def read_feed(_job: Job, now: TimeSource) -> None:
    """Job: read the feed of this program's releases, and store the outcome as a Check.

    The summary of the Check is the newest version, or the reason of a failure.
    """
    try:
        newest = newest_release(_fetch_feed(settings.RELEASES_FEED))
    except (OSError, ValueError) as error:
        log.warning("releases_not_read", error=str(error))
        record_check(CheckKind.FEED, now=now(), ok=False, summary=str(error))
    else:
        record_check(CheckKind.FEED, now=now(), ok=True, summary=str(newest))


def newest_release(feed: bytes) -> Version:
    """Return the newest version that the Atom or RSS feed names in titles or links, without release candidates.

    Raise UnreadableFeed.
    """
    try:
        # Expat limits the expansion of entities since version 2.4.1, which Debian 12 has.
        root = ElementTree.fromstring(feed)  # noqa: S314
    except ElementTree.ParseError as error:
        raise UnreadableFeed(f"It is no feed: {error}.") from None
    entries = [*root.iter("{http://www.w3.org/2005/Atom}entry"), *root.iter("item")]
    versions = [version for entry in entries for text in _version_texts(entry) if (version := _parse_version(text))]
    if not versions:
        raise UnreadableFeed("No entry of the feed names a version.")
    return max(versions)


def is_newer_release(version: str) -> bool:
    return Version(version) > Version(settings.RELEASE)


def _fetch_feed(url: str) -> bytes:
    with urlopen(Request(url), timeout=FEED_TIMEOUT) as response:  # noqa: S310  http or https, as settings check
        content: bytes = response.read(MAX_FEED_BYTES + 1)
    if len(content) > MAX_FEED_BYTES:
        raise UnreadableFeed("The feed is longer than 1 MB.")
    return content


def _version_texts(entry: ElementTree.Element) -> list[str]:
    """Return the texts of a feed's entry that may be a version: its title, and the last part of each link, "v0.2.0"."""
    title = entry.findtext("{*}title") or ""
    links = [link.get("href") or link.text or "" for link in entry.iterfind("{*}link")]
    return [title, *(link.rstrip("/").rpartition("/")[2] for link in links)]


def _parse_version(text: str) -> Version | None:
    try:
        version = Version(text.strip())  # Version accepts "v0.2.0"
    except InvalidVersion:
        return None
    return None if version.is_prerelease else version
