"""QR codes, as part of a page."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def code_of(address: str) -> SafeString:
    """Return the QR code of an address as an inline SVG; a seventh of it may be unreadable, by a fold or a stain."""
    code = segno.make_qr(address, error="m")
    outline = code.svg_inline(light="#fff", omitsize=True, svgclass=None, lineclass=None)
    return mark_safe(outline)  # noqa: S308 - segno's own: paths of the modules, nothing of the text
