"""docs/operations.md, followed exactly on a server: installed, used, upgraded, restored."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from deploy.local import DEMO_PASSWORD
from deploy.places import temporary_folder
from deploy.release import DUMPS_FOLDER
from tests.browser import FLAGS, chromium
from tests.server.machine import Machine, a_copy, a_system, git, next_release, release
from tests.server.page import commands
from tests.server.website import (
    CERTBOT,
    EDITOR,
    NAME,
    SITE,
    close,
    fetch,
    record,
    row_count,
    shell,
    sign_in,
    stop_watching,
    wait_until,
    watch,
)

pytestmark = pytest.mark.deploy  # in this order: each continues after the one before

ROOT = Path(__file__).resolve().parent.parent.parent
VARIABLES = f"name={NAME} admin=root@club.localhost source=/mnt version=v0.1.0 queue=redis-server\n"
AUTHORITY = "--cacert /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"  # of Caddy
SERVICES = ("league-web", "league-worker", "league-background", "league-beat")
AWAY = 60  # seconds, at most, in an upgrade
# For the script that installs one of the two servers. The mail server is still an example, as in league.env.
ANSWERS = f"""# as cloud-init writes them
DOMAIN={NAME}
SITE_NAME=L'Excuse & "friends"
ADMIN_EMAIL=root@club.localhost
EMAIL_URL=submission://user:password@mail.example:587
BACKUP_COPY_TO=offsite:bucket/league
HOSTED_BY='Our cellar'
"""

# Each in a process of its own, at the same time.
BOOKWORM, TRIXIE = (pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("bookworm", "trixie"))


@pytest.fixture(scope="module", params=[BOOKWORM, TRIXIE])
def suite(request: pytest.FixtureRequest) -> str:
    """Each Debian that the page names: 12 and 13."""
    return str(request.param)


@pytest.fixture(scope="module")
def releases(suite: str) -> Iterator[Path]:
    """A repository with this release; later ones come into it."""
    with temporary_folder() as folder:
        copy = a_copy(ROOT, folder / "source")
        release(copy, "v0.1.0")
        yield copy


@pytest.fixture(scope="module")
def server(releases: Path, suite: str) -> Iterator[Machine]:
    """A server with nothing of ours."""
    (releases.parent / "disk").mkdir()
    booted = Machine(releases.parent / "disk", releases, a_system(suite, releases.parent / "system"))
    try:
        booted.write("/usr/local/bin/editor", EDITOR, mode=0o755)
        booted.write("/usr/local/bin/certbot", CERTBOT, mode=0o755)
        yield booted
    finally:
        booted.close()


def test_the_page_installs_it(server: Machine, suite: str) -> None:
    """One server by the commands of the page, the other by the script that reads them there."""
    if suite == "bookworm":
        install_by_commands(server)
    else:
        install_by_script(server)
    asked_for = (
        ("E-mail address:", "root@club.localhost"),
        ("Password:", DEMO_PASSWORD),
        ("Password (again):", DEMO_PASSWORD),
    )
    [superuser] = commands("Install", "sh superuser")
    server.type(superuser.strip(), asked_for)
    server.run("".join(f"systemctl is-active {service}\n" for service in SERVICES))
    assert shell(server, "from players.models import User; print(User.objects.get().is_superuser)") == "True"


def install_by_commands(server: Machine) -> None:
    _variables, packages, settings, start, certificate = commands("Install")
    server.run(VARIABLES + packages, online=True)
    refused = server.run(VARIABLES + settings.replace("editor ", "cat ") + start, fails=True)
    assert refused[0] != 0
    assert "EMAIL_URL is still an example" in refused[1]
    server.run(VARIABLES + settings)
    server.run(VARIABLES + start)
    server.run(VARIABLES + certificate)


def install_by_script(server: Machine) -> None:
    """Stopped by a wrong answer, continued after its correction, and started again at the end."""
    server.run("install -d /etc/league")
    server.write("/etc/league/answers", ANSWERS, mode=0o600)
    server.write("/etc/league/answers.rclone", "[offsite]\ntype = local\n", mode=0o600)
    [fetched] = commands("Install by a script", "sh script")
    refused = server.run(f"{VARIABLES}cd /root\n{fetched}", online=True, fails=True, seconds=900)
    assert refused[0] != 0
    assert "EMAIL_URL is still an example" in refused[1]
    assert "/srv/league/v0.1.0/deploy/upgrade" in refused[1].rpartition("This command failed")[2]
    copies = server.run("grep BACKUP_COPY /etc/league/league.env; stat --format=%U:%a:%s /etc/league/rclone.conf")[1]
    assert copies.splitlines() == [
        'BACKUP_COPY_TO="offsite:bucket/league"',
        'BACKUP_COPY_CONFIG="/etc/league/rclone.conf"',
        "league:600:23",
    ]
    corrections = "s|^EMAIL_URL=.*|EMAIL_URL=file:///var/lib/league/mail|; /^BACKUP_COPY/d"
    server.run(f"sed -i '{corrections}' /etc/league/league.env")
    finished = server.run("/root/league/deploy/install")[1]
    code = finished.rpartition(" with the code ")[2].strip()
    program = f"from league.operations.queries.setup_code import is_setup_code; print(is_setup_code('{code}'))"
    assert shell(server, program) == "True"
    program = "from django.conf import settings; print(settings.SITE_NAME, settings.HOSTED_BY, settings.CONTACT)"
    assert shell(server, program) == """L'Excuse & "friends" Our cellar root@club.localhost"""
    files = "cat /etc/league/* /etc/nginx/sites-available/league; systemctl show league-web --property=MainPID"
    before = server.run(files)[1]
    assert "is installed" in server.run("/root/league/deploy/install")[1]
    assert server.run(files)[1] == before


