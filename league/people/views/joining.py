from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.actions import people
from league.models import Club, Membership
from league.models.rights import RIGHTS
from league.people.queries import invitation_links
from players.models import Player, User

LOGIN_WAITS_MESSAGE = gettext_lazy(
    "A club that knows this record has to agree to your login first. Its admins are asked by e-mail."
)


@dataclass(frozen=True)
class ValidInvitation:
    """A valid invitation. `invited_by` is its sender. If it is personal, `player` will get the login."""

    club: Club
    invited_by: Player | None
    player: Player | None


def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; a POST accepts it.

    Respond 404 to an unreadable invitation; 410 if it has expired, or if the invited player has left the club or has
    another login; 409 if only the installation's admin can give the user this login.
    """
    try:
        invitation = _read_invitation(token, request.user.pk)
    except (invitation_links.ExpiredInvitation, people.CannotGetLogin):
        return render(request, "league/people/join_ended.html", {"ended": True}, status=410)
    except invitation_links.UnreadableInvitation:
        return render(request, "league/people/join_ended.html", {"ended": False}, status=404)
    if request.method != "POST":
        return render(request, "league/people/join.html", _page_context(request, invitation))
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    return _accept_invitation(request, invitation, request.user)


def _read_invitation(token: str, user_id: int | None) -> ValidInvitation:
    """Return the invitation of the link.

    Raise UnreadableInvitation, or ExpiredInvitation (also after the club's key was renewed), or CannotGetLogin if the
    player belongs to another login.
    """
    invitation = invitation_links.read_invitation(token)
    club = Club.objects.filter(pk=invitation.club, invite_key=invitation.key, delete_at=None).first()
    if club is None:
        raise invitation_links.ExpiredInvitation
    player = None
    if invitation.player is not None:
        membership = club.memberships.filter(player=invitation.player).select_related("player").first()
        if membership is None or membership.player.user_id not in (None, user_id):
            raise people.CannotGetLogin
        if membership.player.user_id is None and not RIGHTS[membership.role] <= RIGHTS[invitation.role]:
            raise invitation_links.ExpiredInvitation
        player = membership.player
    return ValidInvitation(club, Player.objects.filter(pk=invitation.invited_by or 0).first(), player)


def _page_context(request: HttpRequest, invitation: ValidInvitation) -> dict[str, object]:
    player = Player.objects.filter(user=request.user.pk).first() if request.user.is_authenticated else None
    role = Membership.objects.filter(club=invitation.club, player=player).values_list("role", flat=True).first()
    return {
        "invitation": invitation,
        "player": player,
        "role": role,
        "shown_elsewhere": invitation.player is not None
        and player != invitation.player
        and people.former_clubs_with_results(invitation.player).exists(),
        "refused": invitation.player is not None
        and player is not None
        and player != invitation.player
        and people.is_player_used(player),
    }


def _accept_invitation(request: HttpRequest, invitation: ValidInvitation, user: User) -> HttpResponse:
    try:
        if invitation.player is None:
            membership = people.join_club(invitation.club, user)
            if membership.login_unconfirmed:
                messages.warning(request, LOGIN_WAITS_MESSAGE)
                return redirect("league:home")
            messages.success(request, _("Welcome to %(club)s.") % {"club": invitation.club})
            return redirect(invitation.club)
        player = people.give_login(invitation.club, invitation.player.pk, user)
    except people.CannotGetLogin:
        return render(request, "league/people/join_ended.html", {"ended": True}, status=410)
    except (people.PlayerHasHistory, people.PlayerShownInOtherClub):
        return render(request, "league/people/join.html", _page_context(request, invitation), status=409)
    messages.success(request, _("You are signed in as %(player)s now.") % {"player": player})
    if player.memberships.filter(login_unconfirmed=True).exists():
        messages.info(request, LOGIN_WAITS_MESSAGE)
    return redirect("league:player", player.pk)
