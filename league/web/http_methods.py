"""Decorator for views that show a page and handle its form."""

from __future__ import annotations

from typing import Final

from django.views.decorators.http import require_http_methods

allow_get_and_post: Final = require_http_methods(["GET", "HEAD", "POST"])