def test_nothing_warns_of_the_settings(server: Machine) -> None:
    output = server.run("/srv/league/current/deploy/manage check --deploy --fail-level INFO")[1]
    assert "no issues" in output


def test_a_letter_lies_in_the_folder_that_the_page_names(server: Machine) -> None:
    letter = "'Hello', 'Hello', None, ['root@club.localhost']"
    shell(server, f"from django.core.mail import send_mail; print(send_mail({letter}))")
    assert "Subject: Hello" in server.run("cat /var/lib/league/mail/*")[1]


def test_nobody_else_reads_the_settings_and_no_service_is_root(server: Machine) -> None:
    assert server.run("stat --format=%U:%a /etc/league/league.env")[1] == "root:600\n"
    owners = server.run("ps -eo user:20,args | grep '[s]rv/league/current' | cut -d' ' -f1 | sort -u")[1]
    assert owners == "league\n"


def test_the_site_answers_by_https_alone(server: Machine) -> None:
    assert server.run("curl --silent --fail http://127.0.0.1:8001/livez")[1] == '{"database": true}'
    status, headers, _text = fetch(server, f"http://{NAME}/clubs?page=2")
    assert (status, headers["location"]) == (301, f"{SITE}/clubs?page=2")
    status, headers, text = fetch(server, f"{SITE}/")
    assert status == 200
    assert "max-age" in headers["strict-transport-security"]
    assert headers["content-encoding"] == "gzip"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert 'content="width=device-width' in text
    assert fetch(server, f"{SITE}/nowhere")[0] == 404


def test_static_files_have_their_hash_are_compressed_and_kept(server: Machine) -> None:
    _status, _headers, page = fetch(server, f"{SITE}/")
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert files
    for name in files:
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", name), name
        status, headers, _text = fetch(server, f"{SITE}{name}", "--output /dev/null --dump-header -")
        assert status == 200
        assert "immutable" in headers["cache-control"]
        if name.endswith((".css", ".js")):
            assert headers["content-encoding"] == "gzip", name


def test_what_is_too_large_or_too_slow_does_not_reach_the_site(server: Machine) -> None:
    large = "head -c 13000000 /dev/zero > /tmp/large\n"
    refused = server.run(
        f"{large}curl --silent --form a=@/tmp/large --write-out '%{{http_code}}' {SITE}/account/login/"
    )
    assert refused[1].endswith("413")
    slow = "exec 3<>/dev/tcp/127.0.0.1/80; printf 'GET / HTTP/1.1\\r\\nHost: a' >&3; timeout 20 cat <&3"
    server.run(slow)  # nginx ends it before our patience does


@pytest.mark.parametrize("dump", sorted(DUMPS_FOLDER.glob("*.dump")), ids=lambda dump: str(dump.stem))
def test_what_an_older_release_left_is_brought_up_to_date(server: Machine, dump: Path) -> None:
    """A whole club of each release, as PostgreSQL 15 dumped it."""
    server.run(f"install -o league /mnt/{dump.relative_to(ROOT)} /var/backups/league/older.dump")
    [_backup, restore] = commands("Backup and restore")
    server.run(restore.replace("now.dump", "older.dump"))
    server.run("/srv/league/current/deploy/manage recompute")
    assert "Every stored number follows" in server.run("/srv/league/current/deploy/manage verify")[1]
    assert row_count(server, "Deal") > 1000
    assert "Le Petit au bout" in fetch(server, f"{SITE}/")[2]


