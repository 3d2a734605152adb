"""Files of the installable web app: its manifest, its service worker, and the page for use without a network."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.web.imprint import site_name

SCRIPTS_FOLDER = Path(settings.BASE_DIR) / "static" / "js"
SERVICE_WORKER_SCRIPTS = ("outbox_store.js", "service_worker.js")
THEME_COLOUR = "#1b4535"  # --bar in tokens.css
BACKGROUND_COLOUR = "#f5f0e6"  # --paper in tokens.css


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    content = {
        "id": "/",
        "name": site_name(),
        "short_name": _("League"),
        "lang": get_language(),
        "start_url": reverse("league:home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME_COLOUR,
        "background_color": BACKGROUND_COLOUR,
        "icons": [
            {"src": static("img/icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": static("img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {"src": static("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {
                "src": static("img/icon-maskable-512.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the script of the service worker. It must be at the root, since it controls only pages below its URL."""
    return HttpResponse(_service_worker_script(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@cache
def _service_worker_script() -> str:
    return "".join((SCRIPTS_FOLDER / name).read_text(encoding="utf-8") for name in SERVICE_WORKER_SCRIPTS)


@require_safe
def offline_page(request: HttpRequest) -> HttpResponse:
    """Show the page for use without a network. It names no user and no club, since the browser stores a copy of it."""
    return render(request, "league/operations/offline.html")
