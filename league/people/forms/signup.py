"""Sign-up after a personal invitation: without a name, because the club has already entered it."""

from __future__ import annotations

from typing import Any

from allauth.account.utils import get_next_redirect_url
from allauth.core import context
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from league.models import Club, visible
from league.people.queries import invitation_links
from players.accounts import add_player
from players.forms.signup import AtomicSignupForm
from players.models import Player, User


class InvitedSignupForm(AtomicSignupForm):
    """The sign-up form. It has no name fields if the parameter `next` is the link of a valid personal invitation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.invitation = _read_invitation(context.request)
        if self.invitation is not None:
            club, player = self.invitation
            del self.fields["given_name"], self.fields["family_name"]
            self.fields["email"].help_text = _("The login is for %(player)s, as %(club)s invited you.") % {
                "player": player,
                "club": club,
            }

    def signup(self, request: HttpRequest, user: User) -> None:
        """Create the player of the new user. After a personal invitation, it gets the names of the invited player.

        The page of the invitation then merges the new player into the invited player.
        """
        if self.invitation is None:
            super().signup(request, user)
        else:
            _club, player = self.invitation
            add_player(player.given_name, player.family_name, user=user)


def _read_invitation(request: HttpRequest) -> tuple[Club, Player] | None:
    """Return the club and the invited player if the parameter `next` is the link of a valid personal invitation, else
    None.
    """
    try:
        page = resolve((get_next_redirect_url(request) or "").partition("?")[0])
    except Resolver404:
        return None
    if page.view_name != "league:join":
        return None
    try:
        invitation = invitation_links.read_invitation(page.kwargs["token"])
    except (invitation_links.ExpiredInvitation, invitation_links.UnreadableInvitation):
        return None
    if invitation.player is None:
        return None
    club = Club.objects.filter(pk=invitation.club, invite_key=invitation.key, delete_at=None).first()
    if club is None:
        return None
    player = visible.players_of(club).filter(pk=invitation.player, user=None).first()
    return (club, player) if player else None
