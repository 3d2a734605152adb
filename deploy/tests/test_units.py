"""The services are valid for systemd and have few privileges."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from bench.load import unit_command
from deploy import web_worker

DEPLOY = Path(__file__).resolve().parent.parent
UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir() if path.is_file())
SERVICES = [name for name in UNITS if name.endswith(".service")]
EXPOSURE = 30  # of 100, by systemd-analyze's own count


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A copy of the units in which the program of a server is replaced by /bin/true."""
    folder = Path(shutil.copytree(DEPLOY / "systemd", tmp_path / "units"))
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_text(path.read_text().replace("/srv/league/current/.venv/bin/python", "/bin/true"))
    return folder


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    )


def exposed(unit: Path) -> bool:
    """Return whether a service is open to more than it should be."""
    return analyze("security", "--offline=true", f"--threshold={EXPOSURE}", unit).returncode != 0


@pytest.mark.parametrize("name", UNITS)
def test_systemd_reads_each_unit_without_a_complaint(units: Path, name: str) -> None:
    looked = analyze("verify", "--man=no", units / name)
    assert (looked.returncode, looked.stderr) == (0, "")


def test_a_unit_with_a_slip_is_complained_of(units: Path) -> None:
    unit = units / "league-web.service"
    unit.write_text(unit.read_text().replace("NotifyAccess", "NotifyAcces"))
    assert "NotifyAcces" in analyze("verify", "--man=no", unit).stderr


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_is_closed_to_what_it_does_not_need(units: Path, name: str) -> None:
    assert not exposed(units / name)


def test_a_service_that_lost_what_all_have_in_common_is_exposed(units: Path) -> None:
    (units / "league-.service.d" / "common.conf").unlink()
    assert exposed(units / "league-web.service")


def test_the_target_starts_every_service_and_stops_them() -> None:
    target = (DEPLOY / "systemd" / "league.target").read_text()
    [wanted] = [line.removeprefix("Wants=").split() for line in target.splitlines() if line.startswith("Wants=")]
    assert sorted(wanted) == SERVICES
    for name in SERVICES:
        assert "PartOf=league.target\n" in (DEPLOY / "systemd" / name).read_text()


def test_the_web_server_has_the_limits_of_the_local_start() -> None:
    assert f" {shlex.join(web_worker.OPTIONS)}" in (DEPLOY / "systemd" / "league-web.service").read_text()


def test_a_worker_has_the_clock_or_the_clock_has_a_service() -> None:
    """Two clocks would be harmless, but none would stop the nights."""
    beat, worker = ((DEPLOY / "systemd" / f"league-{name}.service").read_text() for name in ("beat", "worker"))
    [condition] = re.findall(r"^ExecCondition=(.*)$", beat, re.MULTILINE)
    assert " --schedule-filename /var/lib/league/beat-schedule $WORKER_OPTIONS\n" in worker
    for options, starts in (("", True), ("--beat", False)):
        command = [word.replace("${WORKER_OPTIONS}", options) for word in shlex.split(condition)]
        assert (subprocess.run(command).returncode == 0) is starts


def test_no_service_promises_a_reload() -> None:
    """gunicorn would start its workers anew with the code and the settings that its main process has loaded before."""
    for name in SERVICES:
        assert "ExecReload" not in (DEPLOY / "systemd" / name).read_text()


@pytest.mark.parametrize("service", SERVICES)
def test_measurements_can_start_each_service_as_its_unit_does(service: str, tmp_path: Path) -> None:
    """A variable of systemd that bench/load.py does not know would reach the program as text."""
    name = service.removeprefix("league-").removesuffix(".service")
    command = unit_command(name, "127.0.0.1:9", tmp_path)  # stops at a variable that it does not know
    assert ("127.0.0.1:9" in command) == (name == "web")
