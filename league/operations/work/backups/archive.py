"""The file format of a backup: a line with the manifest, then the output of pg_dump. Gzip compresses both.

With BACKUP_KEY the file is also encrypted. Standard programs can read it: `age --decrypt --identity KEYFILE | gunzip |
tail --lines +2 | pg_restore …`. A truncated or damaged file is detected, at its end at the latest. This module does not
import the database.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

import pyrage

# The first bytes of a file that is encrypted by age, compressed by gzip, or plain output of pg_dump.
ENCRYPTED_PREFIX, COMPRESSED_PREFIX, DUMP_PREFIX = b"age-encryption.org/", b"\x1f\x8b", b"PGDMP"
GZIP_WBITS = 31  # zlib's value of `wbits` for the gzip format
COMPRESSION_LEVEL = 3  # nearly three times as fast as gzip's default 6; the file is a tenth larger
CHUNK_SIZE = 1 << 16  # bytes
MAX_MANIFEST_LENGTH = 10_000_000  # bytes

ChunkWriter = Callable[[bytes], object]


class UnreadableArchive(ValueError):
    """The file is damaged, truncated, encrypted with another key, or not a backup. The message is for the admin."""


class Manifest(NamedTuple):
    """The first line of a backup: its time, the version of PostgreSQL, and the number of rows of each table."""

    made_at: str
    postgres: int  # version number, 150018 for 15.18
    rows: dict[str, int]

    def line(self) -> bytes:
        return json.dumps(self._asdict()).encode() + b"\n"


def generate_key() -> str:
    return str(pyrage.x25519.Identity.generate())


def check_key(key: str) -> None:
    """Raise ValueError, with a message for the admin, if the key is not valid."""
    _parse_key(key)


def write_archive(contents: Iterable[bytes], out: IO[bytes], *, key: str) -> None:
    """Compress the contents, encrypt them unless `key` is empty, and write them to `out`."""
    source = _IteratorFile(_compress(contents))
    if not key:
        while chunk := source.read(CHUNK_SIZE):
            out.write(chunk)
        return
    try:
        pyrage.encrypt_io(source, out, [_parse_key(key).to_public()])
    except pyrage.EncryptError:
        if source.failure:
            raise source.failure from None
        raise


def read_archive(path: Path, key: str, dump: ChunkWriter) -> Manifest | None:
    """Read a backup: call the function `dump` with each chunk of pg_dump's output, and return the manifest.

    Return None for plain output of pg_dump, which has no manifest. Raise UnreadableArchive, perhaps only at the end of
    the file: then the chunks must not be used.
    """
    if is_bare_dump(path):
        _refuse_unencrypted(path.name, key)
        with path.open("rb") as source:
            while chunk := source.read(CHUNK_SIZE):
                dump(chunk)
        return None
    contents = _ContentParser(dump)
    unpack_archive(path, key, contents.write)
    if contents.manifest is None:
        raise UnreadableArchive(f"{path.name} is no backup.")
    return contents.manifest


def unpack_archive(path: Path, key: str, sink: ChunkWriter) -> None:
    """Decrypt the file if it is encrypted, decompress it, and call `sink` with each chunk.

    Raise UnreadableArchive, perhaps only at the end of the file: then the chunks must not be used.
    """
    with path.open("rb") as source:
        head = source.peek(len(ENCRYPTED_PREFIX))
        unpacked = _Decompressor(sink, path.name)
        if head.startswith(COMPRESSED_PREFIX):
            _refuse_unencrypted(path.name, key)
            while chunk := source.read(CHUNK_SIZE):
                unpacked.write(chunk)
        elif head.startswith(ENCRYPTED_PREFIX):
            _decrypt(source, unpacked, key, path.name)
        else:
            raise UnreadableArchive(f"{path.name} is no backup.")
        unpacked.end()


def is_bare_dump(path: Path) -> bool:
    """Return whether the file is plain output of pg_dump, which an older release or a user has written."""
    with path.open("rb") as source:
        return source.peek(len(DUMP_PREFIX)).startswith(DUMP_PREFIX)


def _refuse_unencrypted(name: str, key: str) -> None:
    """Raise UnreadableArchive if BACKUP_KEY (`key`) is set. Call it for a file that is not encrypted.

    Any user with write access to the folder could have written such a file.
    """
    if key:
        raise UnreadableArchive(
            f"{name} is not encrypted, and BACKUP_KEY is set: it may be anybody's. If you know that it is yours, "
            "empty BACKUP_KEY while you restore it."
        )


def _decrypt(source: IO[bytes], unpacked: _Decompressor, key: str, name: str) -> None:
    if not key:
        raise UnreadableArchive(f"{name} is encrypted: set BACKUP_KEY to the key that it was written with.")
    try:
        pyrage.decrypt_io(source, unpacked, [_parse_key(key)])
    except pyrage.DecryptError:
        raise UnreadableArchive(f"BACKUP_KEY does not open {name}: it was written with another key.") from None
    except OSError as error:
        # An error of the library has no errno. An error while writing the dump has one.
        if error.errno is None:
            raise UnreadableArchive(f"{name} is damaged or cut off ({error}).") from None
        raise


def _parse_key(key: str) -> pyrage.x25519.Identity:
    try:
        return pyrage.x25519.Identity.from_str(key.strip())
    except pyrage.IdentityError:
        raise ValueError("BACKUP_KEY is no key: `manage.py backup_key` makes one.") from None


def _compress(contents: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(COMPRESSION_LEVEL, wbits=GZIP_WBITS)
    for chunk in contents:
        yield packer.compress(chunk)
    yield packer.flush()


class _IteratorFile:
    """A file object that reads from an iterator of bytes.

    `failure` is the iterator's exception, which the library would replace by its own.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._waiting = bytearray()
        self.failure: Exception | None = None

    def read(self, size: int) -> bytes:
        try:
            while len(self._waiting) < size and (piece := next(self._pieces, None)) is not None:
                self._waiting += piece
        except Exception as failure:
            self.failure = failure
            raise
        chunk = bytes(self._waiting[:size])
        del self._waiting[:size]
        return chunk


