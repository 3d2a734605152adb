from django.urls import path

from league.recompute import views

urlpatterns = [
    path("clubs/<slug:slug>/runs", views.runs_page, name="runs"),
    path("clubs/<slug:slug>/runs/start", views.request_run, name="run-start"),
    path("runs/<int:pk>/", views.run_page, name="run"),
]
