"""All URLs of the site: nouns, with a verb at the end.

Numbers in URLs are ids. Every lookup is limited to rows that the user may see.
"""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from league.api.urls import endpoint_patterns
from league.api.urls import urlpatterns as api
from league.clubs.urls import urlpatterns as clubs
from league.evenings.urls import urlpatterns as evenings
from league.imports.urls import urlpatterns as imports
from league.notifications.urls import event_patterns
from league.notifications.urls import urlpatterns as notifications
from league.operations.urls import urlpatterns as operations
from league.people.urls import urlpatterns as people
from league.people.views import provider_sign_in
from league.ratings.urls import urlpatterns as ratings
from league.recompute.urls import urlpatterns as recompute
from league.seasons.urls import urlpatterns as seasons
from league.sheets.urls import urlpatterns as sheets
from league.statistics.urls import urlpatterns as statistics
from league.tournaments.urls import urlpatterns as tournaments
from league.webhooks.urls import urlpatterns as webhooks

# One namespace for all pages, so that a URL keeps its name if its page moves to another room.
pages: list[URLPattern | URLResolver] = [
    *clubs,
    *imports,
    *people,
    *statistics,
    *seasons,
    *evenings,
    *sheets,
    *tournaments,
    *notifications,
    *webhooks,
    *operations,
    *ratings,
    *recompute,
    *api,
]

urlpatterns = [
    path("", include((pages, "league"))),
    *endpoint_patterns(),
    *event_patterns(),
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
    # The URL names are allauth's. Its other pages for providers are not needed: no connection is stored.
    path("account/oidc/<slug:provider_id>/login/", provider_sign_in.begin_sign_in, name="openid_connect_login"),
    path(
        "account/oidc/<slug:provider_id>/login/callback/",
        provider_sign_in.finish_sign_in,
        name="openid_connect_callback",
    ),
    path("repairs/", admin.site.urls),
]

handler400 = "league.web.charset.bad_request"
handler403 = "league.web.error_pages.permission_denied"
handler404 = "league.web.error_pages.not_found"
