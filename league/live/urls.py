"""Watching an evening."""

from django.urls import path

from league.live import views

urlpatterns = [
    path("evenings/<int:pk>/projector", views.projector, name="projector"),
    path("evenings/<int:pk>/projector/end", views.end, name="projector-end"),
    path("screen/<str:code>", views.screen_by_code, name="screen"),
    path("live/<str:token>", views.screen, name="live"),
    path("live/<str:token>/screen.html", views.screen_fragment, name="live-screen"),
    path("live/<str:token>/evening.html", views.evening_fragment, name="live-evening"),
]
