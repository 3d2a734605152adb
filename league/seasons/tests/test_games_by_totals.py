"""Seasons of a club's own game by totals, from the rules to the champion, through pages."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import club_deletion, evenings, rounds, season_closing
from league.actions import seasons as seasons_actions
from league.actions import totals as totals_actions
from league.actions.club_import import import_club
from league.actions.refusals import WrongState
from league.draw.plan import plan_rounds
from league.evenings.queries.draw_input import read_draw_input
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import read_club_file
from league.models import AuditEntry, Club, ClubGame, Rest, Run, Season, Standing, Table, table_codes
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.round import RestKind
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from players.models import Player, Rating
from tests.build import NOW, a_club, a_club_game, a_member, a_season, a_table, an_evening, sign_in, written_totals

pytestmark = pytest.mark.django_db

GOLF: dict[str, Any] = {
    "name": "Golf",
    "min_seats": 2,
    "max_seats": 6,
    "two_sides": False,
    "low_wins": True,
    "check_sum": None,
    "check_per_deal": False,
}


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.ADMIN))


def recompute() -> None:
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)


def sent_totals(client: Client, table: Table, totals: list[int], deals: int, **fields: str) -> Any:
    data = {f"seat_{number}": str(total) for number, total in enumerate(totals)}
    version = str(Table.objects.get(pk=table.pk).version)
    address = reverse("league:table-totals", args=[table.pk])
    return client.post(
        address, {"client_key": str(uuid4()), "seen_version": version, "deals": str(deals), **data, **fields}
    )


def played(game: ClubGame, *evenings_totals: list[int], players: list[Player] | None = None) -> Season:
    """Return a season with a closed evening of one table for each list of totals."""
    season = a_season(game.club, "totals", club_game=game)
    seated = players or [a_member(game.club) for _ in evenings_totals[0]]
    for number, totals in enumerate(evenings_totals):
        evening = an_evening(season, on=NOW.date().replace(day=1 + number))
        written_totals(a_table(evening, seated), totals, deals=4)
        evenings.close(evening.pk, now=NOW)
    recompute()
    return season


def test_a_season_of_jass_is_played_from_its_rules_to_its_champion(admin: Client, club: Club) -> None:
    game = a_club_game(club)
    page = admin.get(reverse("league:season-found", args=[club.slug]))
    assert f"?game={game.key}" in page.content.decode()
    address = f"{reverse('league:season-found', args=[club.slug])}?game={game.key}"
    form = admin.get(address).context["form"]
    assert form.fields["table_sizes"].choices == [(4, "4 players")]
    sent = {name: value for name, value in form.initial.items() if value is not None}
    defaults = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    posted = {**defaults, **sent, "name": "Jass 2026", "end": "deals"}
    answer = admin.post(address, {**posted, "end_number": "1000"})  # no table could ever be complete
    assert answer.context["form"].errors == {"end_number": ["1,000 is too high: a table can end after 200 at most."]}
    answer = admin.post(address, {**posted, "end_number": "4"})
    assert answer.status_code == 302
    season = club.seasons.get()
    assert (season.game, season.game_key, season.house_rules) == ("totals", game.key, game.options)
    admin.post(reverse("league:season-open", args=[season.pk]))

    evening = an_evening(season)
    players = [a_member(club) for _ in range(4)]
    table = a_table(evening, players)
    assert admin.get(reverse("league:grid", args=[table.pk])).headers["Location"].endswith("/totals")
    assert admin.get(reverse("league:deal-record", args=[table.pk])).headers["Location"].endswith("/totals")
    sheet = admin.get(table.get_absolute_url()).content.decode()
    assert "Enter the totals" in sheet
    assert "Record a deal" not in sheet
    assert sent_totals(admin, table, [400, 228, 400, 228], 4).status_code == 302
    table.refresh_from_db()
    assert table.complete
    assert "The sums are right." in admin.get(reverse("league:evening-close", args=[evening.pk])).content.decode()
    evenings.close(evening.pk, now=NOW)
    recompute()
    assert list(verify()) == []
    season_closing.close(season.pk, now=NOW)
    first = {row.player_id for row in Standing.objects.filter(season=season, rank=1)}
    assert first == {players[0].pk, players[2].pk}
    assert str(players[0]) in admin.get(reverse("league:honours", args=[season.pk])).content.decode()
    assert "Jass" in admin.get(season.get_absolute_url()).content.decode()
    copied, _new = seasons_actions.copy_for_next_year(season.pk, name="Jass 2027", evening_ids=[])
    assert (copied.club_game, copied.house_rules) == (game, game.options)


def test_rules_of_a_season_keep_the_options_of_its_game(admin: Client, club: Club) -> None:
    season = a_season(club, "totals", club_game=a_club_game(club))
    address = reverse("league:season-rules", args=[season.pk])
    form = admin.get(address).context["form"]
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    assert admin.post(address, {**data, "name": "Renamed"}).status_code == 302
    season.refresh_from_db()
    assert (season.name, season.house_rules) == ("Renamed", club.games.get().options)


@pytest.mark.parametrize(
    ("fields", "wrong", "right"),
    [
        ({"check_sum": 157, "check_per_deal": True}, [400, 200, 400, 200], [400, 228, 400, 228]),
        ({"check_sum": 100, "check_per_deal": False}, [60, 50, 60, 50], [60, 40, 60, 40]),
        ({"check_sum": 0, "check_per_deal": False}, [7, 7, 7, 7], [7, -7, 7, -7]),
    ],
)
def test_a_wrong_sum_is_asked_about_once(
    admin: Client, club: Club, fields: dict[str, Any], wrong: list[int], right: list[int]
) -> None:
    season = a_season(club, "totals", club_game=a_club_game(club, **fields))
    table = a_table(an_evening(season), [a_member(club) for _ in range(4)])
    asked = sent_totals(admin, table, wrong, 4)
    assert asked.status_code == 422
    page = asked.content.decode()
    assert "The totals add up to" in page.partition("Is this right?")[2]
    assert "alert-danger" not in page
    assert not Table.objects.get(pk=table.pk).complete
    confirmation = asked.context["form"].fingerprint
    assert f'name="confirmed" value="{confirmation}"' in page
    assert sent_totals(admin, table, wrong, 4).status_code == 422
    assert sent_totals(admin, table, [*wrong[:3], 900], 4, confirmed=confirmation).status_code == 422
    assert sent_totals(admin, table, right, 4, confirmed=confirmation).status_code == 302
    assert sent_totals(admin, table, wrong, 4, confirmed=confirmation).status_code == 302
    assert [seat.written for seat in Table.objects.get(pk=table.pk).seats.all()] == wrong
    assert list(verify()) == []


def test_partners_with_other_totals_are_refused(admin: Client, club: Club) -> None:
    season = a_season(club, "totals", club_game=a_club_game(club))
    table = a_table(an_evening(season), [a_member(club) for _ in range(4)])
    refused = sent_totals(admin, table, [400, 228, 399, 228], 4)
    assert refused.status_code == 422
    assert "seat_2" in refused.context["form"].errors


def test_where_low_wins_a_sum_of_evenings_is_warned_about(admin: Client, club: Club) -> None:
    game = a_club_game(club, **GOLF)
    season = a_season(club, "totals", club_game=game)
    rules = reverse("league:standings-rules", args=[season.pk])
    addresses = [
        f"{reverse('league:season-found', args=[club.slug])}?game={game.key}",
        reverse("league:season-rules", args=[season.pk]),
        season.get_absolute_url(),
        rules,
    ]
    for address in addresses:
        assert "whoever is absent has an advantage" in admin.get(address).content.decode()
    typed = {"worth": "points", "counts": "all", "minimum": "none", "seen": admin.get(rules).context["seen"]}
    assert "whoever is absent has an advantage" in admin.post(rules, typed).content.decode()
    season.refresh_from_db()
    assert not season.standings_rules, "the warning asks first"
    member = sign_in(Client(), a_member(club))
    assert "whoever is absent" not in member.get(season.get_absolute_url()).content.decode()
    season.standings_rules = {"counts": {"which": "average"}}
    season.save()
    for address in addresses[1:]:
        assert "whoever is absent" not in admin.get(address).content.decode()


def test_where_low_wins_every_page_and_file_shows_the_written_numbers(admin: Client, club: Club) -> None:
    players = [a_member(club) for _ in range(3)]
    season = played(a_club_game(club, **GOLF), [41, 52, 63], [44, 51, 65], players=players)
    evening = season.evenings.order_by("date").first()
    assert evening is not None
    table = Table.objects.filter(round__evening=evening).get()
    assert [(seat.written, seat.points) for seat in table.seats.all()] == [(41, -41), (52, -52), (63, -63)]
    rows = {row.player_id: (row.rank, row.total, row.written_total) for row in season.standings.all()}
    assert [rows[player.pk] for player in players] == [(1, -85, 85), (2, -103, 103), (3, -128, 128)]
    pages = [
        season.get_absolute_url(),
        evening.get_absolute_url(),
        table.get_absolute_url(),
        reverse("league:table-totals", args=[table.pk]),
        reverse("league:sheets", args=[evening.pk]),
        reverse("league:standing", args=[season.pk, players[1].pk]),
        reverse("league:player", args=[players[0].pk]),
        f"{reverse('league:player', args=[players[0].pk])}?season={season.pk}",
        reverse("league:player-statistics", args=[players[0].pk, season.game_key]),
        reverse("league:compare-with", args=[players[0].pk, players[1].pk]),
        reverse("league:season-records", args=[season.pk]),
        reverse("league:season-csv", args=[season.pk]),
        club.get_absolute_url(),
        reverse("league:club-year", args=[club.slug]),
    ]
    for address in pages:
        answer = admin.get(address)
        assert answer.status_code == 200, address
        text = answer.content.decode()
        for number in (41, 44, 52, 63, 65, 85, 103, 128):
            assert f"−{number}<" not in text, (address, number)
            assert f'value="-{number}"' not in text, (address, number)
            assert f",-{number}," not in text, (address, number)
    assert ">85<" in admin.get(season.get_absolute_url()).content.decode()
    csv_rows = list(csv.reader(io.StringIO(admin.get(reverse("league:season-csv", args=[season.pk])).content.decode())))
    assert "85" in csv_rows[1]
    assert list(verify()) == []


@pytest.mark.parametrize("worth", [{"by": "points"}, {"by": "places", "points": [2, 1]}])
def test_where_low_wins_tie_breaks_show_the_written_numbers(admin: Client, club: Club, worth: dict[str, Any]) -> None:
    """Only here players of a game where low wins are tied, so that the page shows what each tie-break compares."""
    players = [a_member(club) for _ in range(2)]
    season = played(a_club_game(club, **GOLF), [10, 30], [30, 10], players=players)
    ties = ["total_points", "average", "best_evening", "direct", "more_evenings"]
    Season.objects.filter(pk=season.pk).update(standings_rules={"worth": worth, "ties": ties})
    recompute()
    opened = admin.get(reverse("league:standing", args=[season.pk, players[0].pk])).context["opened"]
    best, sum_of_both = (10, 40) if worth["by"] == "points" else (2, 3)
    expected = {"total_points": 40, "average": 5, "best_evening": best, "direct": sum_of_both, "more_evenings": 2}
    assert {row.name: [numbers for _player, numbers in row.players] for row in opened.tie_breaks} == {
        name: [(number,)] * 2 for name, number in expected.items()
    }


@pytest.mark.parametrize("rules", [[], {"worth": "by a later version"}])
def test_where_low_wins_rules_that_cannot_be_read_leave_the_written_totals(
    admin: Client, club: Club, rules: object
) -> None:
    """Only here rules that can't be read belong to a game where the rules decide the sign of a total."""
    players = [a_member(club) for _ in range(3)]
    season = played(a_club_game(club, **GOLF), [30, 10, 20], players=players)
    Season.objects.filter(pk=season.pk).update(standings_rules=rules)
    for address in (season.get_absolute_url(), reverse("league:standing", args=[season.pk, players[0].pk])):
        page = admin.get(address)
        assert page.status_code == 200
        assert ">30<" in page.content.decode()


