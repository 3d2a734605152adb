"""The stored ranks of finished tournaments: written at the end, and again after each kind of correction."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from league.actions import registrations, totals, tournament_play, tournaments
from league.actions.registrations import PlayerEntry, Registration
from league.api.tests.reading import a_token, read
from league.models import Club, Run, Table, Tournament, TournamentRank
from league.operations.work.verification import verify
from league.people.queries.own_data import own_data
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries.tournament_results import podium
from league.tournaments.tests.test_play import enter
from league.tournaments.tests.test_prizes import a_finished_tournament
from players.models import Player
from tests.build import a_club, a_drawn_round, a_member, a_tournament, a_unit, sign_in
from tests.readers import user_of

pytestmark = pytest.mark.django_db


def stored(tournament: Tournament) -> dict[int | None, tuple[int, float]]:
    return {row.unit.number: (row.rank, row.score) for row in tournament.ranks.select_related("unit")}


def run() -> None:
    runs.run(Run.Trigger.COMMAND, now=timezone.now(), everything=True)


def correct_closed(tournament: Tournament, points: tuple[int, int]) -> None:
    """Correct the first table as the sheets' pages do, without opening the tournament again."""
    table = Table.objects.get(round__evening__season__tournament=tournament, number=1)
    sums = {seat: PointsAndDeals(points[seat % 2], 12) for seat in range(4)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=timezone.now(), reason="Wrong")


def test_the_end_stores_the_ranks_and_opening_again_deletes_them() -> None:
    tournament, (best, worst, second, third) = a_finished_tournament((1200, 744), (1000, 944))
    assert stored(tournament) == {best: (1, 1200), second: (2, 1000), third: (3, 944), worst: (4, 744)}
    assert set(tournament.ranks.values_list("competitors", flat=True)) == {4}
    tournament_play.resume(tournament.pk, now=timezone.now())
    assert stored(tournament) == {}


def test_a_correction_of_a_finished_tournament_changes_the_ranks_with_the_next_run() -> None:
    """Without it a player's page would show a rank that the ranking contradicts."""
    tournament, (first, second, third, fourth) = a_finished_tournament((1200, 744), (1000, 944))
    run()
    correct_closed(tournament, (800, 1144))
    assert stored(tournament)[first] == (1, 1200)
    assert list(verify()) == []  # pending work is no difference
    run()
    assert stored(tournament) == {second: (1, 1144), third: (2, 1000), fourth: (3, 944), first: (4, 800)}


def test_other_rules_of_the_ranking_change_the_ranks_at_once() -> None:
    tournament, (first, second, third, fourth) = a_finished_tournament((1200, 744), (1000, 944))
    with tournaments.tournament_lock(tournament.pk) as current:
        current.ranked_by = "wins"
        tournaments.change(current, ["ranked_by"], now=timezone.now())
    assert stored(tournament) == {first: (1, 1), third: (1, 1), second: (3, 0), fourth: (3, 0)}


def test_a_rank_that_too_many_share_is_not_on_the_podium() -> None:
    """Five of six units with rank 2 would be shown, chosen by their numbers."""
    results = [(1000, 500)] + [(900, 600)] * 6
    tournament, numbers = a_finished_tournament(*results)
    assert [row.unit.number for row in podium(tournament, AnonymousUser())] == numbers[:1]


def test_halves_of_a_win_are_stored_exactly() -> None:
    tournament, numbers = a_finished_tournament((972, 972), ranked_by="wins")
    assert stored(tournament) == dict.fromkeys(numbers, (1, 0.5))


def test_verify_reports_a_rank_that_the_results_contradict() -> None:
    tournament, _numbers = a_finished_tournament((1200, 744))
    run()
    assert list(verify()) == []
    TournamentRank.objects.filter(tournament=tournament, rank=2).update(rank=1)
    assert [(row.model, row.field, row.stored, row.derived) for row in verify()] == [("TournamentRank", "rank", 1, 2)]


def pages_of(client: Client, tournament: Tournament, player: Player) -> list[str]:
    """Return the player's page and the club's hall of fame."""
    pages = (reverse("league:player", args=[player.pk]), reverse("league:hall-of-fame", args=[tournament.club.slug]))
    return [client.get(page).content.decode() for page in pages]


def a_finished_tournament_of_members(**fields: Any) -> tuple[Tournament, list[Player]]:
    """Return a finished tournament of a public club, and its winners: two members whose unit did not agree."""
    club = a_club(public=True)
    members = [a_member(club) for _ in range(2)]
    today = timezone.localdate(timezone=club.zone)
    tournament = a_tournament(club, date=today, game="belote", rounds=1, places=9, **fields)
    entries = [PlayerEntry(str(player), player_id=player.pk) for player in members]
    registrations.register_at_desk(tournament.pk, Registration(entries), now=timezone.now())
    a_unit(tournament, names_public=True)
    tournament_play.start(tournament.pk, now=timezone.now())
    tournament_play.check_in(tournament.pk, list(tournament.units.values_list("pk", flat=True)))
    [table] = a_drawn_round(tournament).tables.with_seats()
    is_first = table.seats.all()[0].player_id in [player.pk for player in members]
    enter(table, *((1000, 944) if is_first else (944, 1000)))
    return tournament_play.finish(tournament.pk, now=timezone.now()), members


