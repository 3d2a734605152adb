"""What somebody with bad intentions puts into fields, addresses, headers and bodies (Hypothesis)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote_from_bytes

from hypothesis import strategies as st

from tests.page_forms import PageForm

BOUNDARY: Final = "a-boundary"

WORDS: Final = (
    *("", " ", "\0", "Anna\0", "\r\nX-Made-Up: yes", "\ufffe", "\u202e", "\u0000\u0001", "🂡" * 300, "x" * 100_000),
    *("<script>alert(1)</script>", "'\"--", "%s%d{0}", "../../etc/passwd", "//evil.example/", "http://evil.example/"),
    *("0", "-1", "+1", "1_000", "007", "²", "①", "٤٢", "1,5", "0x10", "1e5", "1e400", "-0", "1e999999999", "0.1" * 50),
    *("2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9" * 40),
    *("9" * 5_000, "nan", "NaN", "inf", "-Infinity", "sNaN", "true", "null", "on", "None"),
    *("2026-02-30", "0000-00-00", "0001-01-01", "9999-12-31", "99999-01-01", "2026-11-06T00:00:00+99:99", "24:61"),
    *("[]", "{}", '{"a":', "[" * 3_000, '"\\ud800"', '{"a": 1e999}', "{}" * 2_000, "NaN", '{"\\u0000": null}'),
    *("12345678-1234-5678-1234-567812345678", "a" * 32, "+" * 60, "=" * 60, "AAAA", "1:2:3", "1_2", "-", "_"),
)
# Bytes that are no UTF-8: a lone surrogate, a cut-off sign, one that is too long, another charset.
_BYTES: Final = (b"\xed\xa0\x80", b"\xe2\x82", b"\xc0\x80", b"\xff\xfe", b"\xe9t\xe9", b"%", b"%zz", b"%00")
_TYPES: Final = (
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-16",
    "application/x-www-form-urlencoded; charset=zlib",
    "application/x-www-form-urlencoded; charset=",
    "application/json",
    "text/plain",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=\xe9",
    f"multipart/form-data; boundary={BOUNDARY}",
    f"multipart/form-data; boundary={BOUNDARY}; charset=latin-1",
    "multipart/mixed; boundary=x",
    "a/b/c",
    ";;;",
    "",
)
_BODIES: Final = (
    *(b"", b"\0", b"&&&==&", b"{", b"[]", b'{"a": "\\ud800"}', b"[" * 10_000, b"a=1&" * 1_500, b"\xff" * 5_000),
    *(f"--{BOUNDARY}".encode(), f"--{BOUNDARY}\r\n\r\n".encode(), f"--{BOUNDARY}--\r\n".encode()),
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="../a\0b"\r\n'.encode() + b"\r\n\xff\xd8",
    f"--{BOUNDARY}\r\nContent-Disposition: form-data\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%\r\n".encode(),
)
_FILES: Final = (
    *(b"", b"\0" * 300_000, b"\x89PNG\r\n\x1a\n" + b"\0" * 64, b"PK\x03\x04" + b"\xff" * 200, b"GIF89a" + b"\xff" * 20),
    *(
        b"\xff\xfea\0;\0b\0\n\0",
        b"\xef\xbb\xbfname;e-mail\n\0;\0\n",
        b'"' * 5_000,
        b"a;b\n" * 20_000,
        b"%PDF-1.4",
        b"<svg/>",
    ),
    *(b"name\n" + b"9" * 5_000, b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"date;table\n9999-99-99;\xe9\n"),
)
_HEADERS: Final[dict[str, Sequence[str]]] = {
    "Accept": ("", "*/*;q=nan", "text/html;q=" + "9" * 400, "application/json", "," * 500, "\xff/\xff"),
    "Accept-Encoding": ("gzip;q=-1", "\xff", "br, gzip, *;q=0"),
    "Accept-Language": ("fr", "fr-FR-x-" + "a" * 900, "*", "en;q=nan", ";;;", "\xe9", "zz-ZZ", "a" * 600, "-"),
    "Authorization": ("Bearer", "Bearer \xff", "Basic " + "A" * 300, "Bearer " + "x" * 5_000, "\0".replace("\0", "")),
    "Cookie": (
        "sessionid=\xff",
        "sessionid=" + "a" * 5_000,
        "=;=;",
        "messages=x; csrftoken=",
        "django_language=../",
        '"',
    ),
    "Host": ("evil.example", "a b", "[::1", "127.0.0.1:99999", "127.0.0.1:x", "", "\xe9.example", "a" * 300, "a@b"),
    "If-Match": ("*", '"', "W/"),
    "If-Modified-Since": ("Sun, 99 Foo 0000 99:99:99 GMT", "9" * 50, "\xff", "Thu, 01 Jan 1970 00:00:00 GMT"),
    "If-None-Match": ("*", '"', 'W/"\xff"', '"a"' * 500, "W/", "x"),
    "If-Unmodified-Since": ("0", "Sun, 06 Nov 99999 08:49:37 GMT"),
    "Origin": ("null", "http://evil.example", "http://[", "\xff", "http://127.0.0.1:x"),
    "Range": ("bytes=", "bytes=9-1", "bytes=-" + "9" * 30, "bytes=0-0,1-1", "x=\xff"),
    "Referer": ("http://[", "http://evil.example/", "\xff", "http://127.0.0.1/" + "a" * 3_000),
    "User-Agent": ("", "\xff" * 50, "a" * 5_000),
    "X-Forwarded-For": ("\xff", "999.999.999.999", "::1%eth0", ", , ,", "1.2.3.4, " * 300, "a" * 2_000),
    "X-Forwarded-Host": ("evil.example",),
    "X-Forwarded-Proto": ("https", "x", "\xff"),
    "X-Http-Method-Override": ("DELETE",),
    "X-Request-Id": ("\xff", "a" * 3_000, "{}"),
    "X-Csrftoken": ("", "\xff", "a" * 5_000),
    "Hx-Request": ("true", "false", "\xff"),
    "Hx-Boosted": ("true", "x"),
    "Hx-Target": ("#\xff", "people", "a" * 3_000),
    "Hx-Trigger": ("\xff", "x"),
    "Hx-Trigger-Name": ("q", "\xff"),
    "Hx-Current-Url": ("http://[", "\xff", "http://[::1", "//evil.example/?q=1", "http://127.0.0.1:99999/"),
    "Hx-Current-Url-Uri-Autoencoded": ("true",),
    "Triggering-Event": ('{"a":', "[" * 3_000, "\xff"),
    "Triggering-Event-Uri-Autoencoded": ("true",),
    "Hx-Prompt": ("%ff", "\xff"),
}

values = st.one_of(
    st.sampled_from(WORDS).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(_BYTES),
    st.text(max_size=12).map(str.encode),
    st.integers(-(2**70), 2**70).map(lambda number: str(number).encode()),
)
headers = st.dictionaries(st.sampled_from(sorted(_HEADERS)), st.integers(0, 20), min_size=1, max_size=4).map(
    lambda chosen: {name: _HEADERS[name][number % len(_HEADERS[name])] for name, number in chosen.items()}
)


class Body(NamedTuple):
    """What a request carries, and what it says that is."""

    data: bytes
    kind: str
    lost: int = 0  # bytes that were announced and never came


Pairs = list[tuple[str, bytes]]
FORM: Final = "application/x-www-form-urlencoded"


def urlencoded(pairs: Pairs) -> bytes:
    """Return the pairs as a form or a query has them; values may be any bytes."""
    return "&".join(f"{quote_from_bytes(name.encode())}={quote_from_bytes(value)}" for name, value in pairs).encode()


def multipart(pairs: Pairs, files: Pairs) -> bytes:
    """Return the pairs, and files, as a form with files has them."""
    parts = [f'name="{name}"'.encode() + b"\r\n\r\n" + value for name, value in pairs]
    parts += [
        f'name="{name}"; filename="list.csv"'.encode() + b"\r\nContent-Type: text/csv\r\n\r\n" + value
        for name, value in files
    ]
    head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; ".encode()
    return b"".join(head + part + b"\r\n" for part in parts) + f"--{BOUNDARY}--\r\n".encode()


@st.composite
def spoiled(draw: st.DrawFn, form: PageForm, foreign: Sequence[str]) -> Pairs:
    """Return what a form sends with some of it hostile, missing, twice, or somebody else's."""
    pairs = [(name, value.encode()) for name, value in form.sent()]
    names = [*form.names, "made_up"]
    hostile = st.one_of(values, st.sampled_from(foreign).map(str.encode))
    if draw(st.integers(0, 9)) == 0:  # everything at once
        return [(name, draw(hostile)) for name in names]
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        how = draw(st.sampled_from(["instead", "instead", "instead", "offered", "twice", "missing"]))
        others = [pair for pair in pairs if pair[0] != name]
        if how == "missing":
            pairs = others
        elif how == "twice":
            pairs = [*pairs, (name, draw(hostile))]
        elif how == "offered" and (offered := _offered(form, name)):
            pairs = [*others, (name, draw(st.sampled_from(offered)).encode())]
        else:
            pairs = [*others, (name, draw(hostile))]
    return pairs


