"""Files that somebody sends to break in or to stop the site: each small, each meant for one of the parsers."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Final
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

from openpyxl.workbook.workbook import Workbook

from league.imports.queries.club_file.export import DESCRIPTION_FILE_NAME, write_club_file
from league.imports.queries.workbook import MAX_UNPACKED_BYTES
from league.models import Club
from tests.build import a_picture

BOMB: Final = 120  # megabytes: a reader that decompresses them whole is noticed
SPACES: Final = b" " * 1_000_000
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
SHEET: Final = "xl/worksheets/sheet1.xml"
STRINGS: Final = "xl/sharedStrings.xml"
ROOT: Final = "_rels/.rels"
NAMESPACE: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

Parts = Mapping[str, bytes]


def hostile_files(club: Club) -> dict[str, Callable[[], bytes]]:
    """Return by its name what makes each file; some are the file of this club, with something hostile in it."""
    book = workbook()
    exported = io.BytesIO()
    write_club_file(club, exported)
    tables = parts(exported.getvalue())

    def with_sheet(sheet: bytes) -> bytes:
        return packed({**book, SHEET: sheet})

    def with_table(name: str, change: Callable[[bytes], bytes]) -> bytes:
        return packed({**tables, name: change(tables[name])})

    both = packed({**book, **tables})
    return {
        "empty": lambda: b"",
        "truncated archive": lambda: both[: len(both) // 2],
        "truncated text": lambda: b'Name;Date\n"Ann',
        "bzip2 bomb": lambda: bomb(ZIP_BZIP2),
        "LZMA bomb": lambda: bomb(ZIP_LZMA),
        "deflate bomb": lambda: bomb(ZIP_DEFLATED),
        "deflate bomb of a small declared size": lambda: with_sizes(bomb(ZIP_DEFLATED), 10),
        "sizes of 4 GB": lambda: with_sizes(both, 0xFFFFFFFE),
        "sizes that need ZIP64": lambda: with_sizes(both, 0xFFFFFFFF),
        "many entries": lambda: packed({f"{number}": b"" for number in range(15_000)}),
        "directory that points before the start": lambda: patched(both, CENTRAL, 42, b"\xf0\xff\xff\xff"),
        "directory of other bytes": lambda: patched(both, CENTRAL, 0, b"XXXX"),
        "extra field longer than the entry": lambda: patched(both, CENTRAL, 30, b"\xff\x00"),
        "encrypted entries": lambda: patched(both, CENTRAL, 8, b"\x01\x00"),
        "unknown compression": lambda: patched(both, CENTRAL, 10, b"\x63\x00"),
        "damaged entries": lambda: damaged(both),
        "directory with a name that is not UTF-8": lambda: patched(with_names(both, -1), CENTRAL, 8, b"\x00\x08"),
        "entry with a name that is not UTF-8": lambda: patched(with_names(both, 1), LOCAL, 6, b"\x00\x08"),
        "entry twice": lambda: twice(both),
        "UTF-16 with a DOCTYPE": lambda: with_sheet(
            f'<?xml version="1.0" encoding="utf-16"?>{entities(9)}<worksheet {NAMESPACE}>&e9;</worksheet>'.encode(
                "utf-16"
            )
        ),
        "DOCTYPE in a part of another name": lambda: packed(
            {
                **{key: data.replace(b"sheet1.xml", b"sheet1.bin") for key, data in book.items() if key != SHEET},
                "xl/worksheets/sheet1.bin": f"{entities(9)}<worksheet {NAMESPACE}>&e9;</worksheet>".encode(),
            }
        ),
        "sparse sheets": lambda: packed({**book, **sheets(150, '<row r="19999"><c r="AX19999"><v>1</v></c></row>')}),
        "sparse sheet": lambda: with_sheet(
            sheet("".join(f'<row r="{row}"><c r="AX{row}"><v>1</v></c></row>' for row in range(1, 19_999, 2)))
        ),
        "sheet of many cells": lambda: with_sheet(sheet("<row>" + "<c/>" * 1_500_000 + "</row>")),
        "sheet of deep elements": lambda: with_sheet(sheet("<a>" * 2_000_000)),
        "sheet of one tag": lambda: with_sheet(f'<worksheet a="{"x" * 7_000_000}"/>'.encode()),
        "one sheet, listed many times": lambda: packed({**book, **listed_often(book, 1_000)}),
        "one long text in all cells": lambda: packed(
            {
                **book,
                STRINGS: f"<sst><si><t>{'a ' * 3_000_000}</t></si></sst>".encode(),
                SHEET: sheet(("<row>" + '<c t="s"><v>0</v></c>' * 45 + "</row>") * 1_000),
            }
        ),
        "many styles": lambda: packed(
            {
                **book,
                "xl/styles.xml": f"<styleSheet><cellXfs>{'<xf/>' * 900_000}</cellXfs></styleSheet>".encode(),
            }
        ),
        "many relations": lambda: packed(
            {
                **book,
                ROOT: b"<Relationships>" + b'<Relationship Id="" Type="" Target=""/>' * 180_000 + b"</Relationships>",
            }
        ),
        "workbook one byte too large": lambda: with_sheet(b" " * (MAX_UNPACKED_BYTES + 1)),
        "description of deep lists": lambda: with_table(DESCRIPTION_FILE_NAME, lambda _data: b"[" * 900_000),
        "description of a long number": lambda: with_table(
            DESCRIPTION_FILE_NAME, lambda _data: b'{"format": ' + b"9" * 900_000 + b"}"
        ),
        "table that is one line": lambda: with_table(
            "people.csv", lambda data: data.partition(b"\n")[0] + b"\n" + b"x" * 9_500_000
        ),
        "table that is one quoted row": lambda: with_table(
            "people.csv", lambda data: data.partition(b"\n")[0] + b"\n" + b'"\nx",' * 1_600_000
        ),
        "table of many rows": lambda: with_table(
            "people.csv", lambda data: data + b"".join(data.splitlines(True)[-1:]) * 60_000
        ),
        "table of many tables": lambda: with_table("tables.csv", lambda data: data + numbered_again(data, 3_000)),
        "table of deep JSON": lambda: with_table(
            "seasons.csv", lambda data: data.replace(b"{", b'"' + b"[" * 900_000 + b'"', 1)
        ),
        "PNG that declares 3.6 gigapixels": lambda: png_header(60_000),
        "PNG that declares 100 megapixels": lambda: png_header(10_000),
        "JPEG that declares 4.3 gigapixels": lambda: jpeg_header(65_500),
        "WebP that declares 268 megapixels": lambda: webp_header(16_382),
        "truncated picture": lambda: a_picture((400, 300))[:-40],
        "picture with a text that is a bomb": lambda: png_with_text(50),
        "text of quotation marks": lambda: b'"' * 1_900_000,
        "text of empty cells": lambda: b";" * 1_900_000,
        "text of many columns": lambda: b"a;" * 900_000,
        "text of one long cell": lambda: b"Name;Date\n" + b"a" * 1_900_000,
    }


def workbook() -> dict[str, bytes]:
    """Return the parts of a small workbook."""
    new_workbook = Workbook()
    assert new_workbook.active is not None
    for row in (["Name", "Date"], ["Ann Roy", "2026-11-06"]):
        new_workbook.active.append(row)
    file = io.BytesIO()
    new_workbook.save(file)
    return parts(file.getvalue())


def parts(archive: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def packed(content: Parts) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return file.getvalue()


def bomb(method: int) -> bytes:
    """Return an archive whose first parts, for a workbook and for a club, are a beginning and then spaces."""
    file = io.BytesIO()
    with ZipFile(file, "w", method) as archive:
        for name, start in ((ROOT, b"<Relationships>"), (DESCRIPTION_FILE_NAME, b"{")):
            info = ZipInfo(name)
            info.compress_type = method
            with archive.open(info, "w") as entry:
                entry.write(start)
                for _ in range(BOMB):
                    entry.write(SPACES)
    return file.getvalue()


def places(archive: bytes, signature: bytes) -> list[int]:
    positions, start = [], archive.find(signature)
    while start >= 0:
        positions.append(start)
        start = archive.find(signature, start + 4)
    return positions


def patched(archive: bytes, signature: bytes, offset: int, value: bytes) -> bytes:
    """Return the archive with other bytes in each of its headers of a kind."""
    data = bytearray(archive)
    for place in places(archive, signature):
        data[place + offset : place + offset + len(value)] = value
    return bytes(data)


def with_names(archive: bytes, number: int) -> bytes:
    """Return the archive whose names that are needed are not UTF-8, at the first places or (-1) at all."""
    for name in (ROOT.encode(), DESCRIPTION_FILE_NAME.encode()):
        archive = archive.replace(name, b"\xff\xfe" + name[2:], number)
    return archive


def with_sizes(archive: bytes, size: int) -> bytes:
    """Return the archive whose entries declare another decompressed size."""
    value = struct.pack("<I", size)
    return patched(patched(archive, LOCAL, 22, value), CENTRAL, 24, value)


def damaged(archive: bytes) -> bytes:
    """Return the archive with other bytes within each entry's data."""
    data = bytearray(archive)
    for place in places(archive, LOCAL):
        name, extra = struct.unpack("<HH", archive[place + 26 : place + 30])
        data[place + 30 + name + extra + 8] ^= 0xFF
    return bytes(data)


