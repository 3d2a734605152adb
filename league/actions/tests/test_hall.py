"""An evening goes to a hall server, is played there, and comes back.

Both installations are clubs of one database: the file is the same as between two.
"""

from __future__ import annotations

import io
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pghistory
import pytest
from django.db import transaction

from league.actions import attendance, contests, deals, evenings, hall, merging, people, seasons
from league.actions.club_import import import_club
from league.actions.refusals import WrongState
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.evenings.queries.evening_ranking import ranking
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import ClubFile, UnreadableFile, read_club_file
from league.imports.queries.club_file.scope import HallServerScope, OneEveningScope
from league.models import AuditEntry, Club, Deal, Evening, HallCopy, PendingRecompute, Run, Season
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState, HallState
from league.models.rights import Role
from league.models.season import SeasonState
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.tournaments.queries.playing_units import evening_of
from players.models import Player
from tests.build import (
    NOW,
    TAKE,
    a_club,
    a_deal,
    a_member,
    a_running_tournament,
    a_season,
    a_table,
    an_evening,
    written_totals,
)
from tests.hostile_files import packed, parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def site() -> Evening:
    club = a_club(fee_member=500, fee_guest=800)
    secretary = a_member(club, Role.SECRETARY)
    club.memberships.filter(player=secretary).update(email="anne@club.example", phone="0123")
    for _number in range(3):
        a_member(club, login=False)
    evening = an_evening(a_season(club), EveningState.PLANNED)
    attendance.check_in(evening.pk, [secretary.pk])
    return evening


def written(club: Club, scope: Any) -> bytes:
    file = io.BytesIO()
    write_club_file(club, file, scope)
    return file.getvalue()


def read(data: bytes) -> ClubFile:
    return read_club_file(io.BytesIO(data))


def in_hall(site: Evening) -> Evening:
    """Take the evening out; return its copy on the hall server."""
    copy = hall.mark_taken_to_hall(site.pk, now=NOW)
    club = import_club(read(written(site.season.club, HallServerScope(copy))), now=NOW)
    return Evening.objects.with_season().get(season__club=club)


def played(there: Evening) -> Evening:
    """Play it: a guest, a late arrival, a correction, a voided deal, a fee, a contest."""
    club = there.season.club
    evenings.open(there.pk, now=NOW)
    players = list(Player.objects.filter(memberships__club=club).order_by("pk"))
    attendance.check_in(there.pk, [player.pk for player in players[1:3]])
    guest = people.check_in_guest(there, "Zoé Passage")
    there.refresh_from_db()
    table = a_table(there, [*players[:3], guest])
    with pghistory.context(reason="misread"):
        dealt = [a_deal(table) for _number in range(5)]
        deals.revise(dealt[0].pk, {**TAKE, "points": 60}, client_key=uuid4(), seen_version=1, now=NOW)
        deals.void(dealt[4].pk, client_key=uuid4(), seen_version=1, now=NOW)
    attendance.set_paid(there.attendances.get(player=players[1]).pk, paid=True)
    attendance.check_in(there.pk, [players[3].pk])
    contests.record_contest(dealt[1].pk, player_id=players[1].pk, reason="Was 34", now=NOW)
    return evenings.close(there.pk, now=NOW)


def returned(there: Evening) -> bytes:
    return written(there.season.club, OneEveningScope(there))


def stored(site: Evening, data: bytes, answers: dict[int, str] | None = None, *, replaces: bool = False) -> Any:
    later = NOW + timedelta(hours=1)
    return hall.store_return(site, read(data), sha256(data).hexdigest(), answers or {}, replaces=replaces, now=later)


def rows_of(evening: Evening) -> list[tuple[str, int, int]]:
    return [(row.name.committee, row.rank, row.points) for row in ranking(evening)]


def standings_of(evening: Evening) -> list[tuple[str, int | None, Any]]:
    rows = evening.season.standings.order_by("player__committee_key")
    return [(row.player.display_name, row.rank, row.total) for row in rows]


def test_a_table_with_only_totals_comes_back(site: Evening) -> None:
    there = in_hall(site)
    evenings.open(there.pk, now=NOW)
    players = list(Player.objects.filter(memberships__club=there.season.club).order_by("pk")[:4])
    written_totals(a_table(there, players), [30, -10, -10, -10], deals=4)
    result = stored(site, returned(evenings.close(there.pk, now=NOW)))
    assert (result.tables, result.deals, result.totals) == (1, 0, 1)
    assert sorted(points for _name, _rank, points in rows_of(site)) == [-10, -10, -10, 30]