def test_where_low_wins_the_column_of_totals_is_sorted_as_it_is_written(admin: Client, club: Club) -> None:
    """Only here the numbers of the page are compared with the direction that its heading names."""
    season = played(a_club_game(club, **GOLF), [30, 10, 20])
    for column, totals in (("points", [10, 20, 30]), ("-points", [30, 20, 10])):
        table = admin.get(season.get_absolute_url(), {"sort": column}).context["table"]
        assert [row.record.written_total for row in table.rows] == totals


def test_where_low_wins_the_api_answers_the_written_numbers(admin: Client, club: Club) -> None:
    club.public = True
    club.save()
    players = [a_member(club) for _ in range(3)]
    season = played(a_club_game(club, **GOLF), [41, 52, 63], players=players)
    table = Table.objects.get()
    visitor = Client()

    def answer(path: str) -> Any:
        response = visitor.get(f"/api/v1{path}")
        assert response.status_code == 200, path
        return json.loads(response.content)

    assert [seat["points"] for seat in answer(f"/tables/{table.pk}")["seats"]] == [41, 52, 63]
    assert [row["points"] for row in answer(f"/seasons/{season.pk}/standings")["items"]] == [41, 52, 63]
    assert [row["points"] for row in answer(f"/evenings/{table.round.evening_id}/ranking")["items"]] == [41, 52, 63]
    assert answer(f"/seasons/{season.pk}")["game"] == season.game_key
    assert answer(f"/games/{season.game_key}/leaderboard")["items"][0]["player"]["id"] == players[0].pk


