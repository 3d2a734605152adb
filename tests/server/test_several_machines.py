"""docs/several-machines.md, followed exactly on four servers in one network: installed, used, switched over."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from deploy.local import DEMO_LOGINS, DEMO_PASSWORD
from deploy.places import temporary_folder
from tests.browser import FLAGS, chromium
from tests.server.machine import Machine, a_copy, a_system, connect, next_release, release
from tests.server.page import commands
from tests.server.website import (
    CERTBOT,
    EDITOR,
    NAME,
    SITE,
    fetch,
    record,
    row_count,
    shell,
    sign_in,
    stop_watching,
    wait_until,
    watch,
)

pytestmark = pytest.mark.machines  # in this order: each continues after the one before

ROOT = Path(__file__).resolve().parent.parent.parent
ADDRESSES = {"one": "10.0.0.11", "two": "10.0.0.12", "data": "10.0.0.10", "standby": "10.0.0.20"}
SERVICES = ("league-web", "league-worker", "league-background", "league-beat")
# In the files of each machine, so that they are fetched once.
PACKAGES = (
    *("git", "curl", "postgresql", "valkey-server", "nginx", "certbot"),
    *("python3-venv", "postgresql-client", "sshfs", "openssh-server", "openssh-client"),
)
SWITCHED_OFF = ("postgresql@17-main", "valkey-server", "nginx", "ssh")


class Machines(NamedTuple):
    """The switch of their network is in the first one, which stays."""

    one: Machine
    two: Machine
    data: Machine
    standby: Machine


@pytest.fixture(scope="module")
def releases() -> Iterator[Path]:
    """A repository with this release; later ones come into it."""
    with temporary_folder() as folder:
        copy = a_copy(ROOT, folder / "source")
        release(copy, "v0.1.0")
        yield copy


@pytest.fixture(scope="module")
def machines(releases: Path) -> Iterator[Machines]:
    """Four servers with nothing of ours, in one network."""
    booted = dict[str, Machine]()
    files = a_system("trixie", releases.parent / "system", *PACKAGES)
    try:
        for name in ADDRESSES:
            (releases.parent / name).mkdir()
            booted[name] = machine = Machine(releases.parent / name, releases, files)
            machine.write("/usr/local/bin/editor", EDITOR, mode=0o755)
            machine.write("/usr/local/bin/certbot", CERTBOT, mode=0o755)
            machine.run(f"hostnamectl hostname {name}")
            if name in ("one", "two"):  # there these packages would not be installed
                machine.run("systemctl disable --quiet --now postgresql valkey-server nginx ssh")
        connect({ADDRESSES[name]: machine for name, machine in booted.items()})
        yield Machines(**booted)
    finally:
        for machine in booted.values():
            machine.close()


def blocks(section: str, kind: str) -> str:
    [block] = commands(section, f"sh {kind}", page="several-machines.md")
    return block


def variables(here: str) -> str:
    """Return the page's variables, as a volunteer sets them on this machine."""
    text = blocks("Several machines", "variables")
    for example, value in (("league.example", NAME), ("https://git.example/league.git", "/mnt")):
        assert example in text
        text = text.replace(example, value)
    return f"{text}here=${here}\n"


def follow(machine: Machine, here: str, section: str, kind: str, *, online: bool = False) -> str:
    """Run a block of the page, and return its output."""
    return machine.run(variables(here) + blocks(section, kind), online=online, seconds=900)[1]


