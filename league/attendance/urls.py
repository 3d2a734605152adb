"""Check-in, and the list at the door."""

from django.urls import path

from league.attendance import views

urlpatterns = [
    path("evenings/<int:pk>/players", views.attendance, name="attendance"),
    path("evenings/<int:pk>/players/add", views.add, name="attendance-add"),
    path("evenings/<int:pk>/answer", views.answer, name="evening-answer"),
    path("attendances/<int:pk>/remove", views.remove, name="attendance-remove"),
    path("attendances/<int:pk>/paid", views.paid, name="attendance-paid"),
    path("attendances/<int:pk>/leaving", views.leaving, name="attendance-leaving"),
    path("attendances/<int:pk>/edit", views.edit, name="attendance-edit"),
    path("attendances/<int:pk>/name", views.name, name="attendance-name"),
    path("evenings/<int:pk>/attendance-list", views.attendance_list, name="attendance-list"),
]