def test_the_lowest_total_is_rated_as_the_winner(club: Club) -> None:
    players = [a_member(club) for _ in range(2)]
    season = played(a_club_game(club, **GOLF), [40, 60], players=players)
    ratings = {rating.player_id: rating.points for rating in Rating.objects.filter(game=season.game_key)}
    assert ratings[players[0].pk] > 1000 > ratings[players[1].pk]


def test_a_points_adjustment_is_typed_and_shown_as_the_sheets_write(admin: Client, club: Club) -> None:
    players = [a_member(club) for _ in range(2)]
    season = played(a_club_game(club, **GOLF), [40, 60], players=players)
    address = reverse("league:adjustments", args=[season.pk])
    admin.post(address, {"player": players[0].pk, "points": "30", "reason": "came late"})
    recompute()
    rows = {row.player_id: (row.rank, row.written_total) for row in season.standings.all()}
    assert rows == {players[1].pk: (1, 60), players[0].pk: (2, 70)}
    assert "+30" in admin.get(address).content.decode()


def test_two_clubs_with_a_game_of_one_name_have_separate_ratings_and_leaderboards(client: Client) -> None:
    games = [a_club_game() for _ in range(2)]
    seasons = [played(game, [400, 228, 400, 228]) for game in games]
    keys = [season.game_key for season in seasons]
    assert len(set(keys)) == 2
    for key in keys:
        assert Rating.objects.filter(game=key).count() == 4
    viewer = sign_in(client, a_member(games[0].club))
    own = viewer.get(reverse("league:leaderboard", args=[keys[0]]))
    assert own.status_code == 200
    assert "Jass" in own.content.decode()
    assert len(own.context["table"].rows) == 4
    player = Rating.objects.filter(game=keys[1]).first().player  # type: ignore[union-attr]
    foreign = [
        reverse("league:leaderboard", args=[keys[1]]),
        reverse("league:leaderboard-csv", args=[keys[1]]),
        reverse("league:game-records", args=[keys[1]]),
        reverse("league:ratings", args=[player.pk, keys[1]]),
        reverse("league:player-statistics", args=[player.pk, keys[1]]),
        reverse("league:leaderboard", args=["totals-999999"]),
        reverse("league:leaderboard", args=["totals"]),
        f"/api/v1/games/{keys[1]}/leaderboard",
        f"/api/v1/games/{keys[1]}/records",
    ]
    assert [viewer.get(address).status_code for address in foreign] == [404] * len(foreign)


