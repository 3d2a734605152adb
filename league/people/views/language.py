from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from players.accounts import choose_language


# A CSRF token on every page would make pages impossible to cache. A form of another site is sent without the session
# cookie (SameSite), so it can only change the language of the browser.
@csrf_exempt
@require_POST
def change_language(request: HttpRequest) -> HttpResponse:
    code = request.POST.get("language", "")
    if request.user.is_authenticated and code in dict(settings.LANGUAGES):
        choose_language(request.user, code)
    return set_language(request)
