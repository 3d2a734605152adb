"""Bringing results of past evenings in, and an evening's deals out."""

from django.urls import path

from league.old_results import views

urlpatterns = [
    path("seasons/<int:pk>/bring-in", views.bring_in, name="results-bring-in"),
    path("seasons/<int:pk>/bring-in/deals", views.bring_in_deals, name="deals-bring-in"),
    path("evenings/<int:pk>/deals.csv", views.deal_file, {"extension": "csv"}, name="deals-csv"),
    path("evenings/<int:pk>/deals.xlsx", views.deal_file, {"extension": "xlsx"}, name="deals-xlsx"),
    path("bring-in/<int:pk>", views.result_import, name="results-import"),
]
