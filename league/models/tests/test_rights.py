"""Founding a club, and the rights to see, record and manage. Strangers and guests differ in public clubs only."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.actions import clubs
from league.models import Club, Evening, Season, Table
from league.models.rights import RIGHTS, Right, Role, wider_role
from players.models import User
from tests.build import a_club, a_player, a_season, a_table, a_user, an_evening
from tests.logins import a_login

pytestmark = pytest.mark.django_db

READS = {Role.MEMBER, Role.TREASURER, Role.SECRETARY, Role.ADMIN}
COLLECTS = {Role.TREASURER, Role.SECRETARY, Role.ADMIN}
RECORDS = {Role.SECRETARY, Role.ADMIN}
MANAGES = {Role.ADMIN}


def test_the_founder_is_the_admin_and_the_club_is_private() -> None:
    founder = a_user()
    club = clubs.create_club(founder.player, name="Cercle d'Été")
    assert club.slug.startswith("cercle-dete-")
    assert not club.public
    assert club.memberships.get().role == Role.ADMIN
    assert Right.MANAGE in club.rights_of(founder)


def test_clubs_of_one_name_have_addresses_of_their_own() -> None:
    slugs = [clubs.create_club(a_player(), name=name).slug for name in ("Le Petit", "Le Petit!", "le petit", "卓")]
    assert len(set(slugs)) == 4
    assert [slug.rpartition("-")[0] for slug in slugs] == ["le-petit"] * 3 + ["club"]


def test_address_of_a_new_club_says_nothing_about_others_of_its_name() -> None:
    """The address does not reveal whether such a club exists: its last letters are always random."""
    first, second = (clubs.create_club(a_player(), name="Secret circle").slug for _club in range(2))
    assert [len(slug) for slug in (first, second)] == [len("secret-circle-") + clubs.RANDOM_LETTER_COUNT] * 2
    assert first != second


@pytest.mark.parametrize("role", Role)
def test_what_a_role_may_do_in_its_own_club(role: Role) -> None:
    club = a_club()
    user = a_login(club, role)
    season = a_season(club)
    evening = an_evening(season)
    table = a_table(evening)
    for rows, row in ((Club, club), (Season, season), (Evening, evening), (Table, table)):
        assert (row in rows.objects.visible_to(user)) is (role in READS)
        assert (row in rows.objects.recordable_by(user)) is (role in RECORDS)
    for rows, row in ((Club, club), (Season, season)):
        assert (row in rows.objects.managed_by(user)) is (role in MANAGES)
    for rows, row in ((Club, club), (Evening, evening)):
        assert (row in rows.objects.collectable_by(user)) is (role in COLLECTS)
    granted = club.rights_of(user)
    assert (Right.READ in granted) is (role in READS)
    assert (Right.COLLECT in granted) is (role in COLLECTS)
    assert (Right.RECORD in granted) is (role in RECORDS)
    assert (Right.MANAGE in granted) is (role in MANAGES)


@pytest.mark.parametrize("role", Role)
def test_no_role_reaches_another_club(role: Role) -> None:
    user = a_login(a_club(), role)
    assert a_club().rights_of(user) == frozenset()
    foreign_table = a_table(an_evening(a_season(a_club())))
    evening = foreign_table.round.evening
    for rows, row in (
        (Club, evening.season.club),
        (Season, evening.season),
        (Evening, evening),
        (Table, foreign_table),
    ):
        assert row not in rows.objects.visible_to(user)
        assert row not in rows.objects.recordable_by(user)


def test_a_public_club_is_read_by_anyone_and_changed_by_none_of_them() -> None:
    evening = an_evening(a_season(a_club(public=True)))
    for user in (AnonymousUser(), a_user()):
        assert evening in Evening.objects.visible_to(user)
        assert evening not in Evening.objects.recordable_by(user)
        assert evening.season.club.rights_of(user) == frozenset()


def test_who_sat_at_a_table_may_see_it() -> None:
    guest = a_user()
    table = a_table(an_evening(a_season(a_club())), [guest.player, a_player(), a_player()])
    table.round.evening.season.club.memberships.all().delete()
    assert table in Table.objects.visible_to(guest)


def test_the_installations_admin_may_do_everything() -> None:
    root = User.objects.create_superuser("root@club.example", "a-long-enough-password")
    club = a_club()
    assert club in Club.objects.visible_to(root)
    assert club.rights_of(root) == set(Right)


def test_the_wider_role_is_the_one_whose_rights_contain_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for role in Role:
        assert wider_role(role, Role.GUEST) == wider_role(Role.GUEST, role) == role
    monkeypatch.setitem(RIGHTS, Role.MEMBER, frozenset({Right.READ}))
    monkeypatch.setitem(RIGHTS, Role.SECRETARY, frozenset({Right.RECORD}))
    assert wider_role(Role.MEMBER, Role.SECRETARY) is wider_role(Role.SECRETARY, Role.MEMBER) is None


@pytest.mark.parametrize("role", Role)
def test_whoever_may_act_sees_the_pages_on_the_way(role: Role) -> None:
    """Each right includes the right to read; the right to record includes taking fees."""
    assert not RIGHTS[role] or Right.READ in RIGHTS[role]
    assert Right.RECORD not in RIGHTS[role] or Right.COLLECT in RIGHTS[role]
