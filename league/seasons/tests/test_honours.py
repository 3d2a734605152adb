"""A closed season's honours, its final table on paper, and the club's hall of fame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings, player_names, season_closing, totals
from league.models import Club, Run, Season
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.seasons.queries.honours import Record, RecordHolder, largest_rating_gain, records
from league.sheets.queries.table_sums import PointsAndDeals
from league.statistics.queries.record_rows import MAX_HOLDERS
from players.models import Player, User
from tests.build import NOW, TAKE, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.readers import signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(public=True)


def played(season: Season, players: Sequence[Player], *results: Sequence[int], weeks: int = 0) -> Season:
    """Play an evening for each row of totals."""
    for number, points in enumerate(results):
        evening = an_evening(season, on=TODAY - timedelta(days=7 * (len(results) - number + weeks)))
        table = a_table(evening, players)
        sums = {seat: PointsAndDeals(total, 4) for seat, total in enumerate(points)}
        totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
        evenings.close(evening.pk, now=NOW)
    return season


def recorded(season: Season) -> dict[str, Record]:
    """Return the season's records, as the night wrote them."""
    runs.run(Run.Trigger.COMMAND, now=NOW)
    return records(season.game, [season.pk])


def value_and_names(record: Record) -> tuple[int, list[str]]:
    return record.value, [str(holder.name) for holder in record.holders]


