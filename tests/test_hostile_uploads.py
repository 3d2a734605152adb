"""Every view that takes a file gets every hostile file: each is refused in words, with little memory and work.

The views are found by the mark of `accept_file`, the field of the file by its page. Memory is measured by tracemalloc,
which also sees what zlib, bz2, LZMA and expat return; work is the number of calls that Python makes, which is the same
on a slow machine. What pictures take is measured as the peak of a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator, Mapping
from cProfile import Profile
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import DjangoDbBlocker

from league.models import Club
from league.settings import BASE_DIR
from tests.build import settle
from tests.hostile_files import hostile_files
from tests.page_forms import page_forms
from tests.test_access import ROWS, World, a_world, view_name

pytestmark = [pytest.mark.django_db, pytest.mark.faults]

MAX_MEMORY: Final = 80_000_000  # bytes; the bombs have more
MAX_CALLS: Final = 6_000_000
MAX_MEMORY_OF_PICTURES: Final = 120_000_000  # bytes


class Upload(NamedTuple):
    """A form that takes a file: where it is sent, the name of the file's field, and what else is sent."""

    address: str
    field: str
    sent: Mapping[str, str]

    def post(self, client: Client, data: bytes, name: str = "file.xlsx") -> Any:
        return client.post(self.address, {**self.sent, self.field: SimpleUploadedFile(name, data)})


@dataclass(frozen=True)
class Hostile:
    """A club's world, its admin, the forms that take a file, and the files."""

    world: World
    admin: Client
    uploads: list[Upload]
    files: Mapping[str, bytes]


def views(patterns: list[URLPattern | URLResolver], namespace: str = "") -> Iterator[str]:
    """Yield the names of the views that take a file."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else namespace)
        elif hasattr(pattern.callback, "max_upload_size"):
            yield f"{namespace}{pattern.name}"


def upload(client: Client, address: str) -> Upload:
    """Return the form of a page that takes a file; of a text that could be typed instead nothing is sent."""
    for form in page_forms(client.get(address).content.decode(), address):
        files = [control.name for control in form.controls if control.kind == "file"]
        if files and form.path == address:
            texts = {control.name for control in form.controls if control.kind == "textarea"}
            return Upload(address, files[0], {name: value for name, value in form.sent() if name not in texts})
    raise AssertionError(f"{address} has no form that takes a file.")


@pytest.fixture(scope="module")
def hostile(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Hostile]:
    with django_db_blocker.unblock(), transaction.atomic():
        world = a_world(public=False)
        settle()
        admin = world.clients["admin"]
        taking = set(views(get_resolver().url_patterns))
        rows = {view_name(row.address): row for row in ROWS if row.method == "POST" and row.club != "public"}
        addresses = [rows[view].address.format(**world.places) for view in sorted(taking)]
        files = hostile_files(Club.objects.get(slug=world.places["club"]))
        yield Hostile(
            world,
            admin,
            [upload(admin, address) for address in addresses],
            {name: make() for name, make in files.items()},
        )
        transaction.set_rollback(True)


class Cost(NamedTuple):
    """The peak memory of a request in bytes, and its calls of Python and C functions."""

    memory: int
    calls: int


def measured(upload: Upload, client: Client, data: bytes) -> tuple[Any, Cost]:
    """Send the file; count the calls by cProfile, which is written in C: a function of ours took most of the time."""
    profile = Profile()
    tracemalloc.start()
    profile.enable()
    try:
        answer = upload.post(client, data)
    finally:
        profile.disable()
        _now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return answer, Cost(peak, sum(entry.callcount for entry in profile.getstats()))


def test_every_upload_refuses_every_hostile_file(hostile: Hostile) -> None:
    wrong = {}
    for upload in hostile.uploads:
        for name, data in hostile.files.items():
            cache.clear()  # not the limit on uploads is meant here
            with transaction.atomic():
                answer, cost = measured(upload, hostile.admin, data)
                transaction.set_rollback(True)
            if answer.status_code != 422 or cost.memory > MAX_MEMORY or cost.calls > MAX_CALLS:
                wrong[upload.address, name] = (answer.status_code, cost)
    assert wrong == {}


@pytest.mark.parametrize("forged", [False, True], ids=["own", "forged"])
def test_every_upload_counts_against_its_limit_before_it_is_read(hostile: Hostile, settings: Any, forged: bool) -> None:
    """The third file is refused as one too many and not as no archive; a forged request counts for nobody."""
    limits = {"upload": "2/h/user", "club_upload": "2/h/user"}
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, **limits}
    stranger = Client(enforce_csrf_checks=True)
    stranger.cookies = hostile.admin.cookies
    for upload in hostile.uploads:
        cache.clear()
        for _ in range(3 if forged else 0):
            assert upload.post(stranger, b"").status_code == 403
        answers = [upload.post(hostile.admin, b"PK\x03\x04") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [422, 422, 429], upload.address
        messages = [answer.context["form"].errors[upload.field] for answer in answers]
        assert ["at most 2 an hour" in message[0] for message in messages] == [False, False, True]


PICTURES: Final = """
import resource, sys
import django
django.setup()
from django.conf import settings
from PIL import Image
from league.actions.club_appearance import NotAPicture, TooManyPixels, reencode_picture
from tests.build import a_picture
from league.settings import BASE_DIR
from tests.hostile_files import jpeg_header, png_header, png_with_text, webp_header

largest = a_picture((2000, 2000), "JPEG", progressive=True)
hostile = [a_picture((2001, 2000)), *map(png_header, (2_001, 10_000, 60_000)), *map(jpeg_header, (2_001, 65_500))]
hostile += [webp_header(16_382), png_with_text(50), a_picture((400, 300))[:-40]]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reencode_picture(largest)
for picture in hostile:
    try:
        reencode_picture(picture)
    except (NotAPicture, TooManyPixels):
        continue
    sys.exit("accepted")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_pictures_take_little_memory() -> None:
    """Memory that the library takes by itself is seen by the peak of a process alone."""
    run = subprocess.run(
        [sys.executable, "-c", PICTURES], cwd=BASE_DIR, capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) * 1024 < MAX_MEMORY_OF_PICTURES
