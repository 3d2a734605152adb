"""Addresses of people, ratings, seating and runs."""

from django.urls import path

from players.views import (
    apart,
    attendance,
    corrections,
    draw,
    joining,
    leaderboards,
    members,
    merging,
    profiles,
    runs,
    seating,
)

app_name = "players"
urlpatterns = [
    path("players/<int:pk>/", profiles.player, name="player"),
    path("games/<slug:slug>/leaderboard", leaderboards.leaderboard, name="leaderboard"),
    path("clubs/<slug:slug>/members", members.members, name="members"),
    path("clubs/<slug:slug>/apart", apart.apart, name="apart"),
    path("apart/<int:pk>/remove", apart.remove, name="apart-remove"),
    path("clubs/<slug:slug>/members/add", members.add, name="member-add"),
    path("clubs/<slug:slug>/members/<int:pk>/role", members.role, name="member-role"),
    path("clubs/<slug:slug>/members/<int:pk>/merge", merging.merge, name="merge"),
    path("merges/<int:pk>/undo", merging.undo, name="merge-undo"),
    path("clubs/<slug:slug>/members/<int:pk>/invite", members.invite, name="member-invite"),
    path("clubs/<slug:slug>/invitation", members.invitation, name="invitation"),
    path("clubs/<slug:slug>/invitation/renew", members.renew, name="invitation-renew"),
    path("join/<str:token>", joining.join, name="join"),
    path("evenings/<int:pk>/players", attendance.attendance, name="attendance"),
    path("evenings/<int:pk>/players/add", attendance.add, name="attendance-add"),
    path("attendances/<int:pk>/remove", attendance.remove, name="attendance-remove"),
    path("attendances/<int:pk>/paid", attendance.paid, name="attendance-paid"),
    path("attendances/<int:pk>/leaving", attendance.leaving, name="attendance-leaving"),
    path("attendances/<int:pk>/edit", attendance.edit, name="attendance-edit"),
    path("evenings/<int:pk>/draw", draw.draw, name="draw"),
    path("rounds/<int:pk>/accept", draw.accept, name="round-accept"),
    path("rounds/<int:pk>/again", draw.again, name="round-again"),
    path("rounds/<int:pk>/swap", draw.swap, name="round-swap"),
    path("evenings/<int:pk>/seating", seating.seating, name="seating"),
    path("evenings/<int:pk>/tables/add", seating.add, name="table-add"),
    path("tables/<int:pk>/seats", seating.seats, name="table-seats"),
    path("tables/<int:pk>/swap", draw.swap_tables, name="table-swap"),
    path("tables/<int:pk>/remove", seating.remove, name="table-remove"),
    path("deals/<int:pk>/consequences", corrections.deal, name="deal-consequences"),
    path("clubs/<slug:slug>/runs", runs.runs, name="runs"),
    path("clubs/<slug:slug>/runs/start", runs.start, name="run-start"),
    path("runs/<int:pk>/", runs.run, name="run"),
]
