from __future__ import annotations

import re
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode


def qr_code_svg(address: str) -> SafeString:
    """Return a QR code of the address as SVG. It is readable if up to 15 % of it is damaged.

    qrcode's own SVG is not used, because its fixed id allows only one code per page.
    """
    code: QRCode[Any] = QRCode(error_correction=ERROR_CORRECT_M)
    code.add_data(address)
    rows = ["".join("#" if is_dark else " " for is_dark in row) for row in code.get_matrix()]
    size = len(rows)
    runs = ((y, run) for y, row in enumerate(rows) for run in re.finditer("#+", row))
    path = "".join(f"M{run.start()} {y}.5h{len(run[0])}" for y, run in runs)
    return mark_safe(  # noqa: S308 - numbers only, nothing of the address
        f'<svg viewBox="0 0 {size} {size}"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/>'
        f'<path stroke="#000" d="{path}"/></svg>'
    )
