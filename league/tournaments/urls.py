"""Tournaments: announcement, registration by visitors."""

from django.urls import path

from league.tournaments.views import registration, tournaments

urlpatterns = [
    path("clubs/<slug:slug>/tournaments", tournaments.club_tournaments, name="tournaments"),
    path("clubs/<slug:slug>/tournaments/create", tournaments.create, name="tournament-create"),
    path("tournaments/<int:pk>/", tournaments.tournament, name="tournament"),
    path("tournaments/<int:pk>/edit", tournaments.edit, name="tournament-edit"),
    path("tournaments/<int:pk>/open", tournaments.open_registration, name="tournament-open"),
    path("tournaments/<int:pk>/close", tournaments.close_registration, name="tournament-close"),
    path("tournaments/<int:pk>/cancel", tournaments.cancel, name="tournament-cancel"),
    path("tournaments/<int:pk>/register", registration.register, name="tournament-register"),
    path("registrations/<str:token>", registration.registration, name="registration"),
]
