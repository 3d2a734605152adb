from django.urls import path

from league.imports.views import club_file, hall, results

urlpatterns = [
    path("clubs/from-a-file", club_file.club_from_file, name="club-from-file"),
    path("clubs/import/<int:pk>", club_file.club_import, name="club-import"),
    path("clubs/<slug:slug>/file", club_file.club_file, name="club-file"),
    path("seasons/<int:pk>/bring-in", results.import_totals, name="results-bring-in"),
    path("seasons/<int:pk>/bring-in/deals", results.import_deals, name="deals-bring-in"),
    path("evenings/<int:pk>/deals.csv", results.deal_file, {"extension": "csv"}, name="deals-csv"),
    path("evenings/<int:pk>/deals.xlsx", results.deal_file, {"extension": "xlsx"}, name="deals-xlsx"),
    path("evenings/<int:pk>/hall", hall.evening_hall, name="evening-hall"),
    path("evenings/<int:pk>/hall/file", hall.evening_hall_file, name="evening-hall-file"),
    path("evenings/<int:pk>/hall/withdraw", hall.withdraw_evening, name="evening-hall-withdraw"),
    path("bring-in/<int:pk>", results.result_import, name="results-import"),
]
