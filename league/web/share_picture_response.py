"""Respond with a share picture, which is cached until its texts change."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from league.models import Club, ClubMark
from league.web.share_picture import ACCENT, LINK_SIZE, ClubAppearance, PictureTexts, draw_share_picture
from players.naming import Audience, names_shown_to

MAX_AGE: Final = 600  # seconds
CACHE_SECONDS: Final = 7 * 24 * 3600
CACHE_VERSION: Final = 2  # raised with each change of the drawing


def picture_response(
    request: HttpRequest, club: Club, texts: Callable[[], PictureTexts], size: tuple[int, int] = LINK_SIZE
) -> HttpResponse:
    """Respond with the picture, from the cache if its texts are the same.

    `texts` is called in the club's language and time zone. Names are shown as the public may see them, because pictures
    are forwarded. `size` is width and height in pixels.
    """
    with translation.override(club.language), timezone.override(club.zone), names_shown_to(Audience.PUBLIC):
        png = _cached_picture(club, texts(), size)
    response = HttpResponse(png, content_type="image/png")
    response.headers["Cache-Control"] = f"{'private' if request.user.is_authenticated else 'public'}, max-age={MAX_AGE}"
    return response


def _cached_picture(club: Club, texts: PictureTexts, size: tuple[int, int]) -> bytes:
    facts = (CACHE_VERSION, texts, size, club.colour, club.mark)
    key = f"picture:{sha256(repr(facts).encode()).hexdigest()[:24]}"
    png = cache.get(key)
    if not isinstance(png, bytes):
        png = draw_share_picture(texts, _appearance(club), size)
        cache.set(key, png, CACHE_SECONDS)
    return png


def _appearance(club: Club) -> ClubAppearance:
    mark = ClubMark.objects.filter(club=club).values_list("data", flat=True).first() if club.mark else None
    return ClubAppearance(club.colour or ACCENT, bytes(mark) if mark else b"")
