"""The home page, founding a club, its home and its settings."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import Settings

from league.actions import attendance, evenings, totals
from league.models import Club, Evening, Run, Standing, versions
from league.models.evening import EveningState
from league.models.rights import Right, Role
from league.models.season import SeasonState
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from players.models import User
from tests.build import (
    NOW,
    a_club,
    a_deal,
    a_member,
    a_player,
    a_running_tournament,
    a_season,
    a_table,
    a_tournament,
    a_user,
    an_evening,
    sign_in,
)
from tests.logins import a_login
from tests.markup import unbroken
from tests.page_forms import sent_by
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

CREATE = reverse("league:club-found")
TYPED = {
    "name": "Cercle du Chien",
    "language": "fr",
    "time_zone": "Europe/Brussels",
    "public": "on",
    "currency": "eur",
    "fee_member": "3,50",
    "fee_guest": "5",
}


def a_founder(club: Club | None = None, role: Role = Role.ADMIN) -> User:
    """Return a login whose address is confirmed, with a role in the club."""
    user = a_login(club, role) if club else a_user()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_anyone_is_told_what_this_is_and_which_clubs_are_public(client: Client) -> None:
    a_club(name="Open House", public=True)
    a_club(name="Closed House")
    page = text(client, "/")
    assert "Sign in" in page
    assert "Open House" in page
    assert "Closed House" not in page


def test_whoever_has_no_club_is_told_how_to_get_one(client: Client) -> None:
    client.force_login(a_user())
    page = text(client, "/")
    assert "You belong to no club yet" in page
    assert CREATE in page


def test_a_new_club_has_the_language_of_its_founder(client: Client) -> None:
    """Also if nothing is chosen; a visitor who wants a club reads at the sign-up that it comes next."""
    french = {"Accept-Language": "fr"}
    sign_up = client.get(f"/account/signup/?next={CREATE}", headers=french).content.decode()
    assert "Créer un club\u202f: d’abord votre compte" in sign_up
    assert "d’abord votre compte" not in client.get("/account/signup/", headers=french).content.decode()
    client.force_login(a_user())
    assert client.get(CREATE, headers=french).context["form"]["language"].value() == "fr"


def test_home_shows_tonight_first(client: Client) -> None:
    club = a_club(name="House")
    evening = an_evening(a_season(club, name="Autumn"))
    foreign_evening = an_evening(a_season(a_club(name="Elsewhere", public=True)))
    client.force_login(a_login(club))
    page = text(client, "/")
    assert page.index("Open evenings") < page.index("Your clubs</h2>")
    assert evening.get_absolute_url() in page
    assert foreign_evening.get_absolute_url() not in page


def test_a_running_tournament_is_listed_once(client: Client) -> None:
    """It is among tonight's evenings; it was listed as one of the next tournaments, too."""
    club = a_club(public=True)
    running = a_running_tournament(club, name="Cup of today")
    coming = a_tournament(club, name="Cup of tomorrow", date=running.date + timedelta(days=1))
    page = text(client, club.get_absolute_url())
    assert [unbroken(page).count(f">{row.name}</a>") for row in (running, coming)] == [1, 1]


def test_an_evening_called_like_its_season_is_named_once(client: Client) -> None:
    """A tournament gives its evening and its season one name. Any other evening is shown with its season."""
    club = a_club(name="House", public=True)
    Evening.objects.filter(pk=an_evening(a_season(club, name="Cup")).pk).update(name="Cup")
    evening = an_evening(a_season(club, name="Autumn"))
    visitor = strip_tags(text(client, club.get_absolute_url()))
    client.force_login(a_login(club))
    for page in (visitor, strip_tags(text(client, "/"))):
        words = " ".join(page.split())
        assert f"Autumn: {evening}" in words
        assert "Cup" in words
        assert "Cup: Cup" not in words


