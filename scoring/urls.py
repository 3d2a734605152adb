"""Addresses of tables, deals, rules and season set-up."""

from django.urls import path

from scoring.views import deals, games, seasons, tables

app_name = "scoring"
urlpatterns = [
    path("clubs/<slug:slug>/seasons/found", seasons.found, name="season-found"),
    path("seasons/<int:pk>/rules", seasons.rules, name="season-rules"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/totals", tables.totals, name="table-totals"),
    path("tables/<int:pk>/finish", tables.finish, name="table-finish"),
    path("tables/<int:pk>/deals/record", deals.record, name="deal-record"),
    path("deals/<int:pk>/", deals.deal, name="deal"),
    path("deals/<int:pk>/revise", deals.revise, name="deal-revise"),
    path("deals/<int:pk>/void", deals.void, name="deal-void"),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/rules", games.rules, name="rules"),
    path("games/<slug:slug>/calculator", games.calculator, name="calculator"),
]
