"""Closing an evening, and what was corrected after it; closing a season and opening it again."""

from django.urls import path

from league.closing.views import evening, season

urlpatterns = [
    path("evenings/<int:pk>/close", evening.close, name="evening-close"),
    path("evenings/<int:pk>/errata", evening.corrected, name="errata"),
    path("seasons/<int:pk>/close", season.close, name="season-close"),
    path("seasons/<int:pk>/reopen", season.reopen, name="season-reopen"),
]