def test_home_and_evening_say_that_a_rank_is_shared(client: Client) -> None:
    club = a_club()
    first, second = a_member(club), a_member(club)
    season = a_season(club, "belote", table_sizes=[4])
    evening = an_evening(season)
    sums = {seat: PointsAndDeals(points, 12) for seat, points in enumerate([900, 700, 900, 700])}
    people = [first, second, a_player(), a_player()]
    totals.record(a_table(evening, people).pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    for player, rank in ((first, "1st"), (second, "3rd")):
        text = " ".join(strip_tags(sign_in(client, player).get("/").content.decode()).split())
        assert "of 4, shared, " in text
        assert f"{rank} of 4, shared" in text  # the last evening
        assert ("nobody: you share the lead" in text) == (player == first)
        assert "you lead" not in text
        page = client.get(evening.get_absolute_url()).content.decode()
        assert f"You: {rank} of 4, {900 if player == first else 700}, shared" in " ".join(strip_tags(page).split())


def test_a_guest_is_led_to_his_own_results(client: Client) -> None:
    club = a_club(name="Private House")
    guest = a_login(club, Role.GUEST)
    client.force_login(guest)
    page = text(client, "/")
    assert reverse("league:player", args=[guest.player.pk]) in page
    assert club.get_absolute_url() not in page


def test_anonymous_founds_nothing(client: Client) -> None:
    assert client.get(CREATE)["Location"].startswith(reverse("account_login"))
    assert client.post(CREATE, TYPED).status_code == 302
    assert not Club.objects.exists()


def test_founding_a_club(client: Client) -> None:
    user = a_founder()
    client.force_login(user)
    response = client.post(CREATE, TYPED)
    club = Club.objects.get()
    assert response["Location"] == club.get_absolute_url()
    assert (club.fee_member, club.fee_guest, club.currency, club.public) == (350, 500, "EUR", True)
    assert club.memberships.get().player == user.player
    assert "You are its admin" in text(client, club.get_absolute_url())


def test_a_club_sent_twice_is_founded_once(client: Client) -> None:
    client.force_login(a_founder())
    first, second = client.post(CREATE, TYPED), client.post(CREATE, TYPED)
    assert first["Location"] == second["Location"]
    assert Club.objects.count() == 1


def test_another_founder_may_take_the_same_name(client: Client) -> None:
    for user in (a_founder(), a_founder()):
        client.force_login(user)
        client.post(CREATE, TYPED)
    assert Club.objects.count() == 2


def test_a_founder_without_a_player_gets_one(client: Client) -> None:
    root = User.objects.create_superuser("root@club.example", "a-long-enough-password")
    client.force_login(root)
    refused = client.post(CREATE, TYPED)
    assert refused.context["founder"].errors.keys() == {"given_name"}
    client.post(CREATE, {**TYPED, "given_name": "Rose", "family_name": "Roi"})
    assert str(Club.objects.get().memberships.get().player) == "Rose Roi"
    assert User.objects.get().player.given_name == "Rose"


@pytest.mark.parametrize(
    ("field", "typed"),
    [("name", ""), ("currency", "euro"), ("fee_member", "three"), ("time_zone", "Mars/Base"), ("language", "xx")],
)
def test_a_wrong_field_is_named_and_everything_is_kept(client: Client, field: str, typed: str) -> None:
    client.force_login(a_founder())
    response = client.post(CREATE, {**TYPED, field: typed})
    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {field}
    assert response.context["form"]["fee_guest"].value() == "5"
    assert response.context["form"][field].value() == typed
    assert not Club.objects.exists()


def test_strangers_do_not_find_a_private_club(client: Client) -> None:
    club = a_club()
    assert client.get(club.get_absolute_url()).status_code == 404
    client.force_login(a_user())
    assert client.get(club.get_absolute_url()).status_code == 404
    client.force_login(a_login(club, Role.GUEST))
    assert client.get(club.get_absolute_url()).status_code == 404


def test_an_empty_club_shows_its_admin_the_first_steps(client: Client) -> None:
    club = a_club()
    client.force_login(a_login(club, Role.ADMIN))
    page = text(client, club.get_absolute_url())
    assert "First steps" in page
    assert reverse("league:season-found", args=[club.slug]) in page
    client.force_login(a_login(club))
    page = text(client, club.get_absolute_url())
    assert "no season yet" in page
    assert reverse("league:season-found", args=[club.slug]) not in page


def test_the_secretary_finds_tonights_missing_sheets(client: Client) -> None:
    club = a_club()
    table = a_table(an_evening(a_season(club)))
    a_deal(table)
    client.force_login(a_login(club, Role.SECRETARY))
    page = text(client, club.get_absolute_url())
    assert table.get_absolute_url() in page
    assert "3 deals are missing" in page
    client.force_login(a_login(club))
    assert table.get_absolute_url() not in text(client, club.get_absolute_url())


def test_tonights_card_leads_to_the_next_step(client: Client) -> None:
    """Check-in, draw, the missing sheet, the end: one filled button each time."""
    club = a_club()
    evening = an_evening(a_season(club, end_number=1, table_sizes=[4]))
    client.force_login(a_login(club, Role.SECRETARY))

    def next_step() -> str:
        [button] = re.findall(r'class="btn btn-primary" href="([^"]+)"', client.get(club.get_absolute_url()).text)
        return str(button)

    assert next_step() == reverse("league:attendance", args=[evening.pk])
    players = [a_member(club) for _ in range(4)]
    attendance.check_in(evening.pk, [player.pk for player in players])
    assert next_step() == reverse("league:draw", args=[evening.pk])
    table = a_table(evening, players)
    assert next_step() == table.get_absolute_url()
    a_deal(table)
    assert next_step() == reverse("league:evening-close", args=[evening.pk])


def test_the_club_names_its_last_winner_and_its_next_evening(client: Client) -> None:
    club = a_club()
    season = a_season(club, end_number=1)
    evening = an_evening(season)
    table = a_table(evening)
    a_deal(table)
    evenings.close(evening.pk, now=NOW)
    missed = an_evening(season, EveningState.PLANNED, timezone.localdate() - timedelta(days=1))
    coming = an_evening(season, EveningState.PLANNED, timezone.localdate())
    client.force_login(a_login(club))
    page = text(client, club.get_absolute_url())
    assert missed.get_absolute_url() not in page
    assert str(table.seats.all()[0].player) in page
    assert coming.get_absolute_url() in page
    assert "Standings are being computed." in page


def test_a_closed_season_stays_listed(client: Client) -> None:
    club = a_club()
    season = a_season(club, state=SeasonState.CLOSED)
    client.force_login(a_login(club))
    assert season.get_absolute_url() in text(client, club.get_absolute_url())


@pytest.mark.parametrize(
    ("role", "status"), [(Role.GUEST, 404), (Role.MEMBER, 403), (Role.SECRETARY, 403), (Role.ADMIN, 200)]
)
def test_only_admins_reach_the_settings(client: Client, role: Role, status: int) -> None:
    club = a_club()
    address = reverse("league:club-settings", args=[club.slug])
    client.force_login(a_founder(club, role))
    assert client.get(address).status_code == status
    assert client.post(address, TYPED).status_code == (302 if status == 200 else status)
    club.refresh_from_db()
    assert (club.name == "Cercle du Chien") is (status == 200)


def test_settings_show_fees_in_the_currency_and_keep_the_address(client: Client) -> None:
    club = a_club(fee_member=350)
    client.force_login(a_founder(club))
    address = reverse("league:club-settings", args=[club.slug])
    assert 'value="3.50"' in text(client, address)
    refused = client.post(address, {**TYPED, "fee_member": "a lot"})
    assert "amount such as" in refused.content.decode()
    assert "a lot" in refused.content.decode()
    client.post(address, {**TYPED, "fee_member": "", "table_entry": "on"})
    slug = club.slug
    club.refresh_from_db()
    assert (club.slug, club.fee_member, club.table_entry) == (slug, 0, True)


def test_settings_saved_from_two_pages_keep_what_each_changed(client: Client) -> None:
    club = a_club(fee_member=300, public=True)
    client.force_login(a_founder(club))
    address = reverse("league:club-settings", args=[club.slug])
    first, second = client.get(address), client.get(address)
    assert client.post(address, sent_by(first, fee_member="4.50", public=None, begins_at="20:30")).status_code == 302
    assert client.post(address, sent_by(second, place="Salle Brassens")).status_code == 302
    club.refresh_from_db()
    assert (club.fee_member, club.public, club.place) == (450, False, "Salle Brassens")
    assert str(club.begins_at) == "20:30:00"


def test_a_setting_that_another_page_changed_is_refused_once_and_what_was_typed_is_kept(client: Client) -> None:
    club = a_club(fee_member=300)
    client.force_login(a_founder(club))
    address = reverse("league:club-settings", args=[club.slug])
    first, second = client.get(address), client.get(address)
    client.post(address, sent_by(first, fee_member="4.50", place="Salle Brassens"))
    refused = client.post(address, sent_by(second, fee_member="5", currency="CHF"))
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"fee_member"}
    assert "Now stands: 4.50." in refused.content.decode()
    club.refresh_from_db()
    assert (club.fee_member, club.currency) == (450, "EUR")
    assert client.post(address, sent_by(refused)).status_code == 302
    club.refresh_from_db()
    assert (club.fee_member, club.currency, club.place) == (500, "CHF", "Salle Brassens")