def test_another_clubs_game_stays_off_the_pages_of_a_shared_player(client: Client) -> None:
    first, second = a_club_game(), a_club_game(name="Secret")
    shared = a_member(first.club)
    second.club.memberships.create(player=shared)
    played(second, [400, 228, 400, 228], players=[shared, *(a_member(second.club) for _ in range(3))])
    viewer = sign_in(client, a_member(first.club))
    page = viewer.get(reverse("league:player", args=[shared.pk])).content.decode()
    assert "Secret" not in page
    assert second.key not in page
    file = io.BytesIO()
    write_club_file(first.club, file)
    assert second.key.encode() not in b"".join(_cells(file))


def _cells(file: io.BytesIO) -> list[bytes]:
    with ZipFile(file) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_a_season_with_another_clubs_game_can_not_be_set_up(admin: Client, club: Club) -> None:
    foreign = a_club_game()
    page = admin.get(reverse("league:season-found", args=[club.slug]), {"game": foreign.key})
    assert "Which game is played?" in page.content.decode()


def test_a_game_travels_with_the_file_of_its_club(club: Club) -> None:
    season = played(a_club_game(club, **GOLF), [41, 52, 63])
    season_closing.close(season.pk, now=NOW)
    file = io.BytesIO()
    write_club_file(club, file)
    file.seek(0)
    copy = import_club(read_club_file(file), now=NOW)
    recompute()
    new_season = copy.seasons.get()
    new_game = copy.games.get()
    assert (new_season.club_game, new_season.game_key) == (new_game, new_game.key)
    assert new_game.key != season.game_key
    assert (new_game.name, new_game.options) == ("Golf", season.house_rules)
    assert [seat.points for seat in Table.objects.get(round__evening__season=new_season).seats.all()] == [-41, -52, -63]
    assert Rating.objects.filter(game=new_game.key).count() == 3
    assert list(verify()) == []


