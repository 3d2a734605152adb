"""A club's people: who sees what of them, roles, and new ones."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.models import Club, Membership, Seat
from league.models.rights import Role
from players.models import Player, User
from tests.build import a_club, a_deal, a_member, a_player, a_season, a_table, a_user, an_evening
from tests.readers import confirmed, signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(founder=a_player("Founder", "Adam"), name="Tarot du mardi")


def members_page(club: Club, **query: str) -> str:
    return reverse("league:members", args=[club.slug], query=query)


def test_stranger_and_anonymous_find_no_page_of_a_private_club(client: Client, club: Club) -> None:
    assert client.get(members_page(club)).status_code == 404
    assert signed_in(client, a_member(a_club())).get(members_page(club)).status_code == 404


def test_guest_with_a_login_finds_no_page_of_a_private_club(client: Client, club: Club) -> None:
    assert signed_in(client, a_member(club, Role.GUEST)).get(members_page(club)).status_code == 404


def test_anonymous_reader_of_a_public_club_sees_names_of_members_only(client: Client) -> None:
    club = a_club(public=True, founder=a_player("Founder", "Adam"))
    club.memberships.create(player=a_player("Gaston", "Petit"), role=Role.GUEST)
    page = client.get(members_page(club)).content.decode()
    assert "Founder Adam" in page
    assert "Gaston Petit" not in page
    assert "Role" not in page
    assert "Login" not in page


def test_member_sees_roles_and_guests_but_no_way_to_change_them(client: Client, club: Club) -> None:
    club.memberships.create(player=a_player("Gaston", "Petit"), role=Role.GUEST)
    page = signed_in(client, a_member(club)).get(members_page(club)).content.decode()
    assert "Gaston Petit" in page
    assert "Guest" in page
    assert "<select" not in page


def test_search_finds_without_accents_in_any_order(client: Client, club: Club) -> None:
    club.memberships.create(player=a_player("Élodie", "Noël"))
    reader = signed_in(client, a_member(club))
    page = reader.get(members_page(club, q="noel elo")).content.decode()
    assert "Élodie Noël" in page
    assert "Founder Adam" not in page
    assert "Nobody is called" in reader.get(members_page(club, q="xyz")).content.decode()


def test_admin_changes_a_role(client: Client, club: Club) -> None:
    member = a_member(club).memberships.get()
    address = reverse("league:member-role", args=[club.slug, member.pk])
    answer = confirmed(client, a_member(club, Role.ADMIN)).post(address, {"role": "secretary"}, follow=True)
    assert "Secretary" in answer.content.decode()
    member.refresh_from_db()
    assert member.role == Role.SECRETARY


def test_secretary_cannot_change_roles(client: Client, club: Club) -> None:
    member = a_member(club).memberships.get()
    address = reverse("league:member-role", args=[club.slug, member.pk])
    assert signed_in(client, a_member(club, Role.SECRETARY)).post(address, {"role": "admin"}).status_code == 403


def test_admin_of_another_club_cannot_change_roles_by_id(client: Client, club: Club) -> None:
    other_club = a_club()
    theirs = other_club.memberships.get()
    admin = signed_in(client, a_member(club, Role.ADMIN))
    assert (
        admin.post(reverse("league:member-role", args=[other_club.slug, theirs.pk]), {"role": "guest"}).status_code
        == 404
    )
    assert admin.post(reverse("league:member-role", args=[club.slug, theirs.pk]), {"role": "guest"}).status_code == 404


@pytest.mark.parametrize("other", ["nobody", "no login", "inactive login"])
def test_last_admin_with_a_login_cannot_step_down_or_leave(client: Client, other: str) -> None:
    club = a_club()
    club.memberships.all().delete()
    admin = a_member(club, Role.ADMIN)
    if other != "nobody":
        User.objects.filter(player=a_member(club, Role.ADMIN, login=other == "inactive login")).update(is_active=False)
    membership = admin.memberships.get()
    address = reverse("league:member-role", args=[club.slug, membership.pk])
    page = confirmed(client, admin).post(address, {"role": "member"}, follow=True).content.decode()
    assert "last admin" in page
    assert "last admin" in end(client, club, admin)
    membership.refresh_from_db()
    assert membership.role == Role.ADMIN
    a_member(club, Role.ADMIN)
    client.post(address, {"role": "member"})
    membership.refresh_from_db()
    assert membership.role == Role.MEMBER


def test_admin_finds_the_way_to_a_login_for_who_has_none(client: Client, club: Club) -> None:
    record = a_member(club, login=False).memberships.get()
    page = signed_in(client, a_member(club, Role.ADMIN)).get(members_page(club)).content.decode()
    assert page.count(reverse("league:member-invite", args=[club.slug, record.pk])) == 1


def test_unknown_role_is_refused(client: Client, club: Club) -> None:
    member = a_member(club).memberships.get()
    address = reverse("league:member-role", args=[club.slug, member.pk])
    page = signed_in(client, a_member(club, Role.ADMIN)).post(address, {"role": "king"}, follow=True).content.decode()
    assert "Choose one of the roles." in page


def test_admin_adds_a_person(client: Client, club: Club) -> None:
    admin = signed_in(client, a_member(club, Role.ADMIN))
    address = reverse("league:member-add", args=[club.slug])
    admin.post(address, {"given_name": "Zoé", "family_name": "Petit", "role": "member"})
    assert Membership.objects.get(club=club, player__display_name="Zoé Petit").role == Role.MEMBER


def test_similar_name_is_asked_about_and_what_was_typed_stays(client: Client, club: Club) -> None:
    club.memberships.create(player=a_player("Chloé", "Martin"))
    admin = confirmed(client, a_member(club, Role.ADMIN))
    address = reverse("league:member-add", args=[club.slug])
    typed = {"given_name": "Cloe", "family_name": "Martin", "role": "secretary"}
    page = admin.post(address, typed)
    assert "Chloé Martin" in page.context["form"].errors["given_name"][0]
    assert 'value="Cloe"' in page.content.decode()
    assert "This is another person" in page.content.decode()
    assert not Player.objects.filter(given_name="Cloe").exists()
    admin.post(address, {**typed, "another": "on"})
    assert Player.objects.get(given_name="Cloe").memberships.get().role == Role.SECRETARY


def test_sending_twice_asks_instead_of_adding_twice(client: Client, club: Club) -> None:
    admin = signed_in(client, a_member(club, Role.ADMIN))
    typed = {"given_name": "Zoé", "family_name": "Petit", "role": "member"}
    for _ in range(2):
        admin.post(reverse("league:member-add", args=[club.slug]), typed)
    assert Player.objects.filter(given_name="Zoé").count() == 1


def test_name_of_another_club_is_not_asked_about(client: Client, club: Club) -> None:
    a_club().memberships.create(player=a_player("Chloé", "Martin"))
    admin = signed_in(client, a_member(club, Role.ADMIN))
    typed = {"given_name": "Chloé", "family_name": "Martin", "role": "member"}
    assert admin.post(reverse("league:member-add", args=[club.slug]), typed).status_code == 302


def test_name_missing_is_an_error_on_its_field(client: Client, club: Club) -> None:
    admin = signed_in(client, a_member(club, Role.ADMIN))
    page = admin.post(reverse("league:member-add", args=[club.slug]), {"family_name": "Petit", "role": "member"})
    assert set(page.context["form"].errors) == {"given_name"}
    assert 'value="Petit"' in page.content.decode()


@pytest.mark.parametrize("name", ["member-add", "invitation"])
def test_only_admins_reach_the_pages_for_admins(client: Client, club: Club, name: str) -> None:
    address = reverse(f"league:{name}", args=[club.slug])
    assert client.get(address).status_code == 302
    assert signed_in(client, a_member(club, Role.SECRETARY)).get(address).status_code == 403
    assert signed_in(client, a_member(a_club(), Role.ADMIN)).get(address).status_code == 404
    assert signed_in(client, a_member(club, Role.ADMIN)).get(address).status_code == 200


def test_nonsense_in_the_address_finds_a_page(client: Client, club: Club) -> None:
    admin = signed_in(client, a_member(club, Role.ADMIN))
    for query in ({"q": "\0"}, {"per_page": "-5"}, {"page": "9" * 30}, {"page": "-1"}, {"sort": "\0"}):
        assert admin.get(members_page(club, **query)).status_code == 200


def test_two_long_names_fit(client: Client, club: Club) -> None:
    typed = {"given_name": "B" * 60, "family_name": "C" * 60, "role": Role.MEMBER}
    signed_in(client, a_member(club, Role.ADMIN)).post(reverse("league:member-add", args=[club.slug]), typed)

    player = Player.objects.get(given_name="B" * 60)
    assert (player.family_name, len(player.display_name)) == ("C" * 60, 80)


def end(admin: Client, club: Club, player: Player) -> str:
    """Return the page after the admin ended the membership."""
    address = reverse("league:member-end", args=[club.slug, player.memberships.get(club=club).pk])
    assert "End the membership" in admin.get(address).content.decode()
    return admin.post(address, follow=True).content.decode()


def test_ended_membership_closes_the_club_and_keeps_results(client: Client, club: Club) -> None:
    player = a_member(club, Role.SECRETARY)
    table = a_table(an_evening(a_season(club)), [player, *(a_player() for _ in range(3))])
    a_deal(table)
    reader = signed_in(Client(), player)
    assert reader.get(members_page(club)).status_code == 200
    assert "no longer in the club" in end(confirmed(client, a_member(club, Role.ADMIN)), club, player)
    assert reader.get(members_page(club)).status_code == 404
    assert Seat.objects.get(player=player).points == 81  # 001's first example
    assert str(player) in client.get(table.get_absolute_url()).content.decode()


@pytest.mark.parametrize("how", ["put out", "demoted"])
def test_an_old_open_link_brings_nobody_back(client: Client, club: Club, how: str) -> None:
    admin, player = confirmed(client, a_member(club, Role.ADMIN)), a_member(club, Role.SECRETARY)
    link = admin.get(reverse("league:invitation", args=[club.slug])).context["link"].removeprefix("http://testserver")
    reader = signed_in(Client(), player)
    assert reader.get(link).status_code == 200
    if how == "put out":
        end(admin, club, player)
    else:
        address = reverse("league:member-role", args=[club.slug, player.memberships.get().pk])
        admin.post(address, {"role": "guest"})
    assert reader.post(link).status_code == 410
    assert reader.get(members_page(club)).status_code == 404


def test_the_last_admin_is_not_put_out(client: Client) -> None:
    club = a_club(founder=a_user().player)
    membership = Membership.objects.get(club=club)
    assert "last admin" in end(confirmed(client, membership.player), club, membership.player)
    assert Membership.objects.filter(pk=membership.pk).exists()


def test_other_admins_are_written_to_about_a_role_and_an_end(
    client: Client, club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    changer, admin, member = a_member(club, Role.ADMIN), a_member(club, Role.ADMIN), a_member(club)
    browser = confirmed(client, changer)
    address = reverse("league:member-role", args=[club.slug, member.memberships.get().pk])
    with django_capture_on_commit_callbacks(execute=True):
        browser.post(address, {"role": "admin"})
    letter, to_the_new_one = mail.outbox
    assert [letter.to, to_the_new_one.to] == [[user_of(admin).email], [user_of(member).email]]
    for text in (f"{member} was: Member", f"{member} is: Admin", f"Changed by: {changer}", members_page(club)):
        assert text in letter.body
    with django_capture_on_commit_callbacks(execute=True):
        end(browser, club, member)
    assert [letter.to for letter in mail.outbox[2:]] == [[user_of(admin).email], [user_of(member).email]]
    assert "no longer in the club" in mail.outbox[2].body
