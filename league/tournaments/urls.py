"""Tournaments: announcement, registration by visitors, the desk's list."""

from django.urls import path

from league.tournaments.views import desk, presets, registration, tournaments

urlpatterns = [
    path("clubs/<slug:slug>/tournaments", tournaments.club_tournaments, name="tournaments"),
    path("clubs/<slug:slug>/tournaments/create", tournaments.create, name="tournament-create"),
    path("tournaments/<int:pk>/", tournaments.tournament, name="tournament"),
    path("tournaments/<int:pk>/calendar.ics", tournaments.calendar_file, name="tournament-calendar"),
    path("tournaments/<int:pk>/edit", tournaments.edit, name="tournament-edit"),
    path("tournaments/<int:pk>/open", tournaments.open_registration, name="tournament-open"),
    path("tournaments/<int:pk>/close", tournaments.close_registration, name="tournament-close"),
    path("tournaments/<int:pk>/cancel", tournaments.cancel, name="tournament-cancel"),
    path("tournaments/<int:pk>/preset", presets.save, name="tournament-preset-save"),
    path("tournament-presets/<int:pk>", presets.preset, name="tournament-preset"),
    path("tournament-presets/<int:pk>/delete", presets.delete, name="tournament-preset-delete"),
    path("tournaments/<int:pk>/register", registration.register, name="tournament-register"),
    path("tournaments/<int:pk>/desk", desk.desk, name="tournament-desk"),
    path("tournaments/<int:pk>/desk/add", desk.add, name="unit-add"),
    path("tournaments/<int:pk>/desk/paper", desk.paper, name="unit-paper"),
    path("tournaments/<int:pk>/units.csv", desk.unit_file, {"extension": "csv"}, name="tournament-desk-csv"),
    path("tournaments/<int:pk>/units.xlsx", desk.unit_file, {"extension": "xlsx"}, name="tournament-desk-xlsx"),
    path("tournaments/<int:pk>/bring-in", desk.bring_in, name="units-bring-in"),
    path("units/<int:pk>/edit", desk.edit, name="unit-edit"),
    path("units/<int:pk>/paid", desk.pay, name="unit-paid"),
    path("units/<int:pk>/cash", desk.pay_in_cash, name="unit-cash"),
    path("units/<int:pk>/returned", desk.give_back, name="unit-returned"),
    path("units/<int:pk>/cancel", desk.cancel, name="unit-cancel"),
    path("units/<int:pk>/approve", desk.approve, name="unit-approve"),
    path("units/<int:pk>/promote", desk.promote, name="unit-promote"),
    path("units/<int:pk>/pair", desk.pair, name="unit-pair"),
    path("registrations/<str:token>", registration.registration, name="registration"),
]