def test_an_evening_comes_back_as_it_was_played(site: Evening) -> None:
    there = played(in_hall(site))
    data = returned(there)
    before = AuditEntry.objects.count()
    result = stored(site, data)
    assert (result.present, result.rounds, result.tables, result.deals, result.paid) == (5, 1, 1, 4, 500)
    assert (result.closes, result.differing_points) == (True, [])
    entry = AuditEntry.objects.get(event=AuditEvent.EVENING_RETURNED)
    assert (AuditEntry.objects.count(), entry.evening_id) == (before + 1, site.pk)
    site.refresh_from_db()
    assert (site.state, site.hall) == (EveningState.CLOSED, HallState.NONE)
    assert site.closed_at == NOW + timedelta(hours=1)
    assert rows_of(site) == rows_of(there)
    assert rows_of(site)
    for evening in (site, there):
        PendingRecompute.objects.create(season=evening.season, not_before=NOW, why=PendingRecompute.Reason.BUTTON)
    runs.run(Run.Trigger.COMMAND, now=NOW + timedelta(hours=2), everything=True)
    assert standings_of(site) == standings_of(there)
    assert standings_of(site)
    assert list(verify()) == []
    deal = Deal.objects.filter(table__round__evening=site).order_by("pk").first()
    assert deal is not None
    assert [
        (event.pgh_label, event.pgh_context.metadata.get("reason")) for event in deal.events.order_by("pgh_id")
    ] == [
        ("insert", "misread"),
        ("update", "misread"),
    ]
    paid: Any = site.attendances.get(paid=500)
    assert [event.paid for event in paid.events.order_by("pgh_id")] == [0, 500]
    guest = site.season.club.memberships.get(player__display_name="Zoé Passage")
    assert guest.role == Role.GUEST


def test_the_same_file_again_changes_nothing(site: Evening) -> None:
    there = played(in_hall(site))
    data = returned(there)
    assert returned(there) == data
    stored(site, data)
    counts = [model.objects.count() for model in (AuditEntry, Deal, Player, HallCopy)]
    assert stored(site, data).is_here_already
    assert [model.objects.count() for model in (AuditEntry, Deal, Player, HallCopy)] == counts
    evenings.reopen(there.pk, now=NOW)
    with pytest.raises(WrongState, match="came back on"):
        stored(site, returned(there))


def test_a_preview_stores_nothing(site: Evening) -> None:
    data = returned(played(in_hall(site)))
    before = (AuditEntry.objects.count(), Player.objects.count())
    preview = hall.preview_return(site, read(data), "x", now=NOW)
    assert (preview.deals, [person.name for person in preview.unknown]) == (4, ["Zoé Passage"])
    site.refresh_from_db()
    assert (site.state, site.hall) == (EveningState.PLANNED, HallState.OUT)
    assert (AuditEntry.objects.count(), Player.objects.count()) == before


def test_the_file_for_the_hall_has_no_addresses(site: Evening) -> None:
    copy = hall.mark_taken_to_hall(site.pk, now=NOW)
    file = read(written(site.season.club, HallServerScope(copy)))
    assert {(row.values["email"], row.values["phone"]) for row in file.rows["memberships"]} == {("", "")}
    assert not any(file.history.values())


def test_check_ins_here_meanwhile_are_replaced_only_if_agreed(site: Evening) -> None:
    there = played(in_hall(site))
    late = a_member(site.season.club, login=False)
    attendance.check_in(site.pk, [late.pk])
    data = returned(there)
    with pytest.raises(hall.CheckInsChanged):
        stored(site, data)
    assert hall.preview_return(site, read(data), "x", now=NOW).replaced_changes == [f"{late} was checked in here."]
    stored(site, data, replaces=True)
    assert not site.attendances.filter(player=late).exists()
    assert site.attendances.count() == 5


def refusal(site: Evening, data: bytes) -> str:
    site.refresh_from_db()
    counts = (AuditEntry.objects.count(), Player.objects.count(), Deal.objects.count())
    with pytest.raises((WrongState, UnreadableFile)) as caught:
        stored(Evening.objects.with_season().get(pk=site.pk), data)
    assert (AuditEntry.objects.count(), Player.objects.count(), Deal.objects.count()) == counts
    return str(caught.value)


def test_what_changed_here_meanwhile_is_refused_by_name(site: Evening) -> None:
    there = played(in_hall(site))
    data = returned(there)
    a_table(site, [a_member(site.season.club, login=False) for _number in range(4)])
    assert "The evening has 1 round here." in refusal(site, data)
    site.rounds.all().delete()
    season = site.season
    season.end_number = 12
    season.save()
    assert "is 4 in the file, and 12 here" in refusal(site, data)
    season.end_number = 4
    season.save()
    seasons.change_rules(season, [], {"best_margin_floor": 0}, reason="voted", now=NOW)
    assert "here" in refusal(site, data)
    seasons.change_rules(season, [], {}, reason="voted", now=NOW)
    Evening.objects.filter(pk=site.pk).update(date=site.date + timedelta(days=1))
    assert "Change its date here first." in refusal(site, data)
    Evening.objects.filter(pk=site.pk).update(date=site.date - timedelta(days=1))
    evenings.cancel(site.pk)
    assert "The evening is cancelled here" in refusal(site, data)


