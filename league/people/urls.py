"""A club's people, and each player's page."""

from django.urls import path

from league.people.views import (
    account,
    apart,
    committee,
    details,
    invitations,
    joining,
    language,
    members,
    merging,
    privacy,
    profiles,
    second_factors,
)

urlpatterns = [
    path("players/<int:pk>/", profiles.player, name="player"),
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
    path("clubs/<slug:slug>/members/invite", invitations.invite_all, name="members-invite"),
    path("clubs/<slug:slug>/members/<int:pk>/edit", details.edit, name="member-edit"),
    path("clubs/<slug:slug>/members/<int:pk>/send", invitations.send, name="member-send"),
    path("clubs/<slug:slug>/members/<int:pk>/role", members.role, name="member-role"),
    path("clubs/<slug:slug>/members/<int:pk>/agree", members.agree, name="member-agree"),
    path("clubs/<slug:slug>/members/<int:pk>/end", members.end, name="member-end"),
    path("clubs/<slug:slug>/members/<int:pk>/merge", merging.merge, name="merge"),
    path("merges/<int:pk>/undo", merging.undo, name="merge-undo"),
    path("clubs/<slug:slug>/members/<int:pk>/invite", invitations.invite, name="member-invite"),
    path("clubs/<slug:slug>/second-factor", second_factors.second_factors, name="second-factors"),
    path("clubs/<slug:slug>/committee", committee.committee, name="committee"),
    path("clubs/<slug:slug>/invitation", invitations.invitation, name="invitation"),
    path("clubs/<slug:slug>/invitation/renew", invitations.renew, name="invitation-renew"),
    path("join/<str:token>", joining.join, name="join"),
]
