"""docs/operations.md, "With containers", followed exactly on a Debian 13: built, used, upgraded, started, restored.

Two things are prepared that a server has not: the base image, which is made of Debian's packages, so that no registry
is needed; and the image's build is in the host's network, as every step that needs packages.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from deploy.local import DEMO_LOGINS, DEMO_PASSWORD
from deploy.places import temporary_folder
from tests.browser import FLAGS, chromium
from tests.server.machine import Machine, a_copy, a_system, next_release, release
from tests.server.page import commands
from tests.server.website import CERTBOT, NAME, SITE, fetch, record, sign_in, stop_watching, watch

pytestmark = pytest.mark.containers  # in this order: each continues after the one before

ROOT = Path(__file__).resolve().parent.parent.parent
# In the files of the server, so that they are fetched once; with those that Debian recommends for Podman.
PACKAGES = ("git", "openssl", "podman", "podman-compose", "nftables", "aardvark-dns", "nginx", "certbot", "curl")
BASE = "docker.io/library/debian:trixie-slim"
VARIABLES = f"name={NAME} admin=root@club.localhost source=/mnt/source version=v0.1.0 compose=podman-compose\n"
LONG_RUNNING = ("web", "worker", "background", "clock", "postgres", "valkey")
EDITOR = rf"""#!/bin/sh
sed -i 's|Example|Our|; s|cards@club.example|cards@{NAME}|; s|^submission:.*|file:///var/lib/league/mail|' "$1"
"""
# What a machine may not have that is a container itself: higher limits, and the control group that counts processes.
LIMITS = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
pids_limit = 0
"""


@pytest.fixture(scope="module")
def releases() -> Iterator[Path]:
    """A repository with this release; later ones come into it."""
    with temporary_folder() as folder:
        copy = a_copy(ROOT, folder / "mnt" / "source")
        release(copy, "v0.1.0")
        yield copy


@pytest.fixture(scope="module")
def server(releases: Path) -> Iterator[Machine]:
    """A server with nothing of ours, and the base of the images."""
    shared, folder = releases.parent, releases.parent.parent
    a_system("trixie", shared / "base.tar", boots=False)
    (folder / "disk").mkdir()
    booted = Machine(folder / "disk", shared, a_system("trixie", folder / "system", *PACKAGES))
    try:
        booted.write("/usr/local/bin/editor", EDITOR, mode=0o755)
        booted.write("/usr/local/bin/certbot", CERTBOT, mode=0o755)
        booted.write("/etc/containers/containers.conf", LIMITS)
        booted.run(
            "mount -t tmpfs -o size=6g tmpfs /var/lib/containers"
        )  # there can be no overlay on the server's own one
        booted.run("mount --bind /proc/sys/net /proc/sys/net && mount -o remount,bind,rw /proc/sys/net")
        booted.run(f"podman import --quiet /mnt/base.tar {BASE}")
        yield booted
    finally:
        booted.close()


def build(server: Machine, block: str, variables: str = VARIABLES) -> str:
    """Run a block up to the build of the images, in the host's network; return the rest of it."""
    before, line, after = block.partition("$compose build\n")
    assert line
    server.run(f"{variables}export BUILDAH_ISOLATION=chroot\n{before}{line}", online=True, seconds=1800)
    return after


def manage(server: Machine, arguments: str) -> str:
    line = f"podman-compose run --rm --no-deps web manage {arguments}"
    return server.run(f"cd /srv/league/current/deploy\n{line}", seconds=1800)[1]


def value(server: Machine, expression: str) -> str:
    """Return the value that an expression of the models has."""
    program = f"from league.models import *; print('=', {expression})"
    output = manage(server, f'shell --verbosity 0 --command "{program}"')
    values: list[str] = re.findall(r"^= (.*?)\r?$", output, re.MULTILINE)
    return values[-1]