def test_a_person_merged_or_taken_off_meanwhile_is_named(site: Evening) -> None:
    data = returned(played(in_hall(site)))
    [secretary, gone, kept, *_others] = Player.objects.filter(memberships__club=site.season.club).order_by("pk")
    merging.merge(kept.pk, gone.pk, by=secretary.user, now=NOW)
    assert f"{gone.display_name} is not on the club’s list any more" in refusal(site, data)


def test_a_guest_who_is_on_the_list_here_is_asked_about(site: Evening) -> None:
    there = played(in_hall(site))
    known = people.add_person(site.season.club, "Zoé", "Passage", Role.GUEST)
    data = returned(there)
    [person] = hall.preview_return(site, read(data), "x", now=NOW).unknown
    assert list(person.similar) == [known]
    with pytest.raises(hall.AnswersMissing):
        stored(site, data)
    stored(site, data, {person.number: str(known.pk)})
    assert site.attendances.filter(player=known).exists()


def test_files_of_other_evenings_clubs_and_exports_are_refused(site: Evening) -> None:
    there = played(in_hall(site))
    data = returned(there)
    season = site.season
    other = an_evening(season, EveningState.PLANNED, on=site.date + timedelta(days=7))
    assert f"({season})" in refusal(other, data)
    stranger = an_evening(a_season(a_club(name="Les Autres")), EveningState.PLANNED)
    Club.objects.filter(pk=stranger.season.club_id).update(founded_at=NOW)
    assert "and this is Les Autres" in refusal(stranger, data)
    file = io.BytesIO()
    write_club_file(season.club, file)
    assert "This is no file of one evening" in refusal(site, file.getvalue())
    hall.withdraw_from_hall(site.pk)
    assert "was not taken from here, or it was withdrawn" in refusal(site, data)
    site.refresh_from_db()
    assert site.hall == HallState.NONE


def test_points_of_the_file_are_not_believed(site: Evening) -> None:
    """The totals of the seats are changed in the file: those of the deals are stored, and the difference is shown."""
    file = read(returned(played(in_hall(site))))
    seat = file.rows["seats"][0]
    right = seat.values["points"]
    seat.values["points"] = right + 1000
    result = hall.store_return(site, file, "x", {}, replaces=False, now=NOW)
    [difference] = result.differing_points
    assert f"{right + 1000} in the file, {right} here." in difference
    assert right in set(site.rounds.get().seats.values_list("points", flat=True))
    assert list(verify()) == []


@pytest.mark.parametrize("state", [EveningState.CLOSED, EveningState.CANCELLED])
def test_an_evening_that_is_over_is_not_taken(site: Evening, state: EveningState) -> None:
    evenings.cancel(site.pk) if state == EveningState.CANCELLED else evenings.close(
        evenings.open(site.pk, now=NOW).pk, now=NOW
    )
    with pytest.raises(WrongState, match="planned or open"):
        hall.mark_taken_to_hall(site.pk, now=NOW)


def test_a_copy_is_not_taken_to_another_hall(site: Evening) -> None:
    there = in_hall(site)
    assert there.hall == HallState.HERE
    with pytest.raises(WrongState, match="copy on the hall server"):
        hall.mark_taken_to_hall(there.pk, now=NOW)


def edited(data: bytes, name: str, change: Any) -> bytes:
    files = parts(data)
    return packed(files | {name: change(files[name])})


def test_a_file_with_an_impossible_deal_stores_nothing(site: Evening) -> None:
    """The deal is found after the evening's rows are written: all of them are taken back."""
    data = edited(returned(played(in_hall(site))), "deals.csv", lambda text: text.replace(b"60", b"99", 1))
    assert "points" in refusal(site, data)
    assert not site.rounds.exists()
    assert site.attendances.count() == 1


def test_a_file_whose_rows_contradict_each_other_stores_nothing(site: Evening) -> None:
    def twice(text: bytes) -> bytes:
        header, first, *more = text.split(b"\r\n")
        return b"\r\n".join([header, first, b"2" + first[1:], *more[1:]])

    data = edited(returned(played(in_hall(site))), "seats.csv", twice)
    assert refusal(site, data) == "The file contains rows that contradict each other."