def test_settings_of_two_pages_that_do_not_fit_together_are_refused(client: Client) -> None:
    club = a_club(public_names="initial", member_names="full")
    client.force_login(a_founder(club))
    address = reverse("league:club-settings", args=[club.slug])
    first, second = client.get(address), client.get(address)
    assert client.post(address, sent_by(first, public_names="full")).status_code == 302
    refused = client.post(address, sent_by(second, member_names="initial"))
    assert refused.context["form"].errors.keys() == {"public_names"}
    club.refresh_from_db()
    assert (club.public_names, club.member_names) == ("full", "full")


def test_what_a_page_is_said_to_have_shown_makes_no_club_public(client: Client) -> None:
    user = a_user()
    client.force_login(user)
    club = a_club(founder=user.player)
    initial = {"initial-public": "True"}
    client.post(reverse("league:club-settings", args=[club.slug]), {**TYPED, **initial})
    client.post(CREATE, {**TYPED, **initial})
    assert not Club.objects.filter(public=True).exists()


def test_a_club_becomes_public_by_a_confirmed_address_only(client: Client) -> None:
    user = a_user()
    client.force_login(user)
    address = reverse("league:club-settings", args=[a_club(founder=user.player).slug])
    refused = client.post(address, TYPED)
    assert "Confirm your e-mail address first" in refused.content.decode()
    assert not Club.objects.filter(public=True).exists()
    EmailAddress.objects.create(user=user, email=user.email, verified=True)
    assert client.post(address, TYPED).status_code == 302
    assert Club.objects.filter(public=True).count() == 1


