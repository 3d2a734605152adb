from django.urls import path

from league.recompute import views

urlpatterns = [
    path("clubs/<slug:slug>/runs", views.runs, name="runs"),
    path("clubs/<slug:slug>/runs/start", views.start, name="run-start"),
    path("runs/<int:pk>/", views.run, name="run"),
]