def test_a_secretary_signs_in_records_and_closes_and_the_night_follows(server: Machine) -> None:
    tonight = "round__evening__season__game='tarot', round__evening__state='open', round__number=2, number=6"
    program = f"from league.models import Table; t = Table.objects.get({tonight}); "
    addresses = shell(server, f"{program}print(t.get_absolute_url(), t.round.evening.get_absolute_url())")
    table, evening = addresses.split()
    deals, runs = row_count(server, "Deal"), row_count(server, "Run")
    with server.network(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_page(base_url=SITE, ignore_https_errors=True, locale="en-GB")
        sign_in(page)
        record(page, table)
        close(page, evening)
        browser.close()
    assert row_count(server, "Deal") == deals + 1
    program_done = f"from league.models import Run; print(Run.objects.filter(state='done').count() > {runs})"
    wait_until(server, program_done, "True")
    assert "Every stored number follows" in server.run("/srv/league/current/deploy/manage verify")[1]


def test_the_page_watches_it(server: Machine) -> None:
    [watched] = commands("Monitor")
    output = server.run(VARIABLES + watched)[1]
    assert '"healthy": true' in output
    assert "Every stored number follows" in output


def test_who_takes_over_finds_what_runs_and_from_where(server: Machine) -> None:
    [inspection] = commands("Taking over")
    release_, source, *_since_and_disk = server.run(inspection)[1].splitlines()
    assert (release_, source) == ("/srv/league/v0.1.0", "/mnt")


def test_what_is_killed_is_started_again(server: Machine) -> None:
    for service in SERVICES:
        server.run(f"systemctl kill --signal=KILL {service}")
    counts, end = list[str](), time.monotonic() + AWAY
    while fetch(server, f"{SITE}/")[0] != 200 or "0" in (counts := restarts(server)):
        assert time.monotonic() < end, counts
        time.sleep(1)
    server.run("".join(f"systemctl is-active --quiet {service}\n" for service in SERVICES))


def restarts(server: Machine) -> list[str]:
    """Return how often each service was started again."""
    return [server.run(f"systemctl show --value --property=NRestarts {service}")[1].strip() for service in SERVICES]


def test_a_backup_is_made_by_itself_and_stands_its_trial(server: Machine) -> None:
    """Nightly and weekly work that was never done is due a minute after the start."""
    kinds = "from league.models import Check; print({*Check.objects.filter(ok=True).values_list('kind', flat=True)}"
    wait_until(server, f"{kinds} >= {{'backup', 'drill'}})", "True", seconds=240)
    server.run("ls /var/backups/league/league-*.backup")
    journal = server.run("journalctl --unit='league-*' --output=cat")[1]
    assert '"event": "failed"' not in journal


def test_the_page_makes_a_backup_and_restores_it(server: Machine) -> None:
    backup, restore = commands("Backup and restore")
    server.run(backup)
    shell(server, "from league.models import Club; print(Club.objects.update(name='Lost'))")
    server.run(restore)
    assert shell(server, "from league.models import Club; print(Club.objects.get().name)") == "Le Petit au bout"
    assert fetch(server, f"{SITE}/")[0] == 200
    tried = server.run("/srv/league/current/deploy/manage restore_drill /var/backups/league/now.dump")[1]
    assert "Restored aside, counted and verified: now.dump." in tried


def broken_release(releases: Path, tag: str) -> None:
    """Make a release whose web server ends at once."""
    (releases / "league" / "wsgi.py").write_text("raise SystemExit(3)\n")
    release(releases, tag)


def upgrade(server: Machine, tag: str, *, before: str = "") -> tuple[int, str]:
    [block] = commands("Upgrade")
    _version, *lines = block.splitlines()
    *ready, start = lines
    server.run("\n".join([f"source=/mnt version={tag}", *ready]), online=True)
    return server.run(f"version={tag}\n{before}{start}", fails=True)


def test_an_upgrade_shows_the_maintenance_page_for_a_minute_at_most(server: Machine, releases: Path) -> None:
    next_release(releases, "v0.2.0", "CREATE TABLE players_upgraded (id int)")
    deals = row_count(server, "Deal")
    watch(server)
    status, output = upgrade(server, "v0.2.0")
    responses = stop_watching(server)
    assert status == 0, output
    assert "v0.2.0 runs" in output
    assert "nobody was signed out" in output
    assert {code for _moment, code in responses} == {"200", "503"}
    away = [float(moment) for moment, code in responses if code == "503"]
    print(f"away for {max(away) - min(away):.1f} s: {output}")
    assert max(away) - min(away) < AWAY
    assert "De retour dans une minute" in server.run("cat /tmp/maintenance")[1]
    assert server.run("readlink /srv/league/current")[1] == "/srv/league/v0.2.0\n"
    assert row_count(server, "Deal") == deals
    assert "Every stored number follows" in server.run("/srv/league/current/deploy/manage verify")[1]


TOO_LONG = "be brought up to date within 20 seconds"


@pytest.mark.parametrize(
    ("tag", "spoil", "message"),
    [
        ("v0.3.0", lambda releases: broken_release(releases, "v0.3.0"), "does not start"),
        (
            "v0.4.0",
            lambda releases: next_release(releases, "v0.4.0", "SELECT 1 / 0"),
            "be brought up to date, for the reason above",
        ),
        ("v0.5.0", lambda releases: next_release(releases, "v0.5.0", "SELECT pg_sleep(90)"), TOO_LONG),
    ],
    ids=["no start", "error", "too long"],
)
@pytest.mark.parametrize("suite", [BOOKWORM], indirect=True, scope="module")  # no part of Debian's makes a difference
def test_after_an_upgrade_that_fails_or_takes_too_long_the_old_release_runs_on(
    server: Machine, releases: Path, tag: str, spoil: Callable[[Path], None], message: str
) -> None:
    deals = row_count(server, "Deal")
    git(releases, "checkout", "--quiet", "v0.2.0")
    spoil(releases)
    status, output = upgrade(server, tag, before="LIMIT=20 " if message == TOO_LONG else "LIMIT=300 ")
    assert status != 0
    assert message in output
    assert "v0.2.0 runs on, on the database as it was" in output
    assert server.run("readlink /srv/league/current")[1] == "/srv/league/v0.2.0\n"
    assert fetch(server, f"{SITE}/")[0] == 200
    assert row_count(server, "Deal") == deals


def test_caddy_serves_it_as_well(server: Machine) -> None:
    server.run("apt-get install --yes --quiet=2 caddy", online=True)
    [caddy] = commands("Install", "sh caddy")
    server.run(VARIABLES + caddy)
    server.run(
        f"for i in $(seq 30); do curl --silent {AUTHORITY} --output /dev/null {SITE}/ && exit; sleep 1; done; exit 1"
    )
    status, headers, page = fetch(server, f"{SITE}/", AUTHORITY)
    assert (status, headers["content-encoding"]) == (200, "gzip")
    [style, *_rest] = re.findall(r'href="(/static/[^"]+\.css)"', page)
    for wanted in ("br", "gzip"):
        accepted = f"--header 'Accept-Encoding: {wanted}'"
        status, headers, _text = fetch(
            server, f"{SITE}{style}", AUTHORITY, accepted, "--output /dev/null --dump-header -"
        )
        assert (status, headers["content-encoding"]) == (200, wanted)
    assert "immutable" in headers["cache-control"]
    server.run("systemctl stop 'league*'")
    status, headers, page = fetch(server, f"{SITE}/", AUTHORITY)
    assert (status, headers["retry-after"]) == (503, "60")
    assert "Back in a minute" in page
    server.run("systemctl start league.target")
    for address in ("healthz", "livez"):
        assert fetch(server, f"{SITE}/{address}", AUTHORITY)[0] == 200


def test_a_club_is_deleted_and_an_older_backup_does_not_bring_it_back(server: Machine) -> None:
    due = "from league.models import Club; from league.operations.work.clock import database_now; "
    shell(server, f"{due}print(Club.objects.update(delete_at=database_now()))")
    shell(server, "from league.operations.tasks.jobs import tick; print(tick.delay())")
    wait_until(server, "from league.models import Club; print(Club.objects.count())", "0")
    assert row_count(server, "Deal") == 0
    [_backup, restore] = commands("Backup and restore")
    output = server.run(restore)[1]
    assert (row_count(server, "Club"), row_count(server, "Deal")) == (0, 0), output
    assert "Every stored number follows" in server.run("/srv/league/current/deploy/manage verify")[1]
