"""A Debian server for tests: the files and the systemd of a new system in namespaces; the host is not changed.

Its disk is an overlay in memory, its ports are its own, and everything ends with it. It needs root, on a Debian whose
container allows namespaces and mounts.

python -m tests.server.machine              ends with an error that names the missing requirement
python -m tests.server.machine containers   the same for a server that runs containers
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from deploy import child
from tests import debian
from tests.terminal import type_at

BOOT = Path(__file__).with_name("boot.sh")
HOST_PACKAGES = ("mmdebstrap", "iproute2", "util-linux")  # to create and boot a server
CONTAINERS_TRIAL_PACKAGES = {"ip": "iproute2", "nft": "nftables", "sysctl": "procps"}  # programs and their packages
CONTAINERS_MEMORY = 6 << 30  # bytes: the images of two releases, which are stored in memory, and what runs
SYSTEM = ("systemd-sysv", "dbus", "iproute2", "procps", "adduser", "ca-certificates")  # on each server
AUTHORITIES = Path("/usr/local/share/ca-certificates")  # certificates that this machine trusts
PATIENCE = 60.0  # seconds, on a machine busy with others
_PASSED_ON = ("pip_", "ssl_", "http_proxy", "https_proxy", "no_proxy")  # variables about package sources
_CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


# All that a boot needs of the container, tried and taken back: a group of processes, and an overlay in its own mounts.
TRIAL = """
set -euo pipefail
group=$1/league-trial-$$
mkdir "$group"
rmdir "$group"
exec unshare --mount --pid --net --ipc --uts --cgroup --fork bash -euc '
    mount --make-rprivate /
    mount -t tmpfs tmpfs /mnt
    mkdir /mnt/upper /mnt/work /mnt/root /mnt/groups
    mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
    mount -t cgroup2 cgroup2 /mnt/groups'
"""
# What containers on it need besides: a network of their own, which translates addresses and may change its settings.
CONTAINERS_TRIAL = """
exec unshare --mount --net bash -euc '
    mount --bind /proc/sys/net /proc/sys/net
    mount -o remount,bind,rw /proc/sys/net
    sysctl --quiet --write net.ipv4.ip_forward=1
    ip link add bridge type bridge
    ip link add one type veth peer name two
    nft add table inet trial
    nft "add chain inet trial nat { type nat hook postrouting priority srcnat; }"
    nft add rule inet trial nat ip saddr 10.0.0.0/8 masquerade'
