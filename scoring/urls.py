"""Addresses of tables, deals, rules and season set-up."""

from django.urls import path

from scoring.views import at_table, checking, closing, contests, deals, games, grid, prints, seasons, sheets, tables

app_name = "scoring"
urlpatterns = [
    path("clubs/<slug:slug>/seasons/found", seasons.found, name="season-found"),
    path("seasons/<int:pk>/rules", seasons.rules, name="season-rules"),
    path("evenings/<int:pk>/close", closing.close, name="evening-close"),
    path("evenings/<int:pk>/contests", contests.contests, name="contests"),
    path("clubs/<slug:slug>/contests", contests.waiting, name="contests-waiting"),
    path("deals/<int:pk>/contest", contests.contest, name="deal-contest"),
    path("contests/<int:pk>/answer", contests.answer, name="contest-answer"),
    path("evenings/<int:pk>/sheets", sheets.sheets, name="sheets"),
    path("evenings/<int:pk>/errata", sheets.corrected, name="errata"),
    path("rounds/<int:pk>/sheets", prints.round_sheets, name="round-sheets"),
    path("seasons/<int:pk>/sheet", prints.blank_sheet, name="blank-sheet"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/totals", tables.totals, name="table-totals"),
    path("tables/<int:pk>/grid", grid.grid, name="grid"),
    path("tables/<int:pk>/grid/row", grid.row, name="grid-row"),
    path("tables/<int:pk>/check", checking.table, name="table-check"),
    path("tables/<int:pk>/finish", tables.finish, name="table-finish"),
    path("tables/<int:pk>/deals/record", deals.record, name="deal-record"),
    path("deals/<int:pk>/", deals.deal, name="deal"),
    path("deals/<int:pk>/revise", deals.revise, name="deal-revise"),
    path("deals/<int:pk>/void", deals.void, name="deal-void"),
    path("deals/<int:pk>/check", checking.deal, name="deal-check"),
    path("at/<str:token>", at_table.at_table, name="at-table"),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/rules", games.rules, name="rules"),
    path("games/<slug:slug>/calculator", games.calculator, name="calculator"),
]