def test_a_phone_at_the_table_enters_totals_once(club: Club) -> None:
    club.table_entry = True
    club.save()
    season = a_season(club, "totals", club_game=a_club_game(club))
    evening = an_evening(season)
    table = a_table(evening, [a_member(club) for _ in range(4)])
    address = reverse("league:at-table", args=[table_codes.code_of_table(Table.objects.with_club().get(pk=table.pk))])
    phone, second_phone = Client(), Client()
    form = phone.get(address).context["form"]

    def sums(first: int) -> dict[str, str]:
        totals = (first, 628 - first, first, 628 - first)
        return {f"seat_{number}": str(total) for number, total in enumerate(totals)}

    hidden = {"client_key": str(form["client_key"].value()), "seen_version": "0", "deals": "4"}
    assert phone.post(address, {**hidden, **sums(400)}).status_code == 302
    entry = AuditEntry.objects.get(event=AuditEvent.TOTALS_RECORDED)
    assert entry.params == {"at_table": True}
    assert second_phone.get(address).context["form"] is None
    version = str(Table.objects.get(pk=table.pk).version)
    second_phone.post(address, {**hidden, "client_key": str(uuid4()), "seen_version": version, **sums(300)})
    assert [seat.written for seat in table.seats.all()] == [400, 228, 400, 228]
    phone.post(address, {**hidden, "client_key": str(uuid4()), "seen_version": version, **sums(401)})
    assert [seat.written for seat in table.seats.all()] == [401, 227, 401, 227]


def totals_by_phone(club: Club) -> Table:
    table = a_table(an_evening(a_season(club, "totals", club_game=a_club_game(club))), [a_member(club) for _ in "1234"])
    sums = {number: PointsAndDeals(total, 4) for number, total in enumerate((400, 228, 400, 228))}
    totals_actions.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW, at_table=True)
    return Table.objects.with_club().get(pk=table.pk)


