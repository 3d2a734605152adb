"""A season: its standings, and its set-up."""

from django.urls import path

from league.seasons.views import season, setup

urlpatterns = [
    path("clubs/<slug:slug>/seasons/found", setup.found, name="season-found"),
    path("seasons/<int:pk>/", season.season, name="season"),
    path("seasons/<int:pk>/standings.csv", season.standings_file, {"extension": "csv"}, name="season-csv"),
    path("seasons/<int:pk>/standings.xlsx", season.standings_file, {"extension": "xlsx"}, name="season-xlsx"),
    path("seasons/<int:pk>/open", season.open_season, name="season-open"),
    path("seasons/<int:pk>/close", season.close_season, name="season-close"),
    path("seasons/<int:pk>/rules", setup.rules, name="season-rules"),
]
