"""Boards of public clubs for other sites: framed pages, and the same as JSON."""

from django.urls import path

from league.embed import views

urlpatterns = [
    path("clubs/<slug:slug>/embed", views.guide, name="embed"),
    path("embed/seasons/<int:pk>", views.standings, name="embed-standings"),
    path("embed/seasons/<int:pk>.json", views.standings_data, name="embed-standings-json"),
    path("embed/clubs/<slug:slug>", views.evenings, name="embed-evenings"),
    path("embed/clubs/<slug:slug>.json", views.evenings_data, name="embed-evenings-json"),
]
