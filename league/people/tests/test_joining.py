"""Invitation links: who gets in by one, and when it ends."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail, signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.actions import roles
from league.actions.clubs import renew_invitation_key
from league.actions.merging import merge
from league.models import Club, Membership
from league.models.rights import Role
from league.people.queries.invitation_links import SALT, Invitation, sign_invitation
from players.models import Player, User
from tests.build import (
    PASSWORD,
    a_club,
    a_member,
    a_player,
    a_season,
    a_table,
    a_tournament,
    a_unit,
    a_user,
    an_evening,
)
from tests.readers import confirmed, give_password, signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(founder=a_player("Founder", "Adam"), name="Tarot du mardi")


def link(club: Club, player: Player | None = None) -> str:
    inviter = club.memberships.filter(role=Role.ADMIN).values_list("player_id", flat=True).first()
    invitation = Invitation(club=club.pk, key=club.invite_key, invited_by=inviter, player=player.pk if player else None)
    if player is not None and (role := player.memberships.filter(club=club).values_list("role", flat=True).first()):
        invitation = replace(invitation, role=role)
    return reverse("league:join", args=[sign_invitation(invitation)])


def a_record(club: Club, role: Role = Role.MEMBER) -> Player:
    """Somebody whom the club knows, without a login."""
    player = a_player("Chloé", "Martin")
    club.memberships.create(player=player, role=role)
    return player


def test_admins_page_shows_a_link_that_works(client: Client, club: Club) -> None:
    admin = a_member(club, Role.ADMIN)
    signed_in(client, admin)
    link = client.get(reverse("league:invitation", args=[club.slug])).context["link"]
    joiner = a_user()
    client.force_login(joiner)
    assert client.post(link.removeprefix("http://testserver")).status_code == 302
    assert Membership.objects.get(club=club, player__user=joiner).role == Role.MEMBER


def test_page_says_who_invites_to_what_before_anything_happens(client: Client, club: Club) -> None:
    user = a_user()
    client.force_login(user)
    page = client.get(link(club)).content.decode()
    assert "Founder Adam invites you to Tarot du mardi." in page
    assert not Membership.objects.filter(player__user=user).exists()


def test_anonymous_reader_is_sent_to_sign_up_or_in_and_back(client: Client, club: Club) -> None:
    address = link(club)
    page = client.get(address).content.decode()
    assert f"{reverse('account_signup')}?next=/join/" in page
    answer = client.post(address)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    assert "next=/join/" in answer["Location"]


def test_guest_becomes_a_member_and_a_secretary_stays_one(client: Client, club: Club) -> None:
    for before, after in [(Role.GUEST, Role.MEMBER), (Role.SECRETARY, Role.SECRETARY)]:
        player = a_member(club, before)
        signed_in(client, player)
        client.post(link(club))
        assert player.memberships.get().role == after


def test_accepting_twice_joins_once(client: Client, club: Club) -> None:
    user = a_user()
    client.force_login(user)
    for _ in range(2):
        assert client.post(link(club)).status_code == 302
    assert Membership.objects.filter(club=club, player__user=user).count() == 1


def test_login_without_a_player_gets_one(client: Client, club: Club) -> None:
    user = User.objects.create_user("zoe@club.example", "x")
    client.force_login(user)
    client.post(link(club))
    assert Player.objects.get(user=user).memberships.get().club == club


def test_personal_link_gives_the_login_to_the_record_and_the_unused_player_goes(client: Client, club: Club) -> None:
    record, user = a_record(club, Role.GUEST), a_user()
    unused = user.player.pk
    client.force_login(user)
    answer = client.post(link(club, record))
    assert answer["Location"] == reverse("league:player", args=[record.pk])
    record.refresh_from_db()
    assert record.user == user
    assert record.memberships.get().role == Role.GUEST  # the role stays
    assert not Player.objects.filter(pk=unused).exists()


def test_sign_up_by_a_personal_link_does_not_ask_for_the_name_again(client: Client, club: Club) -> None:
    record = a_record(club)
    address = link(club, record)
    signup = reverse("account_signup", query={"next": address})
    page: Any = client.get(signup)
    assert "given_name" not in page.context["form"].fields
    assert f"The login is for {record}" in page.content.decode()
    fields = {"email": "new@club.example", "password1": PASSWORD, "next": address}
    answer: Any = client.post(signup, fields, follow=True)
    assert answer.request["PATH_INFO"] == address
    client.post(address)
    record.refresh_from_db()
    assert user_of(record).email == "new@club.example"
    assert Player.objects.filter(user=record.user).count() == 1


@pytest.mark.parametrize("case", ["anyone's link", "ended", "taken", "made up", "elsewhere", "another page"])
def test_sign_up_by_any_other_way_asks_for_the_name(client: Client, club: Club, case: str) -> None:
    record = a_record(club)
    address = link(club, None if case == "anyone's link" else record)
    if case == "ended":
        renew_invitation_key(club)
    if case == "taken":
        Player.objects.filter(pk=record.pk).update(user=User.objects.create_user("taken@club.example", "x"))
    addresses = {"made up": "/join/made-up", "elsewhere": f"https://evil.example{address}", "another page": "/%00"}
    signup = reverse("account_signup", query={"next": addresses.get(case, address)})
    page: Any = client.get(signup)
    assert "given_name" in page.context["form"].fields
    fields = {"email": "new@club.example", "password1": PASSWORD}
    assert "given_name" in client.post(signup, fields).context["form"].errors


def test_personal_link_refuses_a_login_whose_player_is_in_use(client: Client, club: Club) -> None:
    record = a_record(club)
    user = user_of(a_member(a_club()))
    client.force_login(user)
    for page in (client.get(link(club, record)), client.post(link(club, record))):
        assert "installation's admin" in page.content.decode()
    record.refresh_from_db()
    assert record.user is None
    assert Player.objects.filter(user=user).exists()


def test_player_with_a_seat_counts_as_used(client: Client, club: Club) -> None:
    record, user = a_record(club), a_user()
    a_table(an_evening(a_season(a_club())), [user.player, *(a_player() for _ in range(3))])
    Membership.objects.filter(player=user.player).delete()
    client.force_login(user)
    assert client.post(link(club, record)).status_code == 409


@pytest.mark.parametrize("reference", ["registration", "merge"])
def test_player_of_a_registration_or_a_merge_counts_as_used(client: Client, club: Club, reference: str) -> None:
    """Catches a deletion that the database refuses: the click on Accept ended in an error."""
    record, user = a_record(club), a_user()
    if reference == "registration":
        unit = a_unit(a_tournament(a_club()))
        unit.players.filter(position=1).update(player=user.player)
    else:
        merge(user.player.pk, a_player().pk, by=None, now=timezone.now())
    client.force_login(user)
    for answer in (client.get(link(club, record)), client.post(link(club, record))):
        assert "Your login already belongs to" in answer.content.decode()
    record.refresh_from_db()
    assert record.user is None


def test_personal_link_works_once(client: Client, club: Club) -> None:
    record = a_record(club)
    address = link(club, record)
    client.force_login(a_user())
    client.post(address)
    client.force_login(a_user())
    assert client.get(address).status_code == 410
    assert client.post(address).status_code == 410


def test_personal_link_of_someone_who_left_the_club_has_ended(client: Client, club: Club) -> None:
    record = a_record(club)
    address = link(club, record)
    record.memberships.all().delete()
    assert client.get(address).status_code == 410


def test_renewing_ends_every_link_given_out(client: Client, club: Club) -> None:
    old = [link(club), link(club, a_record(club))]
    admin = a_member(club, Role.ADMIN)
    signed_in(client, admin)
    client.post(reverse("league:invitation-renew", args=[club.slug]))
    club.refresh_from_db()
    assert [client.get(address).status_code for address in old] == [410, 410]
    assert client.get(link(club)).status_code == 200


def test_link_ends_after_14_days(client: Client, club: Club) -> None:
    address = link(club)
    with time_machine.travel(timezone.now() + timedelta(days=15)):
        page = client.get(address)
    assert page.status_code == 410
    assert "This link has ended" in page.content.decode()


@pytest.mark.parametrize("made_up", ["x", "a:b:c", "another salt"])
def test_link_that_is_not_ours_is_not_found(client: Client, made_up: str) -> None:
    if made_up == "another salt":
        made_up = signing.dumps([1, "key", None, None], salt=made_up)
    page = client.get(reverse("league:join", args=[made_up]))
    assert page.status_code == 404
    assert "This link is not complete" in page.content.decode()


def test_link_with_a_guessed_key_does_not_let_in(client: Client, club: Club) -> None:
    forged = signing.dumps([club.pk, "guess", None, None], salt=SALT)
    assert client.get(reverse("league:join", args=[forged])).status_code == 410


def test_admin_shows_a_personal_link_only_of_the_own_club_and_without_a_login(client: Client, club: Club) -> None:
    admin, record = a_member(club, Role.ADMIN), a_record(club)
    signed_in(client, admin)

    def page(player: Player) -> int:
        return client.get(reverse("league:member-invite", args=[club.slug, player.memberships.get().pk])).status_code

    assert page(record) == 200
    assert page(a_member(club)) == 302
    assert page(a_member(a_club(), login=False)) == 404


@pytest.mark.parametrize("role", Role)
def test_a_new_login_may_do_no_more_in_other_clubs_than_a_member(client: Client, club: Club, role: Role) -> None:
    record, other_club = a_record(club), a_club()
    other_club.memberships.create(player=record, role=role)
    client.force_login(a_user())
    client.post(link(club, record))
    assert record.memberships.get(club=other_club).role == (Role.GUEST if role == Role.GUEST else Role.MEMBER)


@pytest.mark.parametrize("another_admin", [True, False])
def test_a_new_login_is_a_plain_member_of_other_clubs_until_an_admin_there_confirms(
    client: Client,
    club: Club,
    another_admin: bool,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    record = a_record(club, Role.SECRETARY)
    other_club = a_club(founder=record)
    confirming_admin = user_of(a_member(other_club, Role.ADMIN)) if another_admin else root
    client.force_login(a_user())
    with django_capture_on_commit_callbacks(execute=True):
        client.post(link(club, record))
    roles = dict(record.memberships.values_list("club", "role"))
    assert roles == {club.pk: Role.SECRETARY, other_club.pk: Role.MEMBER}
    [letter] = mail.outbox
    assert letter.to == [confirming_admin.email]
    assert "who was Admin, is a member now" in letter.body
    confirmer = Client()
    confirmer.force_login(confirming_admin)
    give_password(confirmer)
    address = reverse("league:member-role", args=[other_club.slug, record.memberships.get(club=other_club).pk])
    confirmer.post(address, {"role": "admin"})
    assert record.memberships.get(club=other_club).role == Role.ADMIN


@pytest.mark.parametrize("change", ["role", "committee", "merge"])
def test_a_personal_link_made_for_a_member_ends_when_the_record_gets_a_role(
    client: Client, club: Club, change: str
) -> None:
    record = a_record(club)
    membership = record.memberships.get()
    admin = a_member(club, Role.ADMIN)
    confirmed(client, admin)
    page = client.get(reverse("league:member-invite", args=[club.slug, membership.pk]))
    address = page.context["link"].removeprefix("http://testserver")
    if change == "role":
        roles.change_role(membership.pk, Role.TREASURER)
    elif change == "committee":
        roles.change_roles(club, [roles.RoleChange(membership.pk, Role.MEMBER, Role.ADMIN)])
    else:
        merge(record.pk, a_member(club, Role.SECRETARY, login=False).pk, by=None, now=timezone.now())
    joiner = Client()
    joiner.force_login(a_user())
    for answer in (joiner.get(address), joiner.post(address)):
        assert answer.status_code == 410
    record.refresh_from_db()
    assert record.user is None
    page = client.get(reverse("league:member-invite", args=[club.slug, membership.pk]))
    joiner.post(page.context["link"].removeprefix("http://testserver"))
    record.refresh_from_db()
    assert record.user is not None


def test_a_link_of_an_earlier_release_gives_a_members_record_and_no_other(client: Client, club: Club) -> None:
    member, secretary = a_record(club), a_record(club, Role.SECRETARY)
    client.force_login(a_user())
    for record, status in ((secretary, 410), (member, 302)):
        address = signing.dumps([club.pk, club.invite_key, None, record.pk], salt=SALT)
        assert client.post(reverse("league:join", args=[address])).status_code == status