def test_records_are_told_with_all_who_hold_them(club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = a_season(club, end_number=4)
    # Ann wins twice, Bob and Cy share the third evening with 60 each; the best evening is Ann's 90.
    played(season, players, (90, -30, -30, -30), (40, 20, -20, -40), (-60, 60, 60, -60))
    evening = an_evening(season)
    table = a_table(evening, [*players[:3], a_player("Eve", "")])
    deals = [a_deal(table) for _ in range(4)]
    evenings.close(evening.pk, now=NOW)
    season_closing.close(season.pk, now=NOW)
    best_records = recorded(season)
    # Ann took four times for 81 each: 324 in the fourth evening.
    assert value_and_names(best_records["biggest_evening"]) == (324, ["Ann"])
    assert value_and_names(best_records["wins"]) == (3, ["Ann"])
    assert value_and_names(best_records["evenings"]) == (4, ["Ann", "Bob", "Cy"])
    best = best_records["highest_deal"]
    assert (best.value, len(best.holders)) == (81, 4)
    assert best.holders[0] == RecordHolder(players[0].pk, players[0].names, evening, deals[0], table)


def test_of_many_who_share_a_record_some_are_named(club: Club) -> None:
    players = [a_player() for _ in range(8)]
    season = a_season(club, end_number=4)
    for table in (players[:4], players[4:]):
        played(season, table, (0, 0, 0, 0))
    assert (len(recorded(season)["biggest_evening"].holders), recorded(season)["biggest_evening"].others) == (
        MAX_HOLDERS,
        3,
    )
    for table in (players[:4], players[4:]):
        played(season, table, (0, 0, 0, 0), weeks=1)
    season_closing.close(season.pk, now=NOW)
    best_records = recorded(season)
    assert (len(best_records["evenings"].holders), best_records["evenings"].others) == (MAX_HOLDERS, 3)
    assert "highest_deal" not in best_records


def test_what_everybody_did_once_is_no_record(club: Club) -> None:
    season = played(a_season(club, end_number=4), [a_player() for _ in range(4)], (90, -30, -30, -30))
    best_records = recorded(season)
    assert "biggest_evening" in best_records
    assert [name for name, record in best_records.items() if record.unit == "number"] == []


def test_what_eleven_people_share_is_no_record(club: Club) -> None:
    players = [a_player() for _ in range(12)]
    season = a_season(club, end_number=4)
    for table in (players[:4], players[4:8], players[8:]):
        played(season, table, (0, 0, 0, 0), (0, 0, 0, 0))
    best_records = recorded(season)
    assert "evenings" not in best_records
    assert "biggest_evening" not in best_records


def test_nothing_played_has_no_records(club: Club) -> None:
    season = a_season(club)
    assert recorded(season) == {}
    assert largest_rating_gain("tarot", [season.pk], user_of(a_member(club))) is None


def test_biggest_jump_is_the_largest_gain_from_a_rating_that_was_there(club: Club) -> None:
    players = [a_member(club) for _ in range(4)]
    season = played(a_season(club, end_number=4), players, (90, -30, -30, -30), (-60, 100, -20, -20))
    runs.run(Run.Trigger.COMMAND, now=NOW)
    jump = largest_rating_gain("tarot", [season.pk], user_of(players[2]))
    assert jump is not None
    assert jump.step.player == players[1]
    steps = list(players[1].rating_steps.order_by("date").values_list("micro", flat=True))
    assert jump.gain == steps[1] - steps[0]
    club.public = False
    club.save()
    assert largest_rating_gain("tarot", [season.pk], user_of(a_member(a_club()))) is None


def test_champions_who_share_the_first_place_are_all_named(client: Client, club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = played(a_season(club, end_number=4, name="2026"), players, (50, 50, -40, -60))
    address = reverse("league:honours", args=[season.pk])
    assert client.get(address).headers["Location"] == season.get_absolute_url()
    season_closing.close(season.pk, now=NOW)
    page = unbroken(client.get(address))
    assert "<h1>Champions: Ann, Bob</h1>" in page
    assert '<meta name="description" content="Champions of 2026: Ann, Bob. ' in page
    assert "Champions: " in client.get(season.get_absolute_url()).content.decode()
    paper = client.get(reverse("league:final-table", args=[season.pk])).content.decode()
    assert [paper.index(f">{name}<") for name in ("Ann", "Bob", "Cy", "Dan")] == sorted(
        paper.index(f">{name}<") for name in ("Ann", "Bob", "Cy", "Dan")
    )
    season_closing.reopen(season.pk, reason="A sheet was found", now=NOW)
    assert "nobody has won it yet" in client.get(address, follow=True).content.decode()


def test_hall_of_fame_counts_all_years_and_keeps_games_apart(client: Client, club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    old = played(a_season(club, end_number=4, name="Old"), players, (90, -30, -30, -30), weeks=60)
    belote = played(a_season(club, "belote", end_number=4, name="Cards"), players, (10, 152, 10, 152))
    new = played(a_season(club, end_number=4, name="New"), players, (-60, 100, -20, -20), (-60, 120, -30, -30))
    for season in (old, belote):
        season_closing.close(season.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    answer = client.get(reverse("league:hall-of-fame", args=[club.slug]), {"game": "tarot"})
    assert [(season.name, [row.player for row in rows]) for season, rows in answer.context["shields"]] == [
        ("Old", [players[0]])
    ]
    best_records = {record.label: record for record in answer.context["records"]}
    assert value_and_names(best_records["Most evenings"]) == (3, ["Ann", "Bob", "Cy", "Dan"])
    assert value_and_names(best_records["Most evenings won"]) == (2, ["Bob"])
    assert value_and_names(best_records["Best evening"]) == (120, ["Bob"])
    assert new.evenings.latest("date").get_absolute_url() in answer.content.decode()
    answer = client.get(reverse("league:hall-of-fame", args=[club.slug]), {"game": "belote"})
    [(season, rows)] = answer.context["shields"]
    assert (season, [row.player for row in rows]) == (belote, [players[1], players[3]])


def test_hall_of_fame_of_a_club_without_seasons_is_empty(client: Client, club: Club) -> None:
    page = client.get(reverse("league:hall-of-fame", args=[club.slug])).content.decode()
    assert "No season has been closed yet." in page
    assert "No evening has been closed yet." in page


def test_runs_are_of_evenings_in_a_row(club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = a_season(club)
    first = played(season, players, (90, -30, -30, -30), (90, -30, -30, -30), weeks=3).evenings.earliest("date")
    # Ann stays at home once: her run of wins continues, her run of evenings does not.
    played(season, [*players[1:], a_player("Eve", "")], (10, 20, -10, -20), weeks=2)
    last = played(season, players, (60, 60, -60, -60), weeks=1).evenings.latest("date")
    played(season, players, (-90, 30, 30, 30))
    best_records = recorded(season)
    [wins] = best_records["run_of_wins"].holders
    assert (best_records["run_of_wins"].value, str(wins.name), wins.since, wins.evening) == (3, "Ann", first, last)
    assert value_and_names(best_records["run_of_evenings"]) == (5, ["Bob", "Cy", "Dan"])
    [closest] = best_records["closest_table"].holders
    assert (best_records["closest_table"].value, closest.player) == (40, None)
    assert closest.table is not None
    assert list(verify()) == []


def test_what_a_game_finds_worth_a_record(club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = a_season(club, end_number=3)
    evening = an_evening(season)
    table = a_table(evening, players)
    handful = {"seat": 2, "size": "double"}
    against = a_deal(table, {**TAKE, "contract": "guard_against", "handfuls": [handful]})
    a_deal(table, {**TAKE, "contract": "guard_against", "oudlers": 1})  # lost
    slam = a_deal(table, {**TAKE, "taker": 3, "points": 91, "oudlers": 3, "slam": "attack"})
    evenings.close(evening.pk, now=NOW)
    best_records = recorded(season)
    assert [(str(holder.name), holder.deal) for holder in best_records["feat:guard_against"].holders] == [
        ("Ann", against)
    ]
    assert [(str(holder.name), holder.deal) for holder in best_records["feat:slam"].holders] == [("Dan", slam)]
    assert [(str(holder.name), holder.deal) for holder in best_records["feat:double_handful"].holders] == [
        ("Cy", against)
    ]
    assert best_records["feat:slam"].value == slam.scores.get(seat__number=3).points
    assert "counter:slams" not in best_records  # one is none
    assert list(verify()) == []


def test_a_correction_takes_a_record_back(club: Club) -> None:
    players = [a_player() for _ in range(4)]
    season = a_season(club, end_number=1)
    evening = an_evening(season)
    deal = a_deal(a_table(evening, players))
    evenings.close(evening.pk, now=NOW)
    assert recorded(season)["highest_deal"].value == 81
    deals.revise(
        deal.pk, {**TAKE, "points": 42}, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Counted again"
    )
    assert recorded(season)["highest_deal"].value == 78
    assert list(verify()) == []


def test_records_of_a_game_are_those_of_clubs_that_the_reader_may_see(client: Client, club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    secret = a_club()
    played(a_season(club), players, (90, -30, -30, -30))
    played(
        hidden := a_season(secret), [a_player(name, "") for name in ("Eve", "Flo", "Gil", "Hal")], (99, -33, -33, -33)
    )
    runs.run(Run.Trigger.COMMAND, now=NOW)
    address = reverse("league:game-records", args=["tarot"])
    best = {record.label: record for record in client.get(address).context["records"]}["Best evening"]
    assert value_and_names(best) == (90, ["Ann"])
    signed_in(client, a_member(secret))
    answer = client.get(address)
    assert value_and_names({record.label: record for record in answer.context["records"]}["Best evening"]) == (
        99,
        ["Eve"],
    )
    assert hidden.evenings.get().get_absolute_url() in answer.content.decode()
    assert client.get(reverse("league:game-records", args=["bridge"])).status_code == 404
    empty = client.get(reverse("league:game-records", args=["belote"])).content.decode()
    assert "No records yet" in empty


def test_records_of_a_game_name_people_by_who_reads(client: Client, club: Club) -> None:
    ann, *rest = (a_player(name, "Martin") for name in ("Ann", "Bob", "Cy", "Dan"))
    played(a_season(club), [ann, *rest], (90, -30, -30, -30))
    player_names.choose_naming(ann.pk, public="pseudonym", members="", pseudonym="Old fox")
    runs.run(Run.Trigger.COMMAND, now=NOW)

    def best() -> str:
        page = client.get(reverse("league:game-records", args=["tarot"])).content.decode()
        assert ("Old fox" in page) != ("Ann Martin" in page)
        return "Ann Martin" if "Ann Martin" in page else "Old fox"

    assert best() == "Old fox"
    signed_in(client, a_member(a_club()))
    assert best() == "Old fox"
    signed_in(client, a_member(club))
    assert best() == "Ann Martin"
    client.force_login(User.objects.create_superuser("root@club.example"))
    assert best() == "Ann Martin"


def test_records_of_a_season_that_goes_on(client: Client, club: Club) -> None:
    season = a_season(club)
    address = reverse("league:season-records", args=[season.pk])
    assert "No records yet" in client.get(address).content.decode()
    played(season, [a_player() for _ in range(4)], (90, -30, -30, -30))
    runs.run(Run.Trigger.COMMAND, now=NOW)
    answer = client.get(address)
    assert [record.label for record in answer.context["records"]] == [
        "Best evening",
        "Closest table",
    ]
    assert "120<small>points apart" in unbroken(answer)


def test_podium_steps_follow_shared_ranks_and_medals_add_up_over_the_years(client: Client, club: Club) -> None:
    """Ann and Bob share the first rank, which leaves the second step out; a year before Ann was second behind Cy."""
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    old = played(a_season(club, end_number=4, name="Old"), players, (20, -30, 50, -40), weeks=60)
    new = played(a_season(club, end_number=4, name="New"), players, (50, 50, -40, -60))
    for season in (old, new):
        season_closing.close(season.pk, now=NOW)
    answer = client.get(reverse("league:honours", args=[new.pk]))
    assert steps_of_podium(answer) == [("1", ["Ann", "Bob"]), ("3", ["Cy"])]
    assert [(year.name, [str(row.player) for row in rows]) for year, rows in answer.context["shields"]] == [
        ("New", ["Ann", "Bob"]),
        ("Old", ["Cy"]),
    ]
    hall = client.get(reverse("league:hall-of-fame", args=[club.slug]))
    assert [(str(row.name), row.gold, row.silver, row.bronze) for row in hall.context["medals"]] == [
        ("Ann", 1, 1, 0),
        ("Bob", 1, 0, 1),
        ("Cy", 1, 0, 1),
    ]
    assert steps_of_podium(hall) == [("1", ["Ann", "Bob"]), ("3", ["Cy"])]


def steps_of_podium(response: Any) -> list[tuple[str, list[str]]]:
    """Return the steps of the podium on the page: the rank, and the names on its step."""
    podium = re.search(r'<ol class="podium-stand">.*?</ol>', response.content.decode(), re.DOTALL)
    assert podium
    parts = re.split(r'class="step-(\d)"', podium[0])[1:]
    return [
        (rank, re.findall(r'class="podium-name"[^>]*>([^<]+)<', html))
        for rank, html in zip(parts[::2], parts[1::2], strict=True)
    ]


def test_the_champions_line_is_marked_in_the_race(client: Client, club: Club) -> None:
    """Bob leads after the first evening, Ann after the second. The viewer is no player."""
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = played(a_season(club, end_number=4), players, (-60, 100, -20, -20), (200, -60, -70, -70))
    season_closing.close(season.pk, now=NOW)
    answer = client.get(reverse("league:honours", args=[season.pk]))
    marked = [(str(racer.standing.player), list(racer.ranks)) for racer, _line in answer.context["race"]["racers"]
        if racer.is_own]  # fmt: skip
    assert marked == [("Ann", [4, 1])]
    assert answer.content.decode().count('class="race-line own"') == 1
