"""Sign-in through an OpenID Connect provider: the redirect to the provider, and the return from it.

The pages respond 404 if the settings name no provider.
"""

from __future__ import annotations

from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from league.web.provider_adapter import PROVIDER_ID, StrictOpenIDConnectAdapter


@never_cache
@require_GET
def begin_sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    provider = _provider(request, provider_id)
    view = OAuth2LoginView.adapter_view(provider)  # type: ignore[no-untyped-call]
    try:
        response: HttpResponse = view(request)
    except (OAuth2Error, OSError) as error:  # allauth does not expect a provider that is down
        response = render_authentication_error(request, provider.get_provider(), exception=error)
    return response


@never_cache
@require_GET
def finish_sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    view = OAuth2CallbackView.adapter_view(_provider(request, provider_id))  # type: ignore[no-untyped-call]
    response: HttpResponse = view(request)
    return response


def _provider(request: HttpRequest, provider_id: str) -> StrictOpenIDConnectAdapter:
    if not settings.OIDC_SERVER_URL or provider_id != PROVIDER_ID:
        raise Http404
    return StrictOpenIDConnectAdapter(request, provider_id)