def a_waiting_club(client: Client) -> Club:
    """Return a club whose founder wants it public, and has no confirmed address yet."""
    user = a_user()
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    client.force_login(user)
    assert client.post(CREATE, TYPED).status_code == 302
    return Club.objects.get(name=TYPED["name"])


def confirm(client: Client) -> None:
    """Have the message sent again, and follow its link."""
    page = client.get(reverse("account_email"))
    [address] = EmailAddress.objects.filter(user=page.wsgi_request.user.pk)
    client.post(reverse("account_email"), {"email": address.email, "action_send": ""})
    link = next(word for word in str(mail.outbox[-1].body).split() if "/confirm-email/" in word)
    client.post(link)
    address.refresh_from_db()
    assert address.verified


def test_a_club_founded_public_is_private_until_the_address_is_confirmed(client: Client) -> None:
    club = a_waiting_club(client)
    assert not club.public
    page = text(client, club.get_absolute_url())
    assert "private until an admin of it has a confirmed e-mail address" in page
    assert reverse("account_email") in page
    assert Client().get(club.get_absolute_url()).status_code == 404
    client.post(reverse("league:club-settings", args=[club.slug]), TYPED | {"name": "Renamed"})
    club.refresh_from_db()
    assert (club.public, club.name) == (False, "Renamed")
    confirm(client)
    club.refresh_from_db()
    assert (club.public, club.publish_once_confirmed) == (True, False)
    assert "private until" not in text(client, club.get_absolute_url())


@pytest.mark.parametrize("initial", ["", "True"])
def test_a_waiting_club_is_not_published_by_what_a_page_is_said_to_have_shown(client: Client, initial: str) -> None:
    club = a_waiting_club(client)
    client.post(reverse("league:club-settings", args=[club.slug]), TYPED | {"initial-public": initial})
    club.refresh_from_db()
    assert (club.public, club.publish_once_confirmed) == (False, True)


def test_a_club_kept_private_meanwhile_stays_private(client: Client) -> None:
    club = a_waiting_club(client)
    data = {name: value for name, value in TYPED.items() if name != "public"}
    assert client.post(reverse("league:club-settings", args=[club.slug]), data).status_code == 302
    confirm(client)
    club.refresh_from_db()
    assert (club.public, club.publish_once_confirmed) == (False, False)


