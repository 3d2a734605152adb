"""An evening: planning it, its page, and the steps of its life."""

from django.urls import path

from league.evenings import views

urlpatterns = [
    path("seasons/<int:pk>/evenings/plan", views.plan, name="evening-plan"),
    path("seasons/<int:pk>/evenings/plan-many", views.plan_many, name="evenings-plan"),
    path("evenings/<int:pk>/", views.evening, name="evening"),
    path("evenings/<int:pk>/ranking.csv", views.ranking_file, {"extension": "csv"}, name="evening-csv"),
    path("evenings/<int:pk>/ranking.xlsx", views.ranking_file, {"extension": "xlsx"}, name="evening-xlsx"),
    path("evenings/<int:pk>/edit", views.edit, name="evening-edit"),
    path("evenings/<int:pk>/open", views.open_evening, name="evening-open"),
    path("evenings/<int:pk>/cancel", views.cancel, name="evening-cancel"),
    path("evenings/<int:pk>/reopen", views.reopen, name="evening-reopen"),
]
