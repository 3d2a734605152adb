from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.db import transaction
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.actions import audit, club_emails
from league.actions.player_names import follow_clubs
from league.actions.refusals import WrongState
from league.models import Club
from league.models.audit_entry import AuditEvent
from league.models.club import new_invite_key
from league.models.rights import Role
from players.accounts import add_player
from players.models import Player, User

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
CHANCE: Final = 5  # of them: two clubs of one name among tens of millions


@transaction.atomic
def found_club(founder: Player, **fields: Any) -> Club:
    club = Club(**fields)
    club.slug = new_slug(club.name)
    club.save()
    club.memberships.create(player=founder, role=Role.ADMIN)
    audit.log(AuditEvent.CLUB_FOUNDED, club, name=club.name)
    follow_clubs([founder.pk])
    return club


@transaction.atomic
def found_club_by(user: User, names: Mapping[str, str], **fields: Any) -> Club:
    """`names` is for the user's player, if it has to be created. A repeated request founds one club."""
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    running = Club.objects.joined_by(user).managed_by(user).filter(name=fields["name"]).first()
    if running is not None:
        return running
    founder = Player.objects.filter(user=user).first() or add_player(**names, user=user)
    return found_club(founder, **fields)


@transaction.atomic
def change(club: Club, names: list[str]) -> None:
    club.save(update_fields=names)
    audit.log(AuditEvent.CLUB_CHANGED, club)
    follow_clubs(club.memberships.values_list("player", flat=True))


@transaction.atomic
def publish_waiting(user: User) -> None:
    waiting_clubs = Club.objects.joined_by(user).managed_by(user).filter(publish_once_confirmed=True)
    for club in waiting_clubs.select_for_update(no_key=True, of=("self",)).order_by("pk"):
        club.public, club.publish_once_confirmed = not settings.PUBLIC_CLUBS_BY_APPROVAL, False
        change(club, ["public", "publish_once_confirmed"])


@transaction.atomic
def ask_second_factor(club: Club, required: bool, *, by: User) -> Club:
    """Raise WrongState for a user without a second factor, who could not undo it. A repeated request does nothing."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if required and not by.is_superuser and not is_mfa_enabled(by):
        raise WrongState(_("Set up a second factor of your own first."))
    if club.asks_second_factor != required:
        club.asks_second_factor = required
        club.save(update_fields=["asks_second_factor"])
        audit.log(AuditEvent.SECOND_FACTOR_ASKED, club, by=by, asked=required)
        club_emails.second_factor_asked(club, by=by)
    return club


@transaction.atomic
def end_invitations(club: Club) -> None:
    renew_invitations(club)
    audit.log(AuditEvent.LINKS_RENEWED, club)


def renew_invitations(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(invite_key=new_invite_key())


@contextmanager
def locked(club: Club) -> Iterator[Club]:
    """Open a transaction that locks the club: a form that is sent twice at once adds one person, one season."""
    with transaction.atomic():
        yield Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def new_slug(name: str) -> str:
    """The random letters are always added: a slug without them would reveal that no other club has the name."""
    return f"{slugify(name)[:40].rstrip('-') or 'club'}-{get_random_string(CHANCE, LETTERS)}"
