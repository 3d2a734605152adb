"""How people are invited into a club: by its link, by a personal link, or by email."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.actions import clubs, invitations
from league.actions.invitations import NotSent
from league.models import Club, Membership
from league.people.forms.members import InviteForm
from league.people.queries.invitation_links import Invitation, token
from league.people.views.members import acting_user
from league.web.finding import managed
from league.web.password_again import ask_password_for_roles
from players.accounts import is_confirmed


@login_required
def invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """The link by which anyone who holds it joins the club."""
    club = managed(Club.objects, request.user, slug=slug)
    return render(
        request,
        "league/people/invitation.html",
        {"club": club, "can_manage": True, "link": invitation_link(request, club)},
    )


@login_required
@require_POST
def renew(request: HttpRequest, slug: str) -> HttpResponse:
    """End every link of the club that was given out."""
    club = managed(Club.objects, request.user, slug=slug)
    clubs.end_invitations(club)
    messages.success(request, _("All links given out before no longer work. Here is a new one."))
    return redirect("league:invitation", club.slug)


@login_required
def invite(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The link by which one person gets a login for the record that the club has of them."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    if membership.player.user_id is not None:
        messages.info(request, _("%(player)s has a login already.") % {"player": membership.player})
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role)
    link = invitation_link(request, club, membership)
    context = {"club": club, "can_manage": True, "player": membership.player, "link": link, "membership": membership}
    context["confirmed"] = is_confirmed(acting_user(request))
    return render(request, "league/people/invitation.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def send(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send a person's own link to the address that the club has of them; sent again it is a fresh one."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    if request.method != "POST":
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role)
    if membership.player.user_id is not None or not membership.email:
        messages.error(request, _("%(player)s has a login already, or no e-mail here.") % {"player": membership.player})
        return redirect("league:members", club.slug)
    if _send(request, club, [membership]):
        return redirect("league:member-invite", club.slug, pk)
    messages.success(request, _("The link is on its way to %(email)s.") % {"email": membership.email})
    return redirect("league:members", club.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def invite_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Send personal links to all members without a login whose email address the club has; first show to whom."""
    club = managed(Club.objects, request.user, slug=slug)
    user, now = acting_user(request), timezone.now()
    form = InviteForm(
        request.POST if request.method == "POST" else None, club=club, limit=invitations.remaining(user, now)
    )
    if form.is_bound and form.is_valid():
        chosen = list(form.cleaned_data["people"])
        ask_password_for_roles(request, *(each.role for each in chosen))
        sent = len(chosen) - len(_send(request, club, chosen))
        if sent:
            text = ngettext("%(count)s invitation is on its way.", "%(count)s invitations are on their way.", sent)
            messages.success(request, text % {"count": sent})
        return redirect("league:members", club.slug)
    context = {"club": club, "can_manage": True, "form": form, "confirmed": is_confirmed(user)}
    return render(request, "league/people/invite_all.html", context, status=422 if form.errors else 200)


def _send(request: HttpRequest, club: Club, memberships: list[Membership]) -> list[NotSent]:
    not_sent: list[NotSent] = []
    links = [invitations.EmailInvitation(each, invitation_link(request, club, each)) for each in memberships]
    invitations.send(club, links, by=acting_user(request), not_sent=not_sent)
    show_not_sent(request, not_sent)
    return not_sent


def show_not_sent(request: HttpRequest, not_sent: list[NotSent]) -> None:
    """List the people without an invitation, by reason."""
    for reason in dict.fromkeys(each.reason for each in not_sent):
        people = ", ".join(str(each.player) for each in not_sent if each.reason == reason)
        text = _("The invitation could not go out to %(people)s.") % {"people": people}
        messages.error(request, f"{text} {reason}")


def invitation_link(request: HttpRequest, club: Club, membership: Membership | None = None) -> str:
    """Return the absolute address of an invitation by the viewer; with a membership, a personal one for its player."""
    own = getattr(request.user, "player", None)
    invitation = Invitation(club=club.pk, key=club.invite_key, by=own.pk if own else None)
    if membership is not None:
        invitation = replace(invitation, player=membership.player_id, role=membership.role)
    return request.build_absolute_uri(reverse("league:join", args=[token(invitation)]))
