from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.actions import audit, club_emails
from league.actions.refusals import WrongState
from league.actions.registration_retention import delete_contact_data
from league.actions.roles import NoAdminLeft, change_role
from league.actions.unreferenced_people import delete_unreferenced_players
from league.models import Club, Membership, Merge
from league.models.audit_entry import AuditEvent
from league.models.rights import ROLES_ABOVE_MEMBER, Right, Role, roles_with_right
from players.models import Player, User

LAST_SUPERUSER_MESSAGE = gettext_lazy("Nobody else looks after this installation: give somebody else that right first.")


def clubs_without_other_admin(*users: User) -> QuerySet[Club]:
    """Return the clubs whose only admins with a login are these users. Clubs marked for deletion are left out."""
    managing = Membership.objects.filter(role__in=roles_with_right(Right.MANAGE), login_unconfirmed=False)
    other_admins = managing.filter(club=OuterRef("pk"), player__user__is_active=True).exclude(player__user__in=users)
    managed_clubs = managing.filter(player__user__in=users).values("club")
    clubs: QuerySet[Club] = Club.objects.filter(~Exists(other_admins), pk__in=managed_clubs, delete_at=None)
    return clubs


def deletion_obstacles(users: Iterable[User]) -> list[str]:
    """Return sentences for the installation's admin: why the accounts of these users cannot be deleted together."""
    users = list(users)
    reasons = []
    if any(user.is_superuser for user in users) and _are_the_only_superusers({user.pk for user in users}):
        reasons.append(str(LAST_SUPERUSER_MESSAGE))
    clubs = ", ".join(club.name for club in clubs_without_other_admin(*users))
    if clubs:
        reasons.append(_("The only admin with a login: %(clubs)s") % {"clubs": clubs})
    return reasons


def delete_account(user_id: int, *, by: User | None = None) -> None:
    """Delete a user's account, and the user's player unless other rows refer to it.

    Raise WrongState for the only admin of a club or of the installation. The user gets an email. `by` is the
    installation's admin, or None if the user deletes the account. The player's roles in clubs are reduced to member,
    since a later login of the player must not inherit them; the clubs' admins are notified.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(of=("self",)).filter(pk=user_id).first()
        if user is None:
            return
        _check_deletable(user)
        for player in Player.objects.filter(user=user):
            author = None if by else player.pk  # the login is gone when the entry is read
            audit.log_in_clubs(AuditEvent.ACCOUNT_DELETED, player, by=by or user, author=author)
        trusted = Membership.objects.filter(player__user=user, role__in=ROLES_ABOVE_MEMBER)
        for membership in trusted.order_by("club"):
            with suppress(NoAdminLeft):  # the club is marked for deletion, else _check_deletable has refused
                change_role(membership.pk, Role.MEMBER, by=by or user)
        club_emails.notify_account_deleted(user, by=by)
        delete_login(user)


def delete_login(user: User) -> None:
    """Delete the user, and the contact data of the user's players in tournament registrations.

    Also delete the user's players, and the players that were merged into them, unless other rows refer to them.
    """
    player_ids = set(Player.objects.filter(user=user).values_list("pk", flat=True))
    merged_ids = set(Merge.objects.filter(kept__in=player_ids, undone_at=None).values_list("gone", flat=True))
    delete_contact_data(player_ids, user.email)
    user.delete()
    delete_unreferenced_players(player_ids | merged_ids)


def _are_the_only_superusers(user_ids: Collection[int]) -> bool:
    return not User.objects.filter(is_superuser=True, is_active=True).exclude(pk__in=user_ids).exists()


def _check_deletable(user: User) -> None:
    if user.is_superuser:
        list(User.objects.select_for_update(of=("self",)).filter(is_superuser=True, is_active=True).order_by("pk"))
        if _are_the_only_superusers({user.pk}):
            raise WrongState(LAST_SUPERUSER_MESSAGE)
    clubs = Membership.objects.filter(player__user=user).values("club")
    # Locked, so that the last two admins of a club cannot delete their accounts at the same time.
    list(Club.objects.select_for_update(no_key=True).filter(pk__in=clubs).order_by("pk"))
    if clubs_without_admin := list(clubs_without_other_admin(user)):
        raise WrongState(
            _("You are the only admin of %(clubs)s: make somebody else an admin first, or delete the club.")
            % {"clubs": ", ".join(club.name for club in clubs_without_admin)}
        )
