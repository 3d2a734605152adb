"""Bringing results of past evenings in."""

from django.urls import path

from league.old_results import views

urlpatterns = [
    path("seasons/<int:pk>/bring-in", views.bring_in, name="results-bring-in"),
    path("seasons/<int:pk>/bring-in/deals", views.bring_in_deals, name="deals-bring-in"),
    path("bring-in/<int:pk>", views.result_import, name="results-import"),
]
