"""Choosing the language of the pages."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from players.accounts import choose_language


# A token on every page would make each answer another one, which no browser could keep. Another site's form comes
# without the session (SameSite), so that it changes nobody's choice but the browser's.
@csrf_exempt
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keep the language for this browser, as Django does, and for the person who is signed in."""
    code = request.POST.get("language", "")
    if request.user.is_authenticated and code in dict(settings.LANGUAGES):
        choose_language(request.user, code)
    return set_language(request)
