"""Read untrusted zip files within limits, for all uploads and commands.

`zipfile` limits memory only for deflated entries that are read in small steps. It decompresses bzip2 and LZMA entries
at once. Its `read()` does this with any entry, also if the declared size is wrong.
"""

from __future__ import annotations

import io
import struct
import zlib
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, LargeZipFile, ZipFile, ZipInfo

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BYTES_PER_STEP: Final = 1 << 16  # bytes that are decompressed at once
CENTRAL_ENTRY_SIGNATURE: Final = b"PK\x01\x02"  # begins an entry in the central directory
ENCRYPTED_FLAG: Final = 0x1
COMPRESSION_METHODS: Final = (ZIP_STORED, ZIP_DEFLATED)
# zipfile raises these errors for damaged files; ValueError for names that are not UTF-8 and for seeks before the start.
DAMAGE_ERRORS: Final = (
    BadZipFile,
    LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


class UnreadableArchive(Exception):
    """The file is no zip file, is damaged or encrypted, has two entries with one name, or uses another method than
    deflate.
    """


class ArchiveTooLarge(UnreadableArchive):
    """The zip file has more entries or more decompressed bytes than allowed."""


class BoundedArchive:
    """A zip file with at most `entries` entries and at most `size` decompressed bytes in total.

    Bytes are counted during decompression. Declared sizes are used only to refuse an archive earlier.
    """

    def __init__(self, file: IO[bytes], *, entries: int, size: int) -> None:
        self._bytes_left = size
        try:
            # Count before zipfile creates an object per entry.
            if _number_of_entries(file) > entries:
                raise ArchiveTooLarge
            self._zip = ZipFile(file)
        except DAMAGE_ERRORS as error:
            raise UnreadableArchive from error
        infos = self._zip.infolist()
        self.names: Final = [info.filename for info in infos]
        if len(infos) > entries or sum(info.file_size for info in infos) > size:
            raise ArchiveTooLarge
        if not all(map(_is_readable, infos)) or len(set(self.names)) < len(infos):
            raise UnreadableArchive

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def open(self, name: str) -> IO[bytes]:
        """Return the entry, opened for reading.

        Raise KeyError if it is missing. Reading may raise UnreadableArchive.
        """
        info = self._zip.getinfo(name)
        try:
            return io.BufferedReader(_Entry(self, self._zip.open(info)), BYTES_PER_STEP)
        except DAMAGE_ERRORS as error:
            raise UnreadableArchive from error

    def read(self, name: str) -> bytes:
        with self.open(name) as entry:
            return entry.read()

    def count_bytes(self, number: int) -> None:
        """Subtract decompressed bytes from the limit. Raise ArchiveTooLarge if it is exceeded."""
        self._bytes_left -= number
        if self._bytes_left < 0:
            raise ArchiveTooLarge


class _Entry(io.RawIOBase):
    """An entry that is opened for reading. Each read counts against the limit of the archive."""

    def __init__(self, archive: BoundedArchive, entry: IO[bytes]) -> None:
        self._archive = archive
        self._entry = entry

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer).cast("B")
        try:
            data = self._entry.read(min(len(target), BYTES_PER_STEP))
        except DAMAGE_ERRORS as error:
            raise UnreadableArchive from error
        self._archive.count_bytes(len(data))
        target[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._entry.close()
        super().close()


def _is_readable(info: ZipInfo) -> bool:
    return info.compress_type in COMPRESSION_METHODS and not info.flag_bits & ENCRYPTED_FLAG


def _number_of_entries(file: IO[bytes]) -> int:
    """Return an upper bound for the number of entries.

    It counts signatures, because the declared number may be wrong.
    """
    file.seek(0)
    number, end = 0, b""
    while data := file.read(BYTES_PER_STEP):
        number += (end + data).count(CENTRAL_ENTRY_SIGNATURE)
        end = data[-len(CENTRAL_ENTRY_SIGNATURE) + 1 :]
    file.seek(0)
    return number