def test_a_waiting_club_is_not_published_where_its_founder_is_no_admin_any_more(client: Client) -> None:
    club = a_waiting_club(client)
    club.memberships.update(role=Role.MEMBER)
    confirm(client)
    club.refresh_from_db()
    assert not club.public


def test_an_installation_may_have_its_admin_make_clubs_public(client: Client, settings: Settings) -> None:
    settings.PUBLIC_CLUBS_BY_APPROVAL = True
    founder = a_founder()
    client.force_login(founder)
    assert "the installation&#x27;s admin makes a club public" in client.post(CREATE, TYPED).content.decode()
    club = a_club(founder=founder.player)
    address = reverse("league:club-settings", args=[club.slug])
    client.force_login(User.objects.create_superuser("root@club.example"))
    assert client.post(address, TYPED).status_code == 302
    client.force_login(founder)
    assert client.post(address, {**TYPED, "name": "Renamed"}).status_code == 302, "it stays as it was made"
    club.refresh_from_db()
    assert (club.public, club.name) == (True, "Renamed")


def test_nobody_founds_clubs_without_end(client: Client) -> None:
    client.force_login(a_founder())
    answers = [client.post(CREATE, {**TYPED, "name": f"Club {number}"}).status_code for number in range(7)]
    assert answers == [302] * 5 + [429] * 2
    assert Club.objects.count() == 5


def test_many_public_clubs_come_page_by_page(client: Client) -> None:
    for number in range(51):
        a_club(name=f"House {number:02}", public=True)
    first, second = text(client, "/"), text(client, "/?page=2")
    assert "House 49" in first
    assert "House 50" not in first
    assert "House 50" in second


def test_a_member_sees_his_own_row_and_answers_from_the_clubs_page(client: Client) -> None:
    club = a_club()
    player = a_member(club)
    season = a_season(club, end_number=4)
    evening = an_evening(season, EveningState.CLOSED)
    coming = an_evening(season, EveningState.PLANNED, timezone.localdate())
    rows = [(a_player(), rank) for rank in range(1, 8)] + [(player, 8)]
    for player, rank in rows:
        Standing.objects.create(
            season=season,
            player=player,
            rank=rank,
            numerator=100 - rank,
            evenings=1,
            deals=4,
            arithmetic=versions.STANDINGS,
        )
    signed_in(client, player)
    answer = client.get(club.get_absolute_url())
    [(_season, places)] = answer.context["tops"]
    assert [place.row.rank for place in places] == [1, 2, 3, 4, 5, 8]
    assert answer.context["last"].evening == evening
    sent = client.post(reverse("league:evening-answer", args=[coming.pk]), {"comes": "yes", "back": "club"})
    assert sent["Location"] == f"{club.get_absolute_url()}#comes-{coming.pk}"
    assert client.get(club.get_absolute_url()).context["next"].comes is True


def test_equal_totals_say_what_broke_the_tie(client: Client) -> None:
    club = a_club(public=True)
    season = a_season(club)
    for rank, total in ((1, 90), (2, 50), (3, 50)):
        Standing.objects.create(
            season=season, player=a_player(), rank=rank, numerator=total, evenings=1, deals=4, tie_break="best_evening",
            arithmetic=versions.STANDINGS,
        )  # fmt: skip
    page = client.get(club.get_absolute_url())
    [(_season, places)] = page.context["tops"]
    assert [bool(place.tie_break) for place in places] == [False, True, True]
    assert page.content.decode().count(f"by {places[1].tie_break}") == 2


def test_visitors_have_no_role_though_some_members_have_no_login(client: Client) -> None:
    club = a_club(public=True)
    club.memberships.create(player=a_player(), role=Role.SECRETARY)
    season = a_season(club)
    for address in (club.get_absolute_url(), season.get_absolute_url()):
        answer = client.get(address)
        assert not any(answer.context[f"can_{right}"] for right in Right)


def test_visitors_see_a_real_evening_of_a_public_club_and_never_a_private_one(client: Client) -> None:
    private, public = a_club(), a_club(public=True)
    for club in (public, private):
        evening = an_evening(a_season(club, end_number=1))
        a_deal(a_table(evening))
        evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    page = client.get("/").content.decode()
    assert public.seasons.get().get_absolute_url() in page
    assert private.seasons.get().get_absolute_url() not in page
    assert reverse("account_signup") in page