def on_both(work: Callable[[str], object]) -> None:
    """Do the same on both web machines at once."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(work, ("one", "two")))


def test_the_page_installs_it(machines: Machines) -> None:
    for here in ("data", "standby"):
        follow(getattr(machines, here), here, "The databases", "databases", online=True)
    follow(machines.data, "data", "The databases", "database")
    follow(machines.standby, "standby", "The standby", "standby")
    assert standby_is_equal(machines.data)
    follow(machines.standby, "standby", "The folder of the backups", "folder", online=True)
    on_both(lambda here: follow(getattr(machines, here), here, "The web machines", "web", online=True))
    for here in ("one", "two"):
        key = follow(getattr(machines, here), here, "The web machines", "keys").splitlines()[-1]
        machines.standby.run(blocks("The web machines", "key").replace("THE-KEY", key))
        follow(getattr(machines, here), here, "The web machines", "mount")
    follow(machines.one, "one", "The web machines", "settings")
    machines.two.write("/etc/league/league.env", machines.one.run("cat /etc/league/league.env")[1])
    follow(machines.two, "two", "The web machines", "second")
    for here in ("one", "two"):
        follow(getattr(machines, here), here, "The web machines", "start")
        getattr(machines, here).run("".join(f"systemctl is-active {service}\n" for service in SERVICES))
    follow(machines.data, "data", "The proxy", "certificate")
    certificate = machines.data.run("tar --create --directory=/ etc/letsencrypt | base64 --wrap=0")[1]
    machines.standby.run(f"echo {certificate} | base64 --decode | tar --extract --directory=/")
    for here in ("data", "standby"):
        follow(getattr(machines, here), here, "The proxy", "proxy")
    assert "/setup" in fetch(machines.data, f"{SITE}/", "--insecure")[1]["location"]  # it has no account yet


def standby_is_equal(database: Machine) -> bool:
    """Return whether the standby has all that the database has, within a minute."""
    end = time.monotonic() + 60
    while (answer := blocks("The standby", "watch")) and time.monotonic() < end:
        answer = database.run(answer)[1].replace(" ", "").strip()
        if answer == "streaming|0":
            return True
        time.sleep(0.5)
    return False


def test_a_club_comes_into_the_database(machines: Machines) -> None:
    """From one machine; the other one shows it."""
    machines.one.run("/srv/league/current/deploy/manage demo", seconds=1800)
    assert row_count(machines.two, "Deal") > 1000
    login = f"u = User.objects.get(email='{DEMO_LOGINS[0]}'); u.set_password('{DEMO_PASSWORD}')"  # not a random one
    shell(machines.two, f"from players.models import User; {login}; print(u.save())")


def static_files(proxy: Machine) -> list[str]:
    """Return the static files of the first page, whichever machine serves it; each can be fetched."""
    status, _headers, page = fetch(proxy, f"{SITE}/", "--insecure")
    assert status == 200
    files: list[str] = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert files
    for name in files:
        status, headers, _text = fetch(proxy, f"{SITE}{name}", "--insecure", "--output /dev/null --dump-header -")
        assert status == 200, name
        if re.search(r"\.[0-9a-f]{12}\.\w+$", name):
            assert "immutable" in headers["cache-control"]
        if name.endswith((".css", ".js")):
            assert headers["content-encoding"] in ("br", "gzip"), name
    return files


def style_sheets(proxy: Machine, number: int) -> set[str]:
    """Return the names of the site's style sheet on six pages; on more, until there are `number`, for a minute.

    The proxy asks a machine again only ten seconds after it did not answer.
    """
    names: set[str] = set()
    pages, end = 0, time.monotonic() + 60
    while pages < 6 or (len(names) < number and time.monotonic() < end):
        names |= {name for name in static_files(proxy) if "/css/league." in name}
        pages += 1
    return names


@pytest.mark.parametrize("off", ["one", "two"])
def test_each_web_machine_alone_serves_pages_and_their_static_files(machines: Machines, off: str) -> None:
    machine = getattr(machines, off)
    machine.run("systemctl stop 'league*'")
    for _ in range(3):
        static_files(machines.data)
    machine.run("systemctl start league.target")


def test_without_a_web_machine_the_proxy_shows_the_maintenance_page(machines: Machines) -> None:
    on_both(lambda here: getattr(machines, here).run("systemctl stop 'league*'"))
    status, headers, page = fetch(machines.data, f"{SITE}/", "--insecure")
    assert (status, headers["retry-after"]) == (503, "60")
    assert "Back in a minute" in page
    on_both(lambda here: getattr(machines, here).run("systemctl start league.target"))


def test_a_backup_of_one_machine_is_seen_and_tried_by_the_other(machines: Machines) -> None:
    """While the worker of one is off, two makes a backup; then one restores it into a second database."""
    machines.one.run("systemctl stop league-background")
    trial = "from league.operations.work.backups.schedule import enqueue_backup_and_drill; "
    shell(machines.one, f"{trial}from django.utils.timezone import now; print(enqueue_backup_and_drill(now()))")
    open_jobs = "from league.models import Job; print(Job.objects.open().filter(kind__in=['backup', 'drill']).exists())"
    wait_until(machines.one, open_jobs, "False", seconds=240)
    checks = "from league.models import Check; print({*Check.objects.latest_of_each_kind().values_list('kind', 'ok')}"
    assert shell(machines.one, f"{checks} >= {{('backup', True), ('drill', True)}})") == "True"
    newest = "from league.operations.work.backups.store import folder_state; print(folder_state().newest)"
    backup = shell(machines.one, newest)
    assert re.fullmatch(r"league-.*\.backup", backup)
    assert shell(machines.two, newest) == backup
    machines.standby.run(f"ls /srv/backups/league/{backup}")
    machines.one.run("systemctl start league-background")
    tried = machines.one.run("/srv/league/current/deploy/manage restore_drill")[1]
    assert f"Restored aside, counted and verified: {backup}" in tried


def test_a_web_machine_without_the_folder_does_not_start(machines: Machines) -> None:
    """Else its backups would be on its own disk, where nobody looks for them."""
    machines.two.run("umount /var/backups/league/standby")
    status, output = machines.two.run("/srv/league/current/deploy/manage check --deploy", fails=True)
    assert status != 0
    assert "its disk is not mounted" in output
    machines.two.run("mount /var/backups/league/standby")
    machines.two.run("/srv/league/current/deploy/manage check --deploy")


def test_the_work_of_a_web_machine_without_power_is_free_for_the_other_one(machines: Machines) -> None:
    """No packet says that it is gone: without keepalives its locks would last for two hours. The site stays up."""
    url = f"postgres://league:change-me@{ADDRESSES['data']}/league"
    statements = "echo 'BEGIN; SELECT pg_advisory_xact_lock(7);'; sleep 600"
    machines.two.run(f'systemd-run --quiet --unit=holder bash -c "({statements}) | psql {url}"')
    count = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND granted"

    def wait_for_locks(number: int) -> None:
        end = time.monotonic() + 60
        command = f'runuser -u postgres -- psql --tuples-only --command="{count}"'
        while machines.data.run(command)[1].strip() != str(number):
            assert time.monotonic() < end, f"{number} locks: not within a minute"
            time.sleep(1)

    wait_for_locks(1)
    machines.two.run("ip link set eth0 down")
    for _ in range(4):
        assert fetch(machines.data, f"{SITE}/", "--insecure")[0] == 200
    wait_for_locks(0)
    machines.two.run("ip link set eth0 up; systemctl stop holder; systemctl restart league.target")


def prepare(machine: Machine, here: str, tag: str) -> None:
    """Follow the page's upgrade up to its last line, in the host's network, which has the packages."""
    _version, *ready, _start = blocks("Upgrade", "upgrade").splitlines()
    machine.run("\n".join([f"{variables(here)}version={tag}", *ready]), online=True, seconds=900)


def start(machine: Machine, here: str, tag: str) -> tuple[int, str]:
    """Start the prepared release by the last line of the page's upgrade; return its status and output.

    With the page's time limit for large databases: this machine may be busy with others.
    """
    line = blocks("Upgrade", "upgrade").splitlines()[-1]
    return machine.run(f"{variables(here)}version={tag}\nLIMIT=600 {line}", fails=True, seconds=900)


def upgrade(machine: Machine, here: str, tag: str) -> tuple[int, str]:
    prepare(machine, here, tag)
    return start(machine, here, tag)


def running_release(machine: Machine) -> str:
    return machine.run("basename $(readlink /srv/league/current)")[1].strip()


def test_an_upgrade_that_needs_a_stop_is_refused_while_another_machine_runs(machines: Machines, releases: Path) -> None:
    """Its migration would break the other machine, and its rollback would replace the database under it."""
    next_release(releases, "v0.2.0", "CREATE TABLE players_next (id int)")
    status, output = upgrade(machines.one, "one", "v0.2.0")
    assert status != 0
    assert "The services of two run" in output
    assert "players.9200_next" in output
    assert running_release(machines.one) == "v0.1.0"
    assert fetch(machines.data, f"{SITE}/", "--insecure")[0] == 200
    follow(machines.two, "two", "Upgrade", "stop")
    status, output = start(machines.one, "one", "v0.2.0")
    assert status == 0, output
    assert "v0.2.0 runs. The site was away" in output
    status, output = upgrade(machines.two, "two", "v0.2.0")
    assert status == 0, output
    assert running_release(machines.two) == "v0.2.0"


def test_an_upgrade_without_a_stop_is_seen_by_no_visitor(machines: Machines, releases: Path) -> None:
    """One machine after the other; between them, pages and static files of both releases are served."""
    style = releases / "static" / "css" / "league.css"
    style.write_text(f"{style.read_text()}\n/* next */\n")
    next_release(releases, "v0.3.0", "CREATE TABLE players_later (id int)", rolling=True)
    watch(machines.data)
    for here, releases_served in (("one", 2), ("two", 1)):
        status, output = upgrade(getattr(machines, here), here, "v0.3.0")
        assert status == 0, output
        assert "v0.3.0 runs here" in output
        assert len(style_sheets(machines.data, releases_served)) == releases_served
    responses = stop_watching(machines.data)
    assert len(responses) > 10
    assert {status for _moment, status in responses} == {"200"}


def test_after_a_release_that_does_not_start_the_old_one_continues_on_the_migrated_database(
    machines: Machines, releases: Path
) -> None:
    """A restore would take away what the other machine recorded meanwhile."""
    (releases / "league" / "wsgi.py").write_text("raise SystemExit(3)\n")
    next_release(releases, "v0.4.0", "CREATE TABLE players_broken (id int)", rolling=True)
    watch(machines.data)
    status, output = upgrade(machines.one, "one", "v0.4.0")
    assert status != 0
    assert "v0.3.0 runs on, on the database that the new one has migrated" in output
    assert running_release(machines.one) == "v0.3.0"
    table = "from django.db import connection; print('players_broken' in connection.introspection.table_names())"
    assert shell(machines.two, table) == "True"
    assert {status for _moment, status in stop_watching(machines.data)} == {"200"}


@pytest.fixture(scope="module")
def browser_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cookies of a browser, which visits one proxy after the other."""
    return tmp_path_factory.mktemp("browser") / "state.json"