def wait_until(works: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not works():
        assert time.monotonic() < end, "not within five minutes"
        time.sleep(1)


def is_alive(server: Machine) -> bool:
    return fetch(server, f"{SITE}/livez", "--insecure")[0] == 200


def running_containers(server: Machine) -> set[str]:
    """Return the services whose containers run the newest image of their name."""
    names = {"web", "worker", "background", "clock", "maintenance", "postgres", "valkey"}
    lines = server.run("podman ps --format '{{.ImageID}} {{.Image}} {{.Names}}'")[1].splitlines()
    services = set[str]()
    for image, image_name, container in map(str.split, lines):
        newest = server.run(f"podman image inspect --format '{{{{.Id}}}}' {image_name}")[1].strip()
        assert newest.startswith(image), f"{container} runs an older image"
        services |= {name for name in names if f"_{name}_" in container}
    return services


def test_the_page_builds_and_starts_it(server: Machine) -> None:
    _compose, packages, settings, start, *_rest = commands("With containers")
    server.run(VARIABLES + packages, online=True, seconds=900)
    server.run(VARIABLES + settings)
    server.run(f"{VARIABLES}cd /srv/league/current/deploy\n{build(server, start)}", seconds=600)
    server.run(VARIABLES + commands("Install")[-1])
    wait_until(lambda: is_alive(server))
    assert running_containers(server) == set(LONG_RUNNING)
    assert "/setup" in fetch(server, f"{SITE}/", "--insecure")[1]["location"]
    assert '"setup_code"' in server.run("cd /srv/league/current/deploy; podman-compose logs web")[1]
    assert value(server, "__import__('django.conf').conf.settings.DEFAULT_FROM_EMAIL") == f"Our club <cards@{NAME}>"


def test_a_deal_is_recorded_in_a_browser_and_rated_at_night(server: Machine) -> None:
    manage(server, "demo")
    user = f"__import__('players.models').models.User.objects.get(email='{DEMO_LOGINS[0]}')"
    value(server, f"[(u.set_password('{DEMO_PASSWORD}'), u.save()) for u in [{user}]]")  # not a random one
    wanted = "complete=False, round__evening__season__game='tarot', round__evening__state='open', number=6"
    table = value(server, f"Table.objects.get({wanted}).get_absolute_url()")
    deals = int(value(server, "Deal.objects.count()"))
    with server.network(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_context(base_url=SITE, ignore_https_errors=True, locale="en-GB").new_page()
        sign_in(page)
        record(page, table)
        browser.close()
    assert int(value(server, "Deal.objects.count()")) == deals + 1
    manage(server, "recompute")
    assert "Every stored number follows" in manage(server, "verify")


def test_an_upgrade_shows_the_maintenance_page_and_runs_the_new_images(server: Machine, releases: Path) -> None:
    """Podman-compose starts a stopped container again with its old image, unless it is told to make a new one."""
    deals = value(server, "Deal.objects.count()")
    next_release(releases, "v0.2.0", "CREATE TABLE players_next (id int)")
    variables = VARIABLES.replace("v0.1.0", "v0.2.0")
    upgrade = commands("With containers")[4]
    rest = build(server, upgrade, variables)
    watch(server)
    server.run(f"{variables}cd /srv/league/$version/deploy\n{rest}", seconds=900)
    wait_until(lambda: is_alive(server))
    assert {status for _moment, status in stop_watching(server)} == {"200", "503"}
    server.run("test -s /tmp/maintenance")
    assert running_containers(server) == set(LONG_RUNNING)
    assert value(server, "Deal.objects.count()") == deals
    table = "__import__('django.db').db.connection.introspection.table_names()"
    assert value(server, f"'players_next' in {table}") == "True"
    server.run("test -s /var/backups/league/before-v0.2.0.dump")


def test_it_starts_at_boot(server: Machine) -> None:
    """By the service that the page enables; Podman has no other that starts containers."""
    server.run("systemctl is-enabled podman-restart")
    server.run("podman stop --all --time 30", seconds=600)
    server.run("systemctl start podman-restart", seconds=600)
    wait_until(lambda: is_alive(server))
    assert running_containers(server) == set(LONG_RUNNING)


def test_a_backup_is_restored(server: Machine) -> None:
    backup, restore = commands("With containers")[5:]
    server.run(VARIABLES + backup, seconds=600)
    changed = "Club.objects.filter(name='Changed').exists()"
    value(server, "Club.objects.update(name='Changed')")
    assert value(server, changed) == "True"
    deals = value(server, "Deal.objects.count()")
    server.run(VARIABLES + restore, seconds=900)
    wait_until(lambda: is_alive(server))
    assert running_containers(server) == set(LONG_RUNNING)
    assert (value(server, changed), value(server, "Deal.objects.count()")) == ("False", deals)
    assert "Every stored number follows" in manage(server, "verify")
