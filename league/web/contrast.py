"""Contrast of two colours by WCAG 2, a number from 1 to 21."""

from __future__ import annotations

from typing import Final

MIN_READABLE_CONTRAST: Final = 4.5  # for text of ordinary size


def contrast(colour: str, background: str) -> float:
    """Return the contrast of two colours, written as #rrggbb."""
    dark, light = sorted((_luminance(colour), _luminance(background)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
