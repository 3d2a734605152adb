"""Closing an evening, and what was corrected after it."""

from django.urls import path

from league.closing import views

urlpatterns = [
    path("evenings/<int:pk>/close", views.close, name="evening-close"),
    path("evenings/<int:pk>/errata", views.corrected, name="errata"),
]
