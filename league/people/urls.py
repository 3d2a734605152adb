"""A club's people, and each player's own page."""

from django.urls import path

from league.people.views import (
    account,
    apart,
    committee,
    comparison,
    details,
    joining,
    language,
    members,
    merging,
    privacy,
    profiles,
    second_factors,
    statistics,
)

urlpatterns = [
    path("players/<int:pk>/", profiles.player, name="player"),
    path("players/<int:pk>/statistics/<slug:game>", statistics.statistics, name="player-statistics"),
    path("players/<int:pk>/compare", comparison.compare, name="compare"),
    path("players/<int:pk>/compare/<int:other>", comparison.compare_with, name="compare-with"),
    path("language", language.language, name="language"),
    path("privacy", privacy.privacy, name="privacy"),
    path("account/delete", account.delete, name="account-delete"),
    path("privacy/data", privacy.download, name="own-data"),
    path("clubs/<slug:slug>/members", members.members, name="members"),
    path("clubs/<slug:slug>/members.csv", members.member_file, {"extension": "csv"}, name="members-csv"),
    path("clubs/<slug:slug>/members.xlsx", members.member_file, {"extension": "xlsx"}, name="members-xlsx"),
    path("clubs/<slug:slug>/apart", apart.apart, name="apart"),
    path("apart/<int:pk>/remove", apart.remove, name="apart-remove"),
    path("clubs/<slug:slug>/members/add", members.add, name="member-add"),
    path("clubs/<slug:slug>/members/bring-in", details.bring_in, name="members-bring-in"),
    path("clubs/<slug:slug>/members/<int:pk>/edit", details.edit, name="member-edit"),
    path("clubs/<slug:slug>/members/<int:pk>/send", members.send, name="member-send"),
    path("clubs/<slug:slug>/members/<int:pk>/role", members.role, name="member-role"),
    path("clubs/<slug:slug>/members/<int:pk>/end", members.end, name="member-end"),
    path("clubs/<slug:slug>/members/<int:pk>/merge", merging.merge, name="merge"),
    path("merges/<int:pk>/undo", merging.undo, name="merge-undo"),
    path("clubs/<slug:slug>/members/<int:pk>/invite", members.invite, name="member-invite"),
    path("clubs/<slug:slug>/second-factor", second_factors.second_factors, name="second-factors"),
    path("clubs/<slug:slug>/committee", committee.committee, name="committee"),
    path("clubs/<slug:slug>/invitation", members.invitation, name="invitation"),
    path("clubs/<slug:slug>/invitation/renew", members.renew, name="invitation-renew"),
    path("join/<str:token>", joining.join, name="join"),
]