def twice(archive: bytes) -> bytes:
    """Return the archive with a second entry of some names."""
    file = io.BytesIO(archive)
    with ZipFile(file, "a") as opened:
        for name in (ROOT, DESCRIPTION_FILE_NAME):
            opened.writestr(name.swapcase(), b"x")
    data = file.getvalue()
    for name in (ROOT, DESCRIPTION_FILE_NAME):
        data = data.replace(name.swapcase().encode(), name.encode())
    return data


def entities(depth: int) -> str:
    """Return a declaration of entities, each of ten of those before it."""
    nested = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, depth + 1))
    return f'<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{nested}]>'


def sheet(rows: str) -> bytes:
    return f"<worksheet {NAMESPACE}><sheetData>{rows}</sheetData></worksheet>".encode()


def sheets(number: int, rows: str) -> dict[str, bytes]:
    """Return so many sheets with the same rows, and the parts that list them."""
    targets = [f"worksheets/sheet{sheet_number}.xml" for sheet_number in range(1, number + 1)]
    return {**listing(targets), **{f"xl/{target}": sheet(rows) for target in targets}}


def listed_often(book: Parts, number: int) -> dict[str, bytes]:
    return {**listing(["worksheets/sheet1.xml"] * number), SHEET: sheet("<row><c><v>1</v></c></row>" * 10_000)}


