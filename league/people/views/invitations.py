from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.actions import clubs, invitations
from league.actions.invitations import UnsentInvitation
from league.models import Club, Membership
from league.people.forms.members import InviteForm
from league.people.queries.invitation_links import Invitation, sign_invitation
from league.people.views.members import current_user, managed_membership
from league.web.http_methods import allow_get_and_post
from league.web.lookups import managed_or_403
from league.web.password_again import ask_password_for_roles
from players.accounts import has_confirmed_address


@login_required
def invitation(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    return render(
        request,
        "league/people/invitation.html",
        {"club": club, "can_manage": True, "link": invitation_link(request, club)},
    )


@login_required
@require_POST
def renew_link(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    clubs.end_invitation_links(club)
    messages.success(request, _("All links given out before no longer work. Here is a new one."))
    return redirect("league:invitation", club.slug)


@login_required
def create_personal_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club, membership = managed_membership(request, slug, pk)
    if membership.player.user_id is not None:
        messages.info(request, _("%(player)s has a login already.") % {"player": membership.player})
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role)
    link = invitation_link(request, club, membership)
    context = {"club": club, "can_manage": True, "player": membership.player, "link": link, "membership": membership}
    context["confirmed"] = has_confirmed_address(current_user(request))
    return render(request, "league/people/invitation.html", context)


@login_required
@allow_get_and_post
def send_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club, membership = managed_membership(request, slug, pk)
    if request.method != "POST":
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role)
    if membership.player.user_id is not None or not membership.email:
        messages.error(request, _("%(player)s has a login already, or no e-mail here.") % {"player": membership.player})
        return redirect("league:members", club.slug)
    if _send_invitations(request, club, [membership]):
        return redirect("league:member-invite", club.slug, pk)
    messages.success(request, _("The link is on its way to %(email)s.") % {"email": membership.email})
    return redirect("league:members", club.slug)


@login_required
@allow_get_and_post
def invite_all(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    user, now = current_user(request), timezone.now()
    form = InviteForm(
        request.POST if request.method == "POST" else None,
        club=club,
        limit=invitations.remaining_invitations(user, now),
        selected=frozenset(request.GET.getlist("people")),
    )
    if form.is_bound and form.is_valid():
        memberships = list(form.cleaned_data["people"])
        ask_password_for_roles(request, *(membership.role for membership in memberships))
        sent = len(memberships) - len(_send_invitations(request, club, memberships))
        if sent:
            text = ngettext("%(count)s invitation is on its way.", "%(count)s invitations are on their way.", sent)
            messages.success(request, text % {"count": sent})
        return redirect("league:members", club.slug)
    context = {"club": club, "can_manage": True, "form": form, "confirmed": has_confirmed_address(user)}
    return render(request, "league/people/invite_all.html", context, status=422 if form.errors else 200)


def _send_invitations(request: HttpRequest, club: Club, memberships: list[Membership]) -> list[UnsentInvitation]:
    """Send personal invitations to these members. Return those that were not sent; an error message names them."""
    not_sent: list[UnsentInvitation] = []
    links = [
        invitations.EmailInvitation(membership, invitation_link(request, club, membership))
        for membership in memberships
    ]
    invitations.send_invitations(club, links, by=current_user(request), not_sent=not_sent)
    show_unsent_invitations(request, not_sent)
    return not_sent


def show_unsent_invitations(request: HttpRequest, not_sent: list[UnsentInvitation]) -> None:
    """Add an error message for each reason why invitations were not sent."""
    for reason in dict.fromkeys(refusal.reason for refusal in not_sent):
        people = ", ".join(str(refusal.player) for refusal in not_sent if refusal.reason == reason)
        text = _("The invitation could not go out to %(people)s.") % {"people": people}
        messages.error(request, f"{text} {reason}")


def invitation_link(request: HttpRequest, club: Club, membership: Membership | None = None) -> str:
    """Return the absolute URL of an invitation to the club; with `membership`, a personal invitation of this member."""
    inviter = getattr(request.user, "player", None)
    invitation = Invitation(club=club.pk, key=club.invite_key, invited_by=inviter.pk if inviter else None)
    if membership is not None:
        invitation = replace(invitation, player=membership.player_id, role=membership.role)
    return request.build_absolute_uri(reverse("league:join", args=[sign_invitation(invitation)]))
