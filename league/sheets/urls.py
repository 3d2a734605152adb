from django.urls import path

from league.sheets.views import at_table, check_off, contests, corrections, deals, grid, paper, prints, tables

urlpatterns = [
    path("evenings/<int:pk>/sheets", tables.sheet_list, name="sheets"),
    path("rounds/<int:pk>/sheets", prints.round_sheets, name="round-sheets"),
    path("seasons/<int:pk>/sheet", prints.blank_sheet, name="blank-sheet"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/totals", tables.totals, name="table-totals"),
    path("tables/<int:pk>/grid", grid.grid, name="grid"),
    path("tables/<int:pk>/grid/row", grid.grid_row, name="grid-row"),
    path("tables/<int:pk>/paper", paper.record_paper_totals, name="table-paper"),
    path("tables/<int:pk>/paper/accept", paper.accept_difference, name="table-paper-accept"),
    path("tables/<int:pk>/check", check_off.check_table, name="table-check"),
    path("tables/<int:pk>/finish", tables.finish_table, name="table-finish"),
    path("tables/<int:pk>/deals/record", deals.record_deal, name="deal-record"),
    path("deals/<int:pk>/", deals.deal, name="deal"),
    path("deals/<int:pk>/revise", deals.revise_deal, name="deal-revise"),
    path("deals/<int:pk>/void", deals.void_deal, name="deal-void"),
    path("deals/<int:pk>/check", check_off.check_deal, name="deal-check"),
    path("deals/<int:pk>/consequences", corrections.correction_effects, name="deal-consequences"),
    path("at/<str:token>", at_table.at_table, name="at-table"),
    path("evenings/<int:pk>/contests", contests.contests, name="contests"),
    path("clubs/<slug:slug>/contests", contests.open_contests, name="contests-waiting"),
    path("deals/<int:pk>/contest", contests.contest_deal, name="deal-contest"),
    path("contests/<int:pk>/answer", contests.answer_contest, name="contest-answer"),
]