def test_the_desk_checks_totals_from_a_phone(admin: Client, club: Club) -> None:
    table = totals_by_phone(club)
    evening = table.round.evening
    addresses = [
        table.get_absolute_url(),
        reverse("league:sheets", args=[evening.pk]),
        reverse("league:evening-close", args=[evening.pk]),
    ]
    marks = ["totals entered at the table, not checked", "totals to check", "The totals of 1 table were entered there"]
    for address, mark in zip(addresses, marks, strict=True):
        assert mark in admin.get(address).content.decode()

    check = reverse("league:table-check", args=[table.pk])
    for seen in (str(table.version - 1), "x", "9" * 30):
        page = admin.post(check, {"seen_totals": seen}, follow=True).content.decode()
        assert "Not everything is checked" in page
    assert not Table.objects.get(pk=table.pk).totals_checked
    page = admin.post(check, {"seen_totals": str(table.version)}, follow=True).content.decode()
    assert "The totals are checked." in page
    for address, mark in zip(addresses, marks, strict=True):
        assert mark not in admin.get(address).content.decode()
    assert AuditEntry.objects.get(event=AuditEvent.TOTALS_CHECKED).table_id == table.pk


def test_a_phone_does_not_correct_checked_totals_and_totals_from_the_desk_are_checked(
    admin: Client, club: Club
) -> None:
    table = totals_by_phone(club)
    sent_totals(admin, table, [401, 227, 401, 227], 4)
    table.refresh_from_db()
    assert table.totals_checked
    sums = {number: PointsAndDeals(total, 4) for number, total in enumerate((400, 228, 400, 228))}
    with pytest.raises(WrongState):
        totals_actions.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=NOW, at_table=True)


def test_a_closed_season_keeps_unchecked_totals(admin: Client, club: Club) -> None:
    table = totals_by_phone(club)
    season = table.round.evening.season
    evenings.close(table.round.evening_id, now=NOW)
    page = admin.get(reverse("league:season-close", args=[season.pk])).content.decode()
    assert "The totals of 1 table were entered there and are not checked yet." in page
    season_closing.close(season.pk, now=NOW)
    with pytest.raises(WrongState):
        totals_actions.check_off(table.pk, table.version)


def test_the_draw_and_printed_sheets_work(admin: Client, club: Club) -> None:
    season = a_season(club, "totals", club_game=a_club_game(club), rounds=2)
    evening = an_evening(season, EveningState.OPEN)
    for player in [a_member(club) for _ in range(8)]:
        evening.attendances.create(player=player)
    assert admin.get(reverse("league:draw", args=[evening.pk])).status_code == 200
    table = a_table(evening, [attendance.player for attendance in evening.attendances.all()[:4]])
    page = admin.get(reverse("league:round-sheets", args=[table.round_id]))
    assert page.status_code == 200
    assert "1 + 3" in page.content.decode()
    assert admin.get(reverse("league:blank-sheet", args=[season.pk])).status_code == 200


def test_points_of_an_exempt_round_are_written_numbers(admin: Client, club: Club) -> None:
    game = a_club_game(club, low_wins=True, check_sum=None, check_per_deal=False)
    season = a_season(club, "totals", club_game=game, exempt_points=50)
    evening = an_evening(season)
    for player in [a_member(club) for _ in range(6)]:
        evening.attendances.create(player=player)
    inputs = read_draw_input(evening, [])
    [seating] = plan_rounds(inputs.people, range(1, 2), inputs.wishes, seed=1).rounds
    [round_] = rounds.store_drawn_rounds(evening.pk, [seating], seed=1, drawn_attendances=inputs.attendances)
    rounds.accept(round_.pk)
    rests = Rest.objects.filter(round=round_, kind=RestKind.EXEMPT)
    assert [rest.points for rest in rests] == [-50, -50]
    assert "+50" in admin.get(evening.get_absolute_url()).content.decode()


def test_a_deleted_clubs_games_and_ratings_go(club: Club) -> None:
    season = played(a_club_game(club), [400, 228, 400, 228])
    key = season.game_key
    assert club_deletion.delete_club(club.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    assert not ClubGame.objects.exists()
    assert not Rating.objects.filter(game=key).exists()
