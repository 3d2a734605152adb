"""How the installation does."""

from django.urls import path

from league.monitoring import views

urlpatterns = [
    path("watch", views.watch, name="watch"),
    path("looks", views.looks, name="looks"),
    path("healthz", views.healthz, name="healthz"),
    path("livez", views.livez, name="livez"),
]
