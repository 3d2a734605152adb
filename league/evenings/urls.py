"""An evening: planning it, its page, and the steps of its life."""

from django.urls import path

from league.evenings import views

urlpatterns = [
    path("seasons/<int:pk>/evenings/plan", views.plan, name="evening-plan"),
    path("evenings/<int:pk>/", views.evening, name="evening"),
    path("evenings/<int:pk>/ranking.csv", views.ranking_csv, name="evening-csv"),
    path("evenings/<int:pk>/edit", views.edit, name="evening-edit"),
    path("evenings/<int:pk>/open", views.open_evening, name="evening-open"),
    path("evenings/<int:pk>/cancel", views.cancel, name="evening-cancel"),
    path("evenings/<int:pk>/reopen", views.reopen, name="evening-reopen"),
]