def visit(machine: Machine, state: Path, act: Callable[[Page], None]) -> None:
    """Let a browser act at the site by the proxy of this machine."""
    with machine.network(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        context = browser.new_context(
            base_url=SITE, ignore_https_errors=True, locale="en-GB", storage_state=state if state.exists() else None
        )
        act(context.new_page())
        context.storage_state(path=state)
        browser.close()


def address_of_table(machine: Machine, number: int) -> str:
    wanted = f"round__evening__season__game='tarot', round__evening__state='open', round__number=2, number={number}"
    return shell(machine, f"from league.models import Table; print(Table.objects.get({wanted}).get_absolute_url())")


def test_what_was_recorded_is_there_after_the_switch_and_more_can_be_recorded(
    machines: Machines, browser_state: Path
) -> None:
    deals = row_count(machines.one, "Deal")
    first, second = (address_of_table(machines.one, number) for number in (6, 7))

    def sign_in_and_record(page: Page) -> None:
        sign_in(page)
        record(page, first)

    follow(machines.data, "data", "When data fails", "wait")
    visit(machines.data, browser_state, sign_in_and_record)
    # It loses its power: nothing is said to anybody.
    machines.data.run("ip link set eth0 down")
    machines.data.run("".join(f"systemctl kill --signal=KILL {name}; systemctl stop {name}\n" for name in SWITCHED_OFF))

    assert follow(machines.standby, "standby", "When data fails", "promote").strip() == "t"
    on_both(lambda here: follow(getattr(machines, here), here, "When data fails", "switch"))
    assert row_count(machines.one, "Deal") == deals + 1

    def record_without_signing_in(page: Page) -> None:
        page.goto(first)
        expect(page.get_by_text("Complete", exact=True)).to_be_visible()
        record(page, second)

    visit(machines.standby, browser_state, record_without_signing_in)
    assert row_count(machines.two, "Deal") == deals + 2
    assert "Every stored number follows" in follow(machines.one, "one", "When data fails", "verify")
    for machine in (machines.one, machines.two):
        machine.run("".join(f"systemctl is-active {service}\n" for service in SERVICES))


def test_the_repaired_machine_becomes_the_standby(machines: Machines) -> None:
    machines.data.run("ip link set eth0 up; systemctl start postgresql")
    changed = "data=10.0.0.20 standby=10.0.0.10\n"
    machines.data.run(variables("data") + changed + blocks("The standby", "standby"))
    assert standby_is_equal(machines.standby)
