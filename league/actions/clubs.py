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
from league.actions.player_names import apply_club_name_defaults
from league.actions.refusals import WrongState
from league.models import Club
from league.models.audit_entry import AuditEvent
from league.models.club import new_invite_key
from league.models.rights import Role
from players.accounts import add_player
from players.models import Player, User

SLUG_CHARACTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike, such as l and 1
RANDOM_LETTER_COUNT: Final = 5  # gives 28 million slugs for each name


@transaction.atomic
def create_club(founder: Player, **fields: Any) -> Club:
    club = Club(**fields)
    club.slug = new_slug(club.name)
    club.save()
    club.memberships.create(player=founder, role=Role.ADMIN)
    audit.log(AuditEvent.CLUB_FOUNDED, club, name=club.name)
    apply_club_name_defaults([founder.pk])
    return club


@transaction.atomic
def create_club_for_user(user: User, names: Mapping[str, str], **fields: Any) -> Club:
    """Create a club with the user as admin; a repeated request creates it once.

    If the user has no player, a new player gets the `names`. `fields` are the club's values by field name.
    """
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    running = Club.objects.joined_by(user).managed_by(user).filter(name=fields["name"]).first()
    if running is not None:
        return running
    founder = Player.objects.filter(user=user).first() or add_player(**names, user=user)
    return create_club(founder, **fields)


@transaction.atomic
def change(club: Club, names: list[str]) -> None:
    """Store the club's fields `names`, and update its players' names by the club's defaults."""
    club.save(update_fields=names)
    audit.log(AuditEvent.CLUB_CHANGED, club)
    apply_club_name_defaults(club.memberships.values_list("player", flat=True))


@transaction.atomic
def publish_waiting_clubs(user: User) -> None:
    """Publish the user's clubs that wait until an admin has confirmed an email address.

    Call it after the user has confirmed an address. If the installation's admin approves public clubs, the clubs stay
    private.
    """
    waiting_clubs = Club.objects.joined_by(user).managed_by(user).filter(publish_once_confirmed=True)
    for club in waiting_clubs.select_for_update(no_key=True, of=("self",)).order_by("pk"):
        club.public, club.publish_once_confirmed = not settings.PUBLIC_CLUBS_BY_APPROVAL, False
        change(club, ["public", "publish_once_confirmed"])


@transaction.atomic
def require_second_factor(club: Club, required: bool, *, by: User) -> Club:
    """Store whether users who record results need a second factor at sign-in, and email these users.

    Raise WrongState if `by` has no second factor, since that user would be locked out. A repeated request does nothing.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if required and not by.is_superuser and not is_mfa_enabled(by):
        raise WrongState(_("Set up a second factor of your own first."))
    if club.asks_second_factor != required:
        club.asks_second_factor = required
        club.save(update_fields=["asks_second_factor"])
        audit.log(AuditEvent.SECOND_FACTOR_ASKED, club, by=by, asked=required)
        club_emails.notify_second_factor_required(club, by=by)
    return club


@transaction.atomic
def end_invitation_links(club: Club) -> None:
    renew_invitation_key(club)
    audit.log(AuditEvent.LINKS_RENEWED, club)


def renew_invitation_key(club: Club) -> None:
    """Give the club a new key, so that all invitation links made before are invalid. The caller logs it."""
    Club.objects.filter(pk=club.pk).update(invite_key=new_invite_key())


@contextmanager
def lock_club(club: Club) -> Iterator[Club]:
    """Open a transaction, lock the club's row, and yield the club.

    With the lock, a form that is sent twice adds a person or a season once.
    """
    with transaction.atomic():
        yield Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def new_slug(name: str) -> str:
    """Return a slug of the name and random letters.

    Without random letters, a slug would reveal that another club has the same name.
    """
    return f"{slugify(name)[:40].rstrip('-') or 'club'}-{get_random_string(RANDOM_LETTER_COUNT, SLUG_CHARACTERS)}"
