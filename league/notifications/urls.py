from django.urls import path

from league.notifications import views

urlpatterns = [
    path("letters", views.notification_settings, name="letters"),
    path("letters/stop/<str:token>", views.unsubscribe, name="letters-stop"),
]