def listing(targets: list[str]) -> dict[str, bytes]:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    sheet_list = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in range(1, len(targets) + 1))
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{kind}/worksheet" Target="{target}"/>' for n, target in enumerate(targets, 1)
    )
    return {
        "xl/workbook.xml": f'<workbook {NAMESPACE} xmlns:r="{kind}"><sheets>{sheet_list}</sheets></workbook>'.encode(),
        "xl/_rels/workbook.xml.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f"{relations}</Relationships>"
        ).encode(),
    }


def numbered_again(table: bytes, number: int) -> bytes:
    """Return a table's last row again and again, each with the next number."""
    last = table.splitlines()[-1]
    first, _comma, rest = last.partition(b",")
    return b"".join(b"%d,%s\r\n" % (int(first) + sheet_number, rest) for sheet_number in range(1, number + 1))


def png_header(side: int, *more: tuple[bytes, bytes]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    chunks = [(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)), *more]
    chunks += [(b"IDAT", zlib.compress(bytes(10**6))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in chunks)


def png_with_text(megabytes: int) -> bytes:
    text = zlib.compress(SPACES * megabytes)
    return png_header(
        900, (b"zTXt", b"Comment\0\0" + text), (b"iTXt", b"Comment\0\1\0\0\0" + text), (b"iCCP", b"P\0\0" + text)
    )


def jpeg_header(side: int) -> bytes:
    """Return a progressive JPEG, of which a decoder keeps every coefficient, with other numbers for its sides."""
    data = a_picture((40, 20), "JPEG", progressive=True)
    place = data.index(b"\xff\xc2") + 5
    return data[:place] + struct.pack(">HH", side, side) + data[place + 4 :]


def webp_header(side: int) -> bytes:
    data = a_picture((40, 20), "WEBP", icc_profile=b"a profile of its own")
    place = data.index(b"VP8X") + 12
    return data[:place] + side.to_bytes(3, "little") * 2 + data[place + 6 :]
