"""Every address of the site. Nouns, verb last; numbers are ids, and every lookup starts from what the user may see."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from league.api.urls import questions
from league.api.urls import urlpatterns as api
from league.attendance.urls import urlpatterns as attendance
from league.audit.urls import urlpatterns as audit
from league.boards.urls import urlpatterns as boards
from league.closing.urls import urlpatterns as closing
from league.clubs.urls import urlpatterns as clubs
from league.contests.urls import urlpatterns as contests
from league.embed.urls import urlpatterns as embed
from league.entry.urls import urlpatterns as entry
from league.evenings.urls import urlpatterns as evenings
from league.live.urls import urlpatterns as live
from league.monitoring.urls import urlpatterns as monitoring
from league.night.urls import urlpatterns as night
from league.old_results.urls import urlpatterns as old_results
from league.outbox.urls import urlpatterns as outbox
from league.people.urls import urlpatterns as people
from league.rounds.urls import urlpatterns as rounds
from league.seasons.urls import urlpatterns as seasons

# One namespace for all pages, so that an address keeps its name wherever its page moves.
pages: list[URLPattern | URLResolver] = [
    *clubs,
    *people,
    *seasons,
    *evenings,
    *old_results,
    *attendance,
    *rounds,
    *entry,
    *closing,
    *contests,
    *live,
    *embed,
    *api,
    *outbox,
    *audit,
    *boards,
    *night,
    *monitoring,
]

urlpatterns = [
    path("", include((pages, "league"))),
    *questions(),
    path("account/", include("allauth.urls")),
    path("repairs/", admin.site.urls),
]

handler400 = "league.web.charset.bad_request"
handler403 = "league.web.error_pages.permission_denied"
handler404 = "league.web.error_pages.not_found"
