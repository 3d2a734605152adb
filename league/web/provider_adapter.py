"""Sign-in through the OpenID Connect provider of the settings: the matching account, and errors.

An email address that the provider has verified opens the account with the same confirmed address. Nothing else of the
provider's response is used, and nothing is stored (docs/decisions/0036).
"""

from __future__ import annotations

from typing import Any, Final

import structlog
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base.constants import AuthError
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from players.models import User

log = structlog.get_logger(__name__)

PROVIDER_ID: Final = "sso"  # a part of the URLs that are registered with the provider
CONFIGURATION_CACHE_SECONDS: Final = 300  # seconds
REQUIRED_CONFIGURATION_KEYS: Final = ("issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint")


class ProviderAdapter(DefaultSocialAccountAdapter):
    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the provider of the settings, without a query. allauth's own method reads the database."""
        if not settings.OIDC_SERVER_URL or provider not in (None, PROVIDER_ID, "openid_connect"):
            return []
        app = SocialApp(
            provider="openid_connect",
            provider_id=PROVIDER_ID,
            name=settings.OIDC_NAME,
            client_id=settings.OIDC_CLIENT_ID,
            secret=settings.OIDC_CLIENT_SECRET,
            settings={"server_url": settings.OIDC_SERVER_URL},
        )
        return [app]

    def authenticate_by_email(  # type: ignore[override]  # our users have no user name
        self, sociallogin: SocialLogin
    ) -> tuple[User, str] | None:
        """Return (user, address) if the provider and this site have both confirmed the address; None if there is no
        such user.

        Without both confirmations the owner of a new address could open another person's account. The test is `is
        True`, because some providers send "false" as a text.
        """
        for address in sociallogin.email_addresses:
            if address.verified is not True:
                continue
            confirmed = EmailAddress.objects.filter(email__iexact=address.email, verified=True).first()
            if confirmed:
                return confirmed.user, confirmed.email
        return None

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse a sign-in without a matching account. Otherwise allauth would create an account."""
        if sociallogin.is_existing:
            return
        verified = [address.email for address in sociallogin.email_addresses if address.verified is True]
        names = {"provider": settings.OIDC_NAME, "address": ", ".join(verified)}
        if verified:
            text = _(
                "No account here has the confirmed address %(address)s. Sign in with your password and confirm it, or "
                "sign up with it."
            )
        else:
            text = _("%(provider)s has not verified your e-mail address, so it opens no account here.")
        refuse_sign_in(request, text % names)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Redirect to the sign-in page. Do not log the text of the exception, because it may contain tokens."""
        names = {"provider": settings.OIDC_NAME}
        if error == AuthError.CANCELLED:
            refuse_sign_in(request, _("The sign-in with %(provider)s was cancelled.") % names)
        log.warning("provider_sign_in_failed", reason=type(exception).__name__ if exception else error)
        refuse_sign_in(
            request,
            _("The sign-in with %(provider)s did not work. Try again in a few minutes, or use your password.") % names,
        )


def refuse_sign_in(request: HttpRequest, text: str) -> None:
    """Raise ImmediateHttpResponse: redirect to the sign-in page, which shows the text as an error."""
    messages.error(request, text)
    raise ImmediateHttpResponse(redirect("account_login"))


class StrictOpenIDConnectAdapter(OpenIDConnectOAuth2Adapter):
    """allauth's client of the provider. Raise OAuth2Error if a response of the provider breaks the standard."""

    def get_provider(self) -> OpenIDConnectProvider:
        provider: OpenIDConnectProvider = super().get_provider()  # type: ignore[no-untyped-call]
        provider.oauth2_adapter_class = StrictOpenIDConnectAdapter
        return provider

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's configuration document, cached for five minutes.

        Without the cache, each sign-in would request the document twice.
        """
        key = f"openid_configuration:{settings.OIDC_SERVER_URL}"
        stored: dict[str, Any] | None = cache.get(key)
        if stored:
            return stored
        try:
            config: dict[str, Any] = super().openid_config
            is_complete = all(isinstance(config[name], str) for name in REQUIRED_CONFIGURATION_KEYS)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise OAuth2Error("no configuration") from error
        if not is_complete:
            raise OAuth2Error("no configuration")
        cache.set(key, config, CONFIGURATION_CACHE_SECONDS)
        return config

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        try:
            login: SocialLogin = super().complete_login(request, app, token, **kwargs)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise OAuth2Error("no person") from error
        return login