def test_a_players_page_and_the_hall_of_fame_name_what_the_ranking_names(client: Client) -> None:
    """A rank on a visitor's page would name the unit that the ranking shows by its number."""
    tournament, (winner, mate) = a_finished_tournament_of_members()
    ranking = reverse("league:tournament-ranking", args=[tournament.pk])
    page, hall = pages_of(client, tournament, winner)
    assert ranking not in page
    assert ranking not in hall
    assert str(winner) not in hall
    sign_in(client, a_member(tournament.club))
    page, hall = pages_of(client, tournament, winner)
    assert ranking in page
    assert str(mate) in page
    assert f"{winner} – {mate}" in hall
    sign_in(client, winner)
    assert ranking in pages_of(client, tournament, winner)[0]


def test_the_announcement_of_a_finished_tournament_and_the_clubs_list_name_the_winners_that_the_ranking_names(
    client: Client,
) -> None:
    """The names of a unit that did not agree would be public in the podium."""
    tournament, members = a_finished_tournament_of_members()
    names = " – ".join(str(member) for member in members)
    page = client.get(tournament.get_absolute_url())
    club_list = reverse("league:tournaments", args=[tournament.club.slug])
    assertContains(page, "Podium")
    assertContains(page, "Number 1")
    assertNotContains(page, names)
    assertNotContains(client.get(club_list), names)
    sign_in(client, members[0])
    assertContains(client.get(tournament.get_absolute_url()), names)
    assertContains(client.get(club_list), names)
    tournament_play.resume(tournament.pk, now=timezone.now())
    assertNotContains(client.get(tournament.get_absolute_url()), "Podium")
    assertNotContains(client.get(club_list), names)


def test_a_rank_in_a_private_club_is_shown_to_its_members_alone(client: Client) -> None:
    tournament, (winner, _mate) = a_finished_tournament_of_members()
    tournament.units.update(names_public=True)
    Club.objects.update(public=False)
    sign_in(client, colleague := a_member(a_club()))
    tournament.club.memberships.model.objects.create(club=colleague.memberships.get().club, player=winner)
    ranking = reverse("league:tournament-ranking", args=[tournament.pk])
    assert ranking not in pages_of(client, tournament, winner)[0]


def test_the_api_has_ranks_and_winners_with_the_names_of_the_ranking(client: Client) -> None:
    tournament, (winner, mate) = a_finished_tournament_of_members()
    number = tournament.ranks.get(rank=1).unit.number
    addresses = (f"tournaments/{tournament.pk}", f"players/{winner.pk}/tournaments")
    answer, results = (read(client, address) for address in addresses)
    assert answer["winners"] == [{"number": number, "name": f"Number {number}"}]
    assert results["items"] == []
    token = a_token(a_member(tournament.club))
    answer, results = (read(client, address, token) for address in addresses)
    assert answer["winners"] == [{"number": number, "name": f"{winner} – {mate}"}]
    [result] = results["items"]
    values = ("tournament", "rank", "competitors", "score", "ranked_by", "unit")
    assert [result[name] for name in values] == [tournament.pk, 1, 2, 1000, "points", f"{winner} – {mate}"]


def test_the_download_of_own_data_has_the_rank() -> None:
    tournament, (winner, _mate) = a_finished_tournament_of_members()
    data = json.loads("".join(own_data(user_of(winner))))
    [row] = data["registrations"]
    assert (row["tournament"], row["rank"], row["competitors"], row["score_halves"]) == (tournament.name, 1, 2, 2000)


@pytest.mark.django_db(transaction=True)
def test_a_new_name_of_a_finished_unit_makes_a_new_page(client: Client) -> None:
    """Pages with ranks are kept by browsers until rows that they show change."""
    tournament, (winner, _mate) = a_finished_tournament_of_members()
    sign_in(client, winner)
    address = reverse("league:hall-of-fame", args=[tournament.club.slug])
    tag = client.get(address)["ETag"]
    assert client.get(address)["ETag"] == tag
    unit = tournament.units.get(number=tournament.ranks.get(rank=1).unit.number)
    entries = [PlayerEntry(entry.name, player_id=entry.player_id) for entry in unit.players.order_by("position")]
    registrations.change(unit.pk, Registration(entries, name="The Kings"), now=timezone.now())
    answer = client.get(address)
    assert answer["ETag"] != tag
    assert "The Kings" in answer.content.decode()