def _offered(form: PageForm, name: str) -> list[str]:
    return [value for control in form.controls if control.name == name for value in control.offered]


methods: Final = st.sampled_from(("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "GET", "POST", "MADE-UP"))


@st.composite
def bodies(draw: st.DrawFn, form: PageForm, foreign: Sequence[str], always: Pairs) -> Body:
    """Return a form's body: mostly one that is read, with `always` in it, and now and then none that can be."""
    pairs = [*always, *draw(spoiled(form, foreign))]
    lost = draw(st.integers(1, 99)) if draw(st.integers(0, 19)) == 0 else 0
    files = [control.name for control in form.controls if control.kind == "file"]
    if files or draw(st.integers(0, 15)) == 0:
        sent = [(name, draw(st.sampled_from(_FILES))) for name in files or ["file"]]
        return Body(
            multipart([pair for pair in pairs if pair[0] not in files], sent),
            f"multipart/form-data; boundary={BOUNDARY}",
            lost,
        )
    if draw(st.integers(0, 11)) == 0:
        return Body(draw(st.sampled_from(_BODIES)), draw(st.sampled_from(_TYPES)))
    kind = draw(st.sampled_from(_TYPES)) if draw(st.integers(0, 15)) == 0 else FORM
    return Body(urlencoded(pairs), kind, lost)
