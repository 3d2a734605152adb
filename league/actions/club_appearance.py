"""Changes of a club's colour and logo.

An uploaded picture is decoded and encoded again, so that the stored file has pixels only: no EXIF data, no texts.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from django.db import transaction
from PIL import Image, ImageOps, UnidentifiedImageError

from league.actions import audit
from league.actions.advisory_locks import wait_for_lock
from league.actions.clubs import lock_club
from league.models import Club, ClubMark
from league.models.audit_entry import AuditEvent
from league.models.club_mark import MAX_LOGO_BYTES

PICTURE_FORMATS: Final = ("PNG", "JPEG", "WEBP")
MAX_PIXELS: Final = 4_000_000  # width × height in the file's header; decoding takes 16 MB, and a copy another 16 MB
LOGO_SIZES: Final = (256, 192, 128)  # longest side in pixels; the largest size that fits into MAX_LOGO_BYTES is stored
WEBP_QUALITIES: Final = (90, 75, 50)  # tried for each size, best first
WEBP: Final = "image/webp"  # content type of stored logos
PIXEL_CHUNK_TYPES: Final = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}  # no metadata, no colour profiles, no animation


class NotAPicture(ValueError):
    """The upload cannot be read as a picture."""


class TooManyPixels(ValueError):
    """The picture is too large. `pixels` is the number of its pixels, or None if it is not known."""

    def __init__(self, pixels: int | None = None) -> None:
        super().__init__(pixels)
        self.pixels = pixels


@transaction.atomic
def change(club: Club, *, colour: str | None = None, mark_alt: str | None = None) -> None:
    """Store colour ("#rrggbb", or "" for none) and alternative text of the logo; None leaves a value unchanged."""
    values = {"colour": colour, "mark_alt": mark_alt}
    names = [name for name, value in values.items() if value is not None]
    for name in names:
        setattr(club, name, values[name])
    if names:
        club.save(update_fields=names)
        audit.log(AuditEvent.CLUB_CHANGED, club)


def store_logo(club: Club, picture: bytes) -> None:
    """Decode the picture, encode it again as a small WebP file, and store this file as the club's logo.

    Raise NotAPicture or TooManyPixels. Only one picture is decoded at a time, since each needs much memory.
    """
    with wait_for_lock("decoding a picture"):
        data = reencode_picture(picture)
    digest = sha256(data).hexdigest()
    with lock_club(club):
        ClubMark.objects.update_or_create(club=club, defaults={"digest": digest, "content_type": WEBP, "data": data})
        club.mark = digest
        club.save(update_fields=["mark"])
        audit.log(AuditEvent.CLUB_CHANGED, club)


def delete_logo(club: Club) -> None:
    with lock_club(club):
        ClubMark.objects.filter(club=club).delete()
        club.mark = ""
        club.save(update_fields=["mark"])
        audit.log(AuditEvent.CLUB_CHANGED, club)


def reencode_picture(picture: bytes) -> bytes:
    """Return the picture as a WebP file of at most MAX_LOGO_BYTES. Raise NotAPicture or TooManyPixels."""
    image = _decode_picture(picture, MAX_PIXELS)
    for side in LOGO_SIZES:
        small = image.copy()
        small.thumbnail((side, side), Image.Resampling.LANCZOS)
        for quality in WEBP_QUALITIES:
            buffer = io.BytesIO()
            small.save(buffer, "WEBP", quality=quality)
            if buffer.tell() <= MAX_LOGO_BYTES:
                return buffer.getvalue()
    raise TooManyPixels


def is_reencoded_logo(data: bytes) -> bool:
    """Return whether the file is as `store_logo` stores it: a small WebP picture without metadata."""
    if len(data) > MAX_LOGO_BYTES or not set(_webp_chunk_types(data)) <= PIXEL_CHUNK_TYPES:
        return False
    try:
        _decode_picture(data, LOGO_SIZES[0] ** 2)
    except (NotAPicture, TooManyPixels):
        return False
    return True


def _webp_chunk_types(data: bytes) -> Iterator[bytes]:
    """Yield the type of each chunk of a WebP file, and b"" if its lengths are wrong or it is no WebP file."""
    length = data[:4] == b"RIFF" and data[8:12] == b"WEBP" and int.from_bytes(data[4:8], "little") == len(data) - 8
    position = 12
    while length and position < len(data):
        yield data[position : position + 4]
        position += 8 + (size := int.from_bytes(data[position + 4 : position + 8], "little")) + size % 2
    if not length or position != len(data):
        yield b""


def _decode_picture(picture: bytes, max_pixels: int) -> Image.Image:
    """Return the first frame, scaled to the size of a logo, without EXIF data, colour profiles and texts.

    Raise NotAPicture, or TooManyPixels if width × height is more than `max_pixels`.
    """
    largest = (LOGO_SIZES[0], LOGO_SIZES[0])
    try:
        with Image.open(io.BytesIO(picture), formats=PICTURE_FORMATS) as opened:
            if opened.width * opened.height > max_pixels:
                raise TooManyPixels(opened.width * opened.height)
            opened.draft("RGB", (2 * LOGO_SIZES[0], 2 * LOGO_SIZES[0]))  # decodes a JPEG at a reduced size
            turned = ImageOps.exif_transpose(opened)
            pixels = turned.convert("RGBA" if turned.has_transparency_data else "RGB")
            pixels.thumbnail(largest, Image.Resampling.LANCZOS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise TooManyPixels from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError) as why:
        if isinstance(why, TooManyPixels):
            raise
        raise NotAPicture from why
    clean_image = Image.new(pixels.mode, pixels.size)
    clean_image.paste(pixels)
    return clean_image
