"""What a monitor asks: `/healthz`. It names no club and needs no account."""

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.health import health


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 where all is well, 503 where it isn't; the same few words either way."""
    found = health(timezone.now())
    status = 200 if found.healthy else 503
    return JsonResponse(found._asdict(), status=status, headers={"Cache-Control": "no-store"})
