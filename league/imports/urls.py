from django.urls import path

from league.imports.views import club_file, hall, results

urlpatterns = [
    path("clubs/from-a-file", club_file.import_club_from_file, name="club-from-file"),
    path("clubs/import/<int:pk>", club_file.club_import_progress, name="club-import"),
    path("clubs/<slug:slug>/file", club_file.export_club, name="club-file"),
    path("seasons/<int:pk>/bring-in", results.import_totals, name="results-bring-in"),
    path("seasons/<int:pk>/bring-in/deals", results.import_deals, name="deals-bring-in"),
    path("evenings/<int:pk>/deals.csv", results.export_deals, {"extension": "csv"}, name="deals-csv"),
    path("evenings/<int:pk>/deals.xlsx", results.export_deals, {"extension": "xlsx"}, name="deals-xlsx"),
    path("evenings/<int:pk>/hall", hall.hall_page, name="evening-hall"),
    path("evenings/<int:pk>/hall/file", hall.download_hall_file, name="evening-hall-file"),
    path("evenings/<int:pk>/hall/withdraw", hall.withdraw_evening, name="evening-hall-withdraw"),
    path("bring-in/<int:pk>", results.result_import_progress, name="results-import"),
]
