"""Letters that people asked for: what each says, who gets it, and that none is sent twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time, timedelta
from email import message_from_bytes, policy
from typing import Any
from uuid import uuid4

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from league.actions import contests, deals, evenings, notifications, roles
from league.actions.erasure import erase
from league.models import Club, Contest, Deal, Evening, Notification, Season
from league.models.evening import EveningState
from league.models.notification import UNCERTAIN_TIME, NotificationKind, NotificationState
from league.models.rights import Role
from league.models.season import SeasonState
from players.models import Player, User
from tests.build import NOW, TAKE, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import user_of
from tests.run_jobs import send_letters

pytestmark = pytest.mark.django_db

SITE = "https://league.example"


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE_ADDRESS = SITE


@pytest.fixture
def club() -> Club:
    return a_club(name="Les Atouts", language="fr", time_zone="Europe/Paris")


@pytest.fixture
def season(club: Club) -> Season:
    return a_season(club, name="Automne", end_number=1)


@pytest.fixture
def sent(mailoutbox: list[EmailMessage]) -> Callable[..., list[EmailMessage]]:
    """Returns what a worker sends now."""

    def sent(after: timedelta = timedelta(0)) -> list[EmailMessage]:
        mailoutbox.clear()
        send_letters(NOW + after)
        return list(mailoutbox)

    return sent


Sent = Callable[..., list[EmailMessage]]


def a_reader(club: Club, *kinds: NotificationKind, role: Role = Role.MEMBER) -> Player:
    """Return a member who wants letters of these kinds and of no other."""
    player = a_member(club, role)
    notifications.store_notification_choices(user_of(player), kinds, NotificationKind)
    return player


def a_closed_evening(season: Season, players: list[Player]) -> Evening:
    evening = an_evening(season)
    a_deal(a_table(evening, [*players, *(a_player() for _ in range(4 - len(players)))]))
    return evenings.close(evening.pk, now=NOW)


def a_contest(season: Season, player: Player) -> Contest:
    deal = a_deal(a_table(an_evening(season), [player, *(a_player() for _ in range(3))]))
    return contests.record_contest(deal.pk, player_id=player.pk, reason="C'était 34", now=NOW)


def read(mail: EmailMessage) -> str:
    return f"{mail.subject}\n{mail.body}"


# Each kind


def test_an_evening_planned(club: Club, season: Season, sent: Sent) -> None:
    reader = a_reader(club, NotificationKind.PLANNED)
    a_reader(club)  # without any choice
    a_member(club)  # without any choice
    day = TODAY + timedelta(days=7)
    evening, _new = evenings.plan(season.pk, date=day, begins_at=time(20, 30), place="Salle des fêtes")
    [mail] = sent()
    assert mail.to == [user_of(reader).email]
    assert mail.subject == "Les Atouts\u202f: une soirée est prévue"
    assert "vendredi 9 octobre 2026, 20\xa0h\xa030, Salle des fêtes" in mail.body
    assert f"{SITE}/evenings/{evening.pk}/" in mail.body


def test_evenings_planned_together_are_one_letter(club: Club, season: Season, sent: Sent) -> None:
    a_reader(club, NotificationKind.PLANNED)
    days = [TODAY + timedelta(days=7 * week) for week in range(1, 4)]
    evenings.plan_many(season.pk, days)
    [mail] = sent()
    assert mail.subject == "Les Atouts\u202f: 3 soirées sont prévues"
    assert mail.body.count("/evenings/") == 3
    assert set(Notification.objects.values_list("state", flat=True)) == {NotificationState.SENT}


def test_a_draft_announces_nothing(club: Club, sent: Sent) -> None:
    a_reader(club, NotificationKind.PLANNED)
    draft = a_season(club, state=SeasonState.DRAFT)
    evenings.plan(draft.pk, date=TODAY)
    assert sent() == []


def test_the_results_with_the_readers_line(club: Club, season: Season, sent: Sent) -> None:
    reader = a_reader(club, NotificationKind.RESULTS)
    a_reader(club, NotificationKind.RESULTS)  # did not play
    evening = a_closed_evening(season, [a_member(club), reader])
    [mail] = sent()
    assert mail.to == [user_of(reader).email]
    assert mail.subject == "Les Atouts\u202f: les résultats de la soirée"
    assert "Votre place\u202f: 2 sur 4, avec −27 points" in mail.body
    assert f"{SITE}/evenings/{evening.pk}/" in mail.body


def test_a_deal_corrected_after_the_evening(club: Club, season: Season, sent: Sent) -> None:
    reader = a_reader(club, NotificationKind.CORRECTED)
    evening = an_evening(season)
    deal = a_deal(a_table(evening, [reader, *(a_player() for _ in range(3))]))
    revised = revise(deal, 45)
    evenings.close(evening.pk, now=NOW)
    assert sent() == []  # before the results are out, a correction is a part of recording
    revise(revised, 43)
    [mail] = sent()
    assert mail.subject == "Les Atouts\u202f: une donne de votre table a été corrigée"
    assert "Donne 1 de la table 1, tour 1, vendredi 2 octobre 2026" in mail.body
    assert "+81 points" in mail.body
    deals.void(deal.pk, client_key=uuid4(), seen_version=3, now=NOW, reason="Nobody played it")
    [mail] = sent()
    assert "annulée" in mail.body


def revise(deal: Deal, points: int) -> Deal:
    facts = {**TAKE, "points": points}
    return deals.revise(deal.pk, facts, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Misread")


def test_a_contest_answered(club: Club, season: Season, sent: Sent) -> None:
    reader = a_reader(club, NotificationKind.ANSWERED)
    secretary = user_of(a_member(club, Role.SECRETARY))
    contest = a_contest(season, reader)
    notifications.store_notification_choices(secretary, (), NotificationKind)
    for _time in range(2):
        contests.answer_contest(contest.pk, answer="Oui, 34.", by=secretary, now=NOW)
    [mail] = [mail for mail in sent() if mail.to == [user_of(reader).email]]
    assert "Vous avez écrit\u202f: C'était 34" in mail.body
    assert "La réponse\u202f: Oui, 34." in mail.body


def test_an_answer_is_sent_to_the_person_who_contested_without_being_asked_for(
    season: Season, club: Club, sent: Sent
) -> None:
    secretary = user_of(a_member(club, Role.SECRETARY))
    chose_nothing, refused = a_member(club), a_reader(club)
    for player in (chose_nothing, refused):
        contests.answer_contest(a_contest(season, player).pk, answer="Yes, 34.", by=secretary, now=NOW)
    answers = [mail for mail in sent() if "Yes, 34." in str(mail.body)]
    assert [mail.to for mail in answers] == [[user_of(chose_nothing).email]]


def test_a_contest_comes_in_for_who_records_unless_he_refused(club: Club, season: Season, sent: Sent) -> None:
    secretary = a_member(club, Role.SECRETARY)  # without any choice
    a_reader(club, role=Role.SECRETARY)  # refused
    a_reader(club, NotificationKind.CONTESTED)  # records nothing
    contest = a_contest(season, a_member(club, Role.SECRETARY))  # the author of the contest
    mails = sent()
    assert {address for mail in mails for address in mail.to} == {user_of(secretary).email}
    assert f"{SITE}/contests/{contest.pk}/answer" in mails[0].body


# Once


def test_repeated_event_is_notified_once(club: Club, season: Season, sent: Sent) -> None:
    a_member(club, Role.SECRETARY)
    reader = a_reader(club, NotificationKind.RESULTS)
    contest = a_contest(season, reader)
    contests.record_contest(contest.deal_id, player_id=reader.pk, reason="Encore", now=NOW)
    evening = contest.deal.table.round.evening
    evenings.close(evening.pk, now=NOW)
    assert sorted(mail.subject.split("\u202f: ")[1] for mail in sent()) == [
        "les résultats de la soirée",
        "une donne est contestée",
    ]
    evenings.reopen(evening.pk, now=NOW)
    evenings.close(evening.pk, now=NOW)
    assert sent() == []


def test_what_failed_tells_nobody(club: Club, season: Season, sent: Sent) -> None:
    a_reader(club, NotificationKind.PLANNED)
    with pytest.raises(ZeroDivisionError):
        _plan_and_fail(season)
    assert not Notification.objects.exists()


def _plan_and_fail(season: Season) -> None:
    from django.db import transaction

    with transaction.atomic():
        evenings.plan(season.pk, date=TODAY)
        raise ZeroDivisionError


def test_a_claimed_letter_is_never_claimed_again(club: Club, season: Season, sent: Sent) -> None:
    a_reader(club, NotificationKind.PLANNED)
    evenings.plan(season.pk, date=TODAY + timedelta(days=1))
    [letter] = notifications.claim_emails(NOW)
    later = 10 * UNCERTAIN_TIME
    assert notifications.claim_emails(NOW + later) == []
    assert sent(later) == []
    assert not Notification.objects.uncertain(NOW).exists()
    assert list(Notification.objects.uncertain(NOW + later)) == [letter]


def test_letters_of_long_ago_are_cleared(club: Club, season: Season) -> None:
    a_reader(club, NotificationKind.PLANNED)
    evenings.plan(season.pk, date=TODAY + timedelta(days=1))
    written_at = Notification.objects.get().written_at
    notifications.delete_old_notifications(written_at + notifications.RETENTION_TIME)
    assert Notification.objects.count() == 1
    notifications.delete_old_notifications(written_at + notifications.RETENTION_TIME + timedelta(seconds=1))
    assert not Notification.objects.exists()


# Changes since it was written


def leave(player: Player, club: Club) -> None:
    roles.end_membership(club.memberships.get(player=player).pk)


def become_a_guest(player: Player, club: Club) -> None:
    roles.change_role(club.memberships.get(player=player).pk, Role.GUEST)


def refuse(player: Player, club: Club) -> None:
    notifications.store_notification_choices(user_of(player), (), NotificationKind)


def be_shut_out(player: Player, club: Club) -> None:
    User.objects.filter(player=player).update(is_active=False)


def be_erased(player: Player, club: Club) -> None:
    erase(player.pk)


def have_it_cancelled(player: Player, club: Club) -> None:
    for evening in Evening.objects.filter(state=EveningState.PLANNED):
        evenings.cancel(evening.pk)


SINCE = [leave, become_a_guest, refuse, be_shut_out, be_erased, have_it_cancelled]


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("since", SINCE, ids=lambda since: since.__name__)
def test_former_readers_get_nothing(since: Callable[[Player, Club], None], sent: Sent, public: bool) -> None:
    club = a_club(public=public)
    reader = a_reader(club, NotificationKind.PLANNED)
    evenings.plan(a_season(club).pk, date=TODAY + timedelta(days=1))
    assert Notification.objects.count() == 1
    since(reader, club)
    assert sent() == []
    assert not Notification.objects.filter(state=NotificationState.WAITING).exists()


def test_a_contest_answered_meanwhile_bothers_nobody(club: Club, season: Season, sent: Sent) -> None:
    secretary = a_member(club, Role.SECRETARY)
    contest = a_contest(season, a_member(club))
    contests.answer_contest(contest.pk, answer="Non.", by=user_of(secretary), now=NOW)
    assert user_of(secretary).email not in {address for mail in sent() for address in mail.to}


# The mail itself


def test_it_is_in_the_readers_language_and_else_in_the_clubs(club: Club, season: Season, sent: Sent) -> None:
    reader = a_reader(club, NotificationKind.PLANNED)
    User.objects.filter(player=reader).update(language="en-gb")
    evenings.plan(season.pk, date=date(2026, 10, 9))
    [mail] = sent()
    assert mail.subject == "Les Atouts: an evening is planned"
    assert "Friday 9 Oct 2026" in mail.body


def test_it_is_stopped_by_a_header_as_by_its_link(club: Club, season: Season, sent: Sent) -> None:
    a_reader(club, NotificationKind.PLANNED)
    evenings.plan(season.pk, date=TODAY + timedelta(days=1))
    [mail] = sent()
    link = mail.extra_headers["List-Unsubscribe"]
    assert link.startswith(f"<{SITE}/letters/stop/")
    assert link.strip("<>") in mail.body
    assert mail.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail.extra_headers["Auto-Submitted"] == "auto-generated"


def test_a_name_with_a_line_break_adds_no_header(sent: Sent) -> None:
    club = a_club(name="Évreux\r\nBcc: everyone@club.example")
    a_reader(club, NotificationKind.PLANNED)
    evenings.plan(a_season(club).pk, date=TODAY + timedelta(days=1))
    [mail] = sent()
    message = message_from_bytes(mail.message().as_bytes(), policy=policy.default)
    assert message["Bcc"] is None
    assert message["Subject"].strip() == "Évreux Bcc: everyone@club.example: an evening is planned"


def test_no_other_address_is_named(club: Club, season: Season, sent: Sent) -> None:
    readers = [a_reader(club, NotificationKind.PLANNED) for _ in range(2)]
    evenings.plan(season.pk, date=TODAY + timedelta(days=1))
    mails = sent()
    assert [mail.recipients() for mail in mails] == [[user_of(reader).email] for reader in readers]


def test_the_worst_number_of_queries_is_the_same_for_one_letter_and_many(
    club: Club, season: Season, sent: Sent, django_assert_max_num_queries: Any
) -> None:
    a_reader(club, NotificationKind.PLANNED)
    evenings.plan_many(season.pk, [TODAY + timedelta(days=day) for day in range(1, 30)])
    with django_assert_max_num_queries(37):  # the tick and the job are half of them
        [mail] = sent()
    assert mail.body.count("/evenings/") == 29
