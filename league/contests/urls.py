"""Contesting a deal, and the answers."""

from django.urls import path

from league.contests import views

urlpatterns = [
    path("evenings/<int:pk>/contests", views.contests, name="contests"),
    path("clubs/<slug:slug>/contests", views.waiting, name="contests-waiting"),
    path("deals/<int:pk>/contest", views.contest, name="deal-contest"),
    path("contests/<int:pk>/answer", views.answer, name="contest-answer"),
]
