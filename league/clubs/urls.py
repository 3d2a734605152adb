"""A club's own pages."""

from django.urls import path

from league.clubs.views import club_file, clubs, deletion, looks, year

urlpatterns = [
    path("", clubs.home, name="home"),
    path("clubs/", clubs.directory, name="clubs"),
    path("clubs/found", clubs.found, name="club-found"),
    path("clubs/from-a-file", club_file.club_from_file, name="club-from-file"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/settings", clubs.settings, name="club-settings"),
    path("clubs/<slug:slug>/year", year.year, name="club-year"),
    path("clubs/<slug:slug>/file", club_file.club_file, name="club-file"),
    path("clubs/<slug:slug>/delete", deletion.delete, name="club-delete"),
    path("clubs/<slug:slug>/keep", deletion.keep, name="club-keep"),
    path("clubs/<slug:slug>/look", looks.look, name="club-look"),
    path("clubs/<slug:slug>/mark/<slug:digest>", looks.mark, name="club-mark"),
    path("colours/<slug:code>.css", looks.colour, name="club-colour"),
]