class _Decompressor:
    """A file object that decompresses the data written to it, and passes them to `sink`. `name` is for messages."""

    def __init__(self, sink: ChunkWriter, name: str) -> None:
        self._sink, self._name = sink, name
        self._unpacker = zlib.decompressobj(wbits=GZIP_WBITS)

    def write(self, data: bytes) -> int:
        try:
            self._sink(self._unpacker.decompress(data))
        except zlib.error:
            raise UnreadableArchive(f"{self._name} is damaged.") from None
        return len(data)

    def flush(self) -> None:
        pass

    def end(self) -> None:
        """Raise UnreadableArchive if the compressed data are incomplete, or other data follow them."""
        if not self._unpacker.eof:
            raise UnreadableArchive(f"{self._name} is cut off.")
        if self._unpacker.unused_data:
            raise UnreadableArchive(f"{self._name} is damaged.")


class _ContentParser:
    """Takes the decompressed data of a backup: parses the manifest, and passes the rest to `dump`."""

    def __init__(self, dump: ChunkWriter) -> None:
        self._dump = dump
        self._line = b""
        self.manifest: Manifest | None = None

    def write(self, data: bytes) -> None:
        if self.manifest is not None:
            self._dump(data)
            return
        self._line += data
        line, newline, rest = self._line.partition(b"\n")
        if len(line) > MAX_MANIFEST_LENGTH:
            raise UnreadableArchive("The file is no backup.")
        if newline:
            try:
                self.manifest = Manifest(**json.loads(line))
            except (ValueError, TypeError):
                raise UnreadableArchive("The file is no backup, or one of a newer version.") from None
            self._dump(rest)
