"""A backup's file returns the same content; other files are refused."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.operations.work.backups import archive
from league.operations.work.backups.archive import Manifest, UnreadableArchive
from tests.examples import examples

MANIFEST = Manifest("2026-11-23T04:30:00+00:00", 180006, {"public.league_deal": 3})
DUMP = [b"PGDMP", bytes(300_000), b"\n" * 70_000, b"end"]
KEYS = ["", "AGE-SECRET-KEY-1LLVAJ05E4KP64FNPV6NKFR6TA5A7J3D3CKMNX6F69XFYWJAXSMVQ29ZG6G"]


def an_archive(folder: Path, key: str) -> Path:
    path = folder / "league.backup"
    with path.open("wb") as out:
        archive.write_archive([MANIFEST.line(), *DUMP], out, key=key)
    return path


def read(path: Path, key: str) -> tuple[Manifest | None, bytes]:
    output = io.BytesIO()
    return archive.read_archive(path, key, output.write), output.getvalue()


@pytest.mark.parametrize("key", KEYS, ids=["plain", "encrypted"])
def test_what_goes_in_comes_out(tmp_path: Path, key: str) -> None:
    assert read(an_archive(tmp_path, key), key) == (MANIFEST, b"".join(DUMP))


@given(pieces=st.lists(st.binary(max_size=300)), encrypted=st.booleans())
@settings(max_examples=examples(50))
def test_pieces_of_any_size(tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], encrypted: bool) -> None:
    path = tmp_path_factory.mktemp("archive") / "league.backup"
    with path.open("wb") as out:
        archive.write_archive([MANIFEST.line(), *pieces], out, key=KEYS[encrypted])
    assert read(path, KEYS[encrypted]) == (MANIFEST, b"".join(pieces))


@pytest.mark.parametrize("key", KEYS, ids=["plain", "encrypted"])
@pytest.mark.parametrize("part", [0.01, 0.5, 0.999])
def test_what_is_cut_off_is_not_read(tmp_path: Path, key: str, part: float) -> None:
    path = an_archive(tmp_path, key)
    content = path.read_bytes()
    path.write_bytes(content[: max(12, int(len(content) * part))])
    with pytest.raises(UnreadableArchive):
        read(path, key)


@pytest.mark.parametrize("key", KEYS, ids=["plain", "encrypted"])
@pytest.mark.parametrize("part", [0.05, 0.5, 0.999])
def test_what_was_changed_is_not_read(tmp_path: Path, key: str, part: float) -> None:
    path = an_archive(tmp_path, key)
    content = bytearray(path.read_bytes())
    content[max(len(archive.ENCRYPTED_PREFIX), int(len(content) * part))] ^= 1
    path.write_bytes(content)
    with pytest.raises(UnreadableArchive):
        read(path, key)


@pytest.mark.parametrize("key", KEYS, ids=["plain", "encrypted"])
def test_what_something_was_added_to_is_not_read(tmp_path: Path, key: str) -> None:
    path = an_archive(tmp_path, key)
    with path.open("ab") as out:
        out.write(b"x")
    with pytest.raises(UnreadableArchive):
        read(path, key)


def test_the_key_is_needed_and_the_right_one(tmp_path: Path) -> None:
    path = an_archive(tmp_path, archive.generate_key())
    with pytest.raises(UnreadableArchive, match="set BACKUP_KEY"):
        read(path, "")
    with pytest.raises(UnreadableArchive, match="another key"):
        read(path, archive.generate_key())


def test_nothing_can_be_read_in_what_is_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "league.backup"
    with path.open("wb") as out:
        archive.write_archive([MANIFEST.line(), b"Chlo\xc3\xa9 Martin" * 5], out, key=KEYS[1])
    assert b"Martin" not in path.read_bytes()
    assert b"league_deal" not in path.read_bytes()


@pytest.mark.parametrize("text", [b"", b"PNG", b"\x1f\x8b", b"age-encryption.org/v1\n"])
def test_another_file_is_no_backup(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "holiday.png"
    path.write_bytes(text)
    with pytest.raises(UnreadableArchive):
        read(path, KEYS[1])


def test_a_failure_of_what_is_written_is_raised_as_it_is() -> None:
    def contents() -> list[bytes]:
        raise ZeroDivisionError

    for key in KEYS:
        with pytest.raises(ZeroDivisionError):
            archive.write_archive((piece for _ in range(1) for piece in contents()), io.BytesIO(), key=key)


def test_gunzip_opens_one_without_a_key(tmp_path: Path) -> None:
    gunzip = shutil.which("gunzip")
    assert gunzip
    with an_archive(tmp_path, "").open("rb") as source:
        opened = subprocess.run([gunzip], stdin=source, capture_output=True, check=True)
    assert opened.stdout == MANIFEST.line() + b"".join(DUMP)
