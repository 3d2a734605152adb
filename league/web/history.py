"""Middleware that stores the user, the URL and the IP address with each change in the history tables."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from pghistory.middleware import HistoryMiddleware

from league.web.client_address import client_address


class HistoryWithClientAddress(HistoryMiddleware):
    def get_context(self, request: HttpRequest) -> dict[str, Any]:
        # In a demo each visitor may read the audit log as an admin.
        address = "" if settings.DEMO else client_address(request)
        return {**super().get_context(request), "address": address}