def test_a_correction_of_the_file_is_another_file(site: Evening) -> None:
    """A file that was edited is not taken for the stored one."""
    data = returned(played(in_hall(site)))
    stored(site, data)
    assert "came back on" in refusal(site, edited(data, "deals.csv", lambda text: text.replace(b"60", b"61", 1)))


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_sent_twice_at_once_is_stored_once(site: Evening) -> None:
    data = returned(played(in_hall(site)))
    with transaction.atomic():
        stored(site, data)
        second = meanwhile(lambda: stored(site, data))
    assert second.result().is_here_already
    assert site.rounds.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_check_in_during_the_return_waits_for_it(site: Evening) -> None:
    data = returned(played(in_hall(site)))
    late = a_member(site.season.club, login=False)
    with transaction.atomic():
        stored(site, data)
        second = meanwhile(lambda: attendance.check_in(site.pk, [late.pk]))
    with pytest.raises(WrongState, match="closed"):
        second.result()


def test_check_ins_changed_and_taken_back_here_are_named_and_then_as_in_the_hall(site: Evening) -> None:
    """A fee taken here too, and a member taken off here who played in the hall."""
    club = site.season.club
    [paying, absent] = club.memberships.exclude(player__in=site.attendances.values("player")).order_by("pk")[:2]
    attendance.check_in(site.pk, [paying.player_id, absent.player_id])
    data = returned(played(in_hall(site)))
    attendance.change(site.attendances.get(player=paying.player).pk, {"fee": 100, "paid": 100})
    attendance.check_out(site.attendances.get(player=absent.player).pk)
    preview = hall.preview_return(Evening.objects.with_season().get(pk=site.pk), read(data), "x", now=NOW)
    assert sorted(preview.replaced_changes) == sorted(
        [
            f"The check-in or the fee of {paying.player} was changed here.",
            f"The check-in of {absent.player} was taken back here.",
        ]
    )
    stored(Evening.objects.with_season().get(pk=site.pk), data, replaces=True)
    assert site.attendances.get(player=paying.player).fee == 500
    assert site.attendances.filter(player=absent.player).exists()
    assert list(verify()) == []


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        ("seasons", {"game": "belote"}, "The game is belote in the file, and tarot here."),
        ("seasons", {"count_passed": None}, "is – in the file, and"),
        ("seasons", {"count_passed": False}, "is no in the file, and yes here."),
        ("evenings", {"kept_house_rules": {"unknown": 1}}, "The file has a house rule that is not known here"),
        ("evenings", {"state": "planned"}, "On the hall server the evening is planned"),
        ("seats", {"written": 10**9}, r"seats\.csv · row 2 · written: it has to be from"),
    ],
)
def test_a_file_of_other_rules_or_of_no_played_evening_stores_nothing(
    site: Evening, part: str, values: dict[str, Any], message: str
) -> None:
    """A season that was changed in the hall, or by a newer release there, would give other points here."""
    file = read(returned(played(in_hall(site))))
    assert set(values) <= set(file.rows[part][0].values)
    file.rows[part][0].values.update(values)
    with pytest.raises(UnreadableFile, match=message):
        hall.store_return(site, file, "x", {}, replaces=False, now=NOW)
    assert not site.rounds.exists()


def test_only_an_open_seasons_evening_that_has_not_come_back_goes_to_the_hall(site: Evening) -> None:
    Season.objects.update(state=SeasonState.DRAFT)
    with pytest.raises(WrongState, match="The season is draft: it has to be open"):
        hall.mark_taken_to_hall(site.pk, now=NOW)
    Season.objects.update(state=SeasonState.OPEN)
    stored(site, returned(evenings.open(in_hall(site).pk, now=NOW)))
    with pytest.raises(WrongState, match="has come back from the hall already"):
        hall.mark_taken_to_hall(site.pk, now=NOW)
    with pytest.raises(WrongState, match="A tournament is played here"):
        hall.mark_taken_to_hall(evening_of(a_running_tournament(site.season.club)).pk, now=NOW)
    assert not site.hall_copies.filter(returned_at=None).exists()


def test_two_people_of_the_file_who_are_one_person_here_are_named(site: Evening) -> None:
    """The secretary answers that the hall's guest is the member who played at another seat under their own name."""
    there = played(in_hall(site))
    people.check_in_guest(evenings.reopen(there.pk, now=NOW), "Zoé Passages")
    data = returned(there)
    known = people.add_person(site.season.club, "Zoé", "Passage", Role.GUEST)
    preview = hall.preview_return(site, read(data), "x", now=NOW)
    answers = {person.number: str(known.pk) for person in preview.unknown}
    assert len(answers) == 2
    with pytest.raises(UnreadableFile, match="Two people of the file are one person here: Zoé Passage · Zoé Passages"):
        stored(site, data, answers)
    assert not site.attendances.filter(player=known).exists()
