from django.urls import path

from league.notifications import views

urlpatterns = [
    path("letters", views.letters, name="letters"),
    path("letters/stop/<str:token>", views.stop, name="letters-stop"),
]
