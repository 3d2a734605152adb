"""Every address of the site. Nouns, verb last; numbers are ids, and every lookup starts from what the user may see."""

from django.contrib import admin
from django.urls import include, path

from league.views import clubs, evenings, live, seasons

pages = [
    path("", clubs.home, name="home"),
    path("clubs/found", clubs.found, name="club-found"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/settings", clubs.settings, name="club-settings"),
    path("seasons/<int:pk>/", seasons.season, name="season"),
    path("seasons/<int:pk>/standings.csv", seasons.standings_csv, name="season-csv"),
    path("seasons/<int:pk>/open", seasons.open_season, name="season-open"),
    path("seasons/<int:pk>/close", seasons.close_season, name="season-close"),
    path("seasons/<int:pk>/evenings/plan", evenings.plan, name="evening-plan"),
    path("evenings/<int:pk>/", evenings.evening, name="evening"),
    path("evenings/<int:pk>/ranking.csv", evenings.ranking_csv, name="evening-csv"),
    path("evenings/<int:pk>/edit", evenings.edit, name="evening-edit"),
    path("evenings/<int:pk>/open", evenings.open_evening, name="evening-open"),
    path("evenings/<int:pk>/cancel", evenings.cancel, name="evening-cancel"),
    path("evenings/<int:pk>/reopen", evenings.reopen, name="evening-reopen"),
    path("evenings/<int:pk>/projector", live.projector, name="projector"),
    path("live/<str:token>", live.screen, name="live"),
    path("live/<str:token>/screen.html", live.screen_fragment, name="live-screen"),
    path("live/<str:token>/evening.html", live.evening_fragment, name="live-evening"),
]

urlpatterns = [
    path("", include((pages, "league"))),
    path("", include("scoring.urls")),
    path("", include("players.urls")),
    path("account/", include("allauth.urls")),
    path("repairs/", admin.site.urls),
]
