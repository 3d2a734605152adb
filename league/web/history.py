"""The middleware that keeps with each change who made it, by which page, and from where."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from pghistory.middleware import HistoryMiddleware

from league.web.client_address import client_address


class AddressedHistory(HistoryMiddleware):
    """pghistory's, with the address of whoever asks."""

    def get_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return user, page and address."""
        return {**super().get_context(request), "address": client_address(request)}
