"""A club's own pages."""

from django.urls import path

from league.clubs import views

urlpatterns = [
    path("", views.home, name="home"),
    path("clubs/", views.directory, name="clubs"),
    path("clubs/found", views.found, name="club-found"),
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("clubs/<slug:slug>/settings", views.settings, name="club-settings"),
]
