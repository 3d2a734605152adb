"""A member without the second factor that a club requires gets what a plain member gets, at every address.

All of it runs in `make test-faults`; league/people/tests/test_second_factors.py has the fast tests.
"""

from __future__ import annotations

import pytest

from league.models import Club
from league.models.rights import Role
from tests.test_access import ROWS, Row, World, a_world, answer

pytestmark = pytest.mark.django_db

STOPPED = "403"
REFUSED = "400"  # "login" comes after it, too
DIFFERING = [row for row in ROWS if row.club != "any" and not row.address.startswith("/api/")]
STRONGER = [row for row in DIFFERING if row.expected[Role.ADMIN] != row.expected[Role.MEMBER]]


@pytest.mark.faults
def test_no_committee_page_of_a_private_club_opens_without_a_second_factor() -> None:
    assert wrong_answers(STRONGER, public=False) == {}


@pytest.mark.faults
@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
def test_nobody_without_a_second_factor_does_a_roles_work(public: bool) -> None:
    assert wrong_answers(DIFFERING, public=public) == {}


def wrong_answers(rows: list[Row], *, public: bool) -> dict[tuple[str, str, Role], str]:
    """Return the answers to a secretary and an admin without a second factor that are not the expected ones."""
    world = a_world(public=public)
    Club.objects.filter(slug=world.places["club"]).update(asks_second_factor=True)
    return {
        (row.method, row.address, role): got
        for row in rows
        if row.club == ("public" if public else "private")
        for role in (Role.SECRETARY, Role.ADMIN)
        if (got := answer(world, row, role)) != expected_status(row, role)
    }


def expected_status(row: Row, role: Role) -> str:
    """Return what the row says, and 403 where the role may do more than a member."""
    return row.expected[role] if row.expected[role] == row.expected[Role.MEMBER] else STOPPED


@pytest.mark.faults
@pytest.mark.parametrize("role", [Role.GUEST, Role.MEMBER, Role.TREASURER])
def test_whom_it_does_not_ask_gets_what_he_got(role: Role) -> None:
    world: World = a_world(public=False)
    Club.objects.filter(slug=world.places["club"]).update(asks_second_factor=True)
    rows = [row for row in DIFFERING if row.club == "private" and row.expected[role] < REFUSED]
    assert {row: got for row in rows if (got := answer(world, row, role)) != row.expected[role]} == {}