"""


def why_unavailable(*, containers: bool = False) -> str:
    """Return the reason why no server can be booted here, with `containers` no server that runs containers; or ""."""
    if not debian.is_ours():
        return "it needs root on a Debian"
    try:
        groups = _cgroups()
    except AssertionError as missing:
        return str(missing)
    trials = [["bash", "-c", TRIAL, "trial", str(groups)]]
    if containers:
        if _available_memory() < CONTAINERS_MEMORY:
            return f"it needs {CONTAINERS_MEMORY >> 30} GB of available memory"
        if not all(shutil.which(program) for program in CONTAINERS_TRIAL_PACKAGES):
            debian.install(*CONTAINERS_TRIAL_PACKAGES.values())
        trials.append(["bash", "-c", CONTAINERS_TRIAL])
    for trial in trials:
        tried = subprocess.run(trial, capture_output=True, text=True, check=False)
        if tried.returncode:
            return " ".join(tried.stderr.split()) or f"a trial ended with status {tried.returncode}"
    return ""


def a_system(suite: str, path: Path, *packages: str, boots: bool = True) -> Path:
    """Return the files of a new Debian, with these packages, and with systemd if it `boots`.

    They are in a folder, or in one file if the path ends with .tar.
    """
    with (Path(tempfile.gettempdir()) / "league-debian.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another server may be made at the same time
        if not all(shutil.which(program) for program in ("mmdebstrap", "ip", "unshare")):
            debian.install(*HOST_PACKAGES)
    included = (*(SYSTEM if boots else ("ca-certificates",)), *packages)
    options = ("--variant=minbase", f"--include={','.join(included)}")
    trusted = (
        f"--customize-hook=copy-in {AUTHORITIES} /usr/local/share",
        '--customize-hook=chroot "$1" update-ca-certificates',
    )
    result = subprocess.run(
        ["mmdebstrap", "--quiet", *options, *trusted, suite, path], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return path


class Machine:
    def __init__(self, folder: Path, source: Path, files: Path) -> None:
        """Boot a Debian's files, which are not changed; `source` is its /mnt."""
        self._cgroup = _cgroups() / f"league-{os.getpid()}-{folder.name}"
        self._cgroup.mkdir(exist_ok=True)
        spaces = ("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup")
        self._process = subprocess.Popen(
            ["unshare", *spaces, "--fork", "--kill-child", "bash", BOOT, folder, source, files],
            preexec_fn=self._enter_cgroup,
        )
        self.pid = self._first_process()
        self._wait_for_boot()

    def _enter_cgroup(self) -> None:
        child.die_with_parent(signal.SIGKILL)
        (self._cgroup / "cgroup.procs").write_text("0")

    def _first_process(self) -> int:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError):
                for pid in children.read_text().split():
                    if Path(f"/proc/{pid}/comm").read_text() == "systemd\n":
                        return int(pid)
            assert self._process.poll() is None, "it needs root, and a container that allows namespaces and mounts"
            time.sleep(0.05)
        raise AssertionError("systemd doesn't start")

    def _wait_for_boot(self) -> None:
        end = time.monotonic() + PATIENCE
        while (state := self.run("systemctl is-system-running", fails=True)[1].strip()) not in ("running", "degraded"):
            assert time.monotonic() < end, state
            time.sleep(0.2)

    def command(self, script: str, *, online: bool = False) -> list[str]:
        """Return the command that runs a script in it; with `online` in the host's network, for packages."""
        spaces = ("--mount", "--pid", "--ipc", "--uts", "--cgroup", *(() if online else ("--net",)))
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        shell = ("env", "HOME=/root", f"PATH={path}", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", "bash", "-c")
        return ["nsenter", "--target", str(self.pid), *spaces, "--root", "--wd", *shell, script]

    def run(self, script: str, *, online: bool = False, fails: bool = False, seconds: float = 300) -> tuple[int, str]:
        """Run a script in it, and return status and output. A status other than 0 is an error unless `fails`."""
        process = subprocess.run(
            self.command(f"set -euo pipefail\n{script}", online=online),
            env={name: value for name, value in os.environ.items() if name.lower().startswith(_PASSED_ON)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
        assert fails or process.returncode == 0, f"{script}\nended with status {process.returncode}:\n{process.stdout}"
        return process.returncode, process.stdout

    def type(self, script: str, answers: Sequence[tuple[str, str]]) -> str:
        """Run a script at a terminal, and type each answer after its question; return the screen."""
        command = self.command(f"timeout --foreground {PATIENCE:.0f} {script}")
        return type_at(command, answers, {"PATH": os.environ["PATH"], "TERM": "dumb"})

    def write(self, path: str, text: str, *, mode: int = 0o644) -> None:
        self.run(f"printf %s {shlex.quote(text)} > {path}; chmod {mode:o} {path}")

    @contextmanager
    def network(self) -> Iterator[None]:
        """Run this thread in the machine's network inside the block."""
        with Path(f"/proc/{self.pid}/ns/net").open() as theirs, Path("/proc/thread-self/ns/net").open() as ours:
            _enter(theirs.fileno())
            try:
                yield
            finally:
                _enter(ours.fileno())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        end = time.monotonic() + PATIENCE
        while Path(f"/proc/{self.pid}").exists() and time.monotonic() < end:
            time.sleep(0.05)
        for folder in sorted(self._cgroup.rglob("*/"), reverse=True):
            folder.rmdir()
        self._cgroup.rmdir()


def connect(machines: Mapping[str, Machine]) -> None:
    """Put machines, by their addresses, into one network; its switch is in the first machine."""

    def ip(machine: Machine, arguments: str) -> None:
        subprocess.run(["nsenter", f"--target={machine.pid}", "--net", "ip", *arguments.split()], check=True)

    first = next(iter(machines.values()))
    ip(first, "link add switch type bridge")
    ip(first, "link set switch up")
    for number, (address, machine) in enumerate(machines.items()):
        ip(first, f"link add port{number} type veth peer name eth0 netns {machine.pid}")
        ip(first, f"link set port{number} master switch up")
        ip(machine, f"address add {address}/24 dev eth0")
        ip(machine, "link set eth0 up")


def _enter(descriptor: int) -> None:
    if _libc.setns(descriptor, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def _cgroups() -> Path:
    """Return the mount point of control groups, version 2."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _device, place, kind, *_rest = line.split()
        if kind == "cgroup2":
            return Path(place)
    raise AssertionError("a systemd needs control groups (cgroup2), which this machine has not")


def _available_memory() -> int:
    """Return bytes."""
    [kilobytes] = re.findall(r"^MemAvailable: +(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    return int(kilobytes) << 10


def a_copy(root: Path, place: Path) -> Path:
    """Copy the files under version control, with changes, into a new repository."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listing.stdout.split("\0"):
        if name and (root / name).exists():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, place / name)
    git(place, "init", "--quiet", "--initial-branch=main")
    return place


def git(place: Path, *arguments: str) -> None:
    """Run git there with a test identity."""
    identity = ("-c", "user.name=Test", "-c", "user.email=test@club.localhost")
    subprocess.run(["git", "-C", place, *identity, *arguments], check=True)


def release(place: Path, tag: str) -> None:
    """Commit and tag everything."""
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "--allow-empty", "--message", tag)
    git(place, "tag", tag)


def next_release(releases: Path, tag: str, *statements: str, rolling: bool = False) -> None:
    """Make a release whose migrations run these statements; `rolling` is what they state."""
    before = max(path.stem for path in (releases / "players" / "migrations").glob("[0-9]*.py"))
    for number, statement in enumerate(statements):
        name = f"9{tag[3]}0{number}_next"
        (releases / "players" / "migrations" / f"{name}.py").write_text(
            "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
            f'    rolling = {rolling}\n    dependencies = [("players", "{before}")]\n'
            f'    operations = [migrations.RunSQL("{statement}")]\n'
        )
        before = name
    release(releases, tag)


if __name__ == "__main__":
    sys.exit(why_unavailable(containers="containers" in sys.argv[1:]) or 0)
