"""Logins with a role in a club."""

from league.models import Club
from league.models.rights import Role
from players.models import User
from tests.build import a_user


def a_login(club: Club, role: Role = Role.MEMBER) -> User:
    """Return a new user who has that role in the club."""
    user = a_user()
    club.memberships.create(player=user.player, role=role)
    return user
