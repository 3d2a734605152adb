"""Real servers for copies of backups, S3 and SFTP, by `rclone serve`. Their files are in a folder of this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from deploy.child import preexec_to_die_with_parent

RCLONE: Final = str(Path(sys.executable).parent / "rclone")  # Debian's has no S3 server yet
USER, PASSWORD = "club", "a-password-of-the-tests"
PATIENCE: Final = 60.0  # seconds


class CopyServer(NamedTuple):
    address: str  # BACKUP_COPY_TO
    config: Path  # BACKUP_COPY_CONFIG
    files: Path  # of that address

    def names(self) -> list[str]:
        """Return the names of all files, those of unfinished uploads with their folder."""
        return sorted(str(path.relative_to(self.files)) for path in self.files.rglob("*") if path.is_file())


@contextmanager
def copy_server(protocol: str, folder: Path) -> Iterator[CopyServer]:
    files = folder / "served" / "bucket" / "league"
    files.mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    login = ["--auth-key", f"{USER},{PASSWORD}"] if protocol == "s3" else ["--user", USER, "--pass", PASSWORD]
    command = [RCLONE, "serve", protocol, f"--addr=127.0.0.1:{port}", *login, f"--cache-dir={folder / 'cache'}"]
    # Tests write files beside the server. With 0s it may empty its caches in an endless loop, on a whole processor.
    cache_time = "--dir-cache-time=50ms"
    process = subprocess.Popen(
        [*command, f"--config={folder / 'none.conf'}", cache_time, str(folder / "served")],
        stderr=subprocess.DEVNULL,
        preexec_fn=preexec_to_die_with_parent(),
    )
    config = folder / "rclone.conf"
    config.write_text("\n".join(["[offsite]", *_section(protocol, port)]))
    try:
        _wait_until_open(port)
        yield CopyServer("offsite:bucket/league", config, files)
    finally:
        process.kill()
        process.wait()


def _section(protocol: str, port: int) -> list[str]:
    if protocol == "s3":
        keys = [f"access_key_id = {USER}", f"secret_access_key = {PASSWORD}"]
        return ["type = s3", "provider = Other", f"endpoint = http://127.0.0.1:{port}", *keys]
    obscured = subprocess.run([RCLONE, "obscure", PASSWORD], check=True, capture_output=True, text=True).stdout
    return ["type = sftp", "host = 127.0.0.1", f"port = {port}", f"user = {USER}", f"pass = {obscured}"]


def _wait_until_open(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < end, f"no server on port {port} within {PATIENCE:.0f} seconds"
            time.sleep(0.05)
        else:
            return
