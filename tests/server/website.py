"""The site of a booted server, for the tests that follow the documents."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from deploy.local import DEMO_LOGINS, DEMO_PASSWORD
from tests.server.machine import Machine

NAME = "cards.localhost"
SITE = f"https://{NAME}"
# In place of what a volunteer types in the editor, and of an authority that would have to reach us.
EDITOR = rf"""#!/bin/sh
sed -i 's|^EMAIL_URL=.*|EMAIL_URL=file:///var/lib/league/mail|; s|Example|Our|; s|cards@club.example|cards@{NAME}|' "$1"
"""
CERTBOT = rf"""#!/bin/sh
set -e
cd /usr/local/share/ca-certificates
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=Our authority' -keyout /root/ca.key -out ours.crt
openssl req -newkey rsa:2048 -nodes -subj '/CN={NAME}' -keyout /root/site.key -out /root/site.csr
echo 'subjectAltName=DNS:{NAME}' > /root/names
openssl x509 -req -in /root/site.csr -CA ours.crt -CAkey /root/ca.key -days 2 -extfile /root/names -out /root/site.crt
update-ca-certificates
mkdir -p /etc/letsencrypt/live/{NAME}
cp /root/site.crt /etc/letsencrypt/live/{NAME}/fullchain.pem
cp /root/site.key /etc/letsencrypt/live/{NAME}/privkey.pem
"""


def fetch(server: Machine, address: str, *options: str) -> tuple[int, dict[str, str], str]:
    """Ask for an address with curl; status, headers and text."""
    output = server.run(f"curl --silent --show-error --include --compressed {' '.join(options)} '{address}'")[1]
    head, _gap, text = output.replace("\r\n", "\n").partition("\n\n")
    status, *lines = head.splitlines()
    return int(status.split()[1]), {name.lower(): text for name, text in (line.split(": ", 1) for line in lines)}, text


def shell(server: Machine, program: str) -> str:
    """Return the last line that a program prints, which knows the models."""
    output = server.run(f'/srv/league/current/deploy/manage shell --no-imports --command "{program}"', fails=True)[1]
    return output.strip().splitlines()[-1]


def row_count(server: Machine, model: str) -> int:
    return int(shell(server, f"from league.models import {model}; print({model}.objects.count())"))


def wait_until(server: Machine, program: str, awaited: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while (output := shell(server, program)) != awaited:
        assert time.monotonic() < end, output
        time.sleep(1)


WATCHER = f"""
while [ ! -e /tmp/enough ]; do
    printf '%s ' "$(date +%s.%N)"
    curl --silent --insecure --max-time 90 --output /tmp/shown --write-out '%{{http_code}} %{{errormsg}}\\n' {SITE}/
    if grep --quiet 'Back in a minute' /tmp/shown; then cp /tmp/shown /tmp/maintenance; fi
    sleep 0.3
done > /tmp/watched 2>&1
touch /tmp/watched-out
"""


def watch(proxy: Machine) -> None:
    """Request the first page again and again."""
    proxy.run(f"rm -f /tmp/enough /tmp/watched-out; cat > /tmp/watcher <<'END'\n{WATCHER}END")
    proxy.run("systemd-run --quiet bash /tmp/watcher")


def stop_watching(proxy: Machine) -> list[list[str]]:
    """End the watch; return the time and status of each response, with curl's message if there was none."""
    proxy.run("touch /tmp/enough; while [ ! -e /tmp/watched-out ]; do sleep 0.2; done")
    return [line.rstrip().split(maxsplit=1) for line in proxy.run("cat /tmp/watched")[1].splitlines()]


def sign_in(page: Page) -> None:
    """Sign in as the demo's secretary."""
    page.goto("/account/login/")
    page.get_by_label("E-mail").fill(DEMO_LOGINS[0])
    page.get_by_role("textbox", name="Password").fill(DEMO_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def record(page: Page, table: str) -> None:
    """Record a deal of 001's first example at the table, which lacks one."""
    page.goto(table)
    page.get_by_role("link", name="Record a deal").click()
    for group, choice in (("Contract", "Guard"), ("Oudlers", "2"), ("Small won in the last trick by", "attack")):
        page.get_by_role("group", name=group, exact=True).get_by_role("radio", name=choice, exact=True).check()
    page.get_by_role("group", name="Taker", exact=True).get_by_role("radio").first.check()
    page.get_by_label("Points", exact=True).fill("60")
    page.get_by_role("button", name="Record the deal").click()
    expect(page.get_by_text("Complete", exact=True)).to_be_visible()


def close(page: Page, evening: str) -> None:
    page.goto(evening)
    page.get_by_role("link", name="Close the evening").click()
    page.get_by_label("Close it although something is open").check()
    page.get_by_role("button", name="Close the evening").click()
    expect(page.get_by_text("Closed").first).to_be_visible()
