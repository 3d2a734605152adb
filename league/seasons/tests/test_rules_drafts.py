"""Drafts of standings rules are compared on a season; members see those that an admin shows."""

from __future__ import annotations

from gzip import compress
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings, rules_drafts
from league.actions.refusals import WrongState
from league.models import Club, Deal, PendingRecompute, Rest, Round, RulesDraft, Season, Standing, Table
from league.models.rights import Role
from league.models.round import RoundState
from league.models.season import SeasonState
from league.seasons.tests.three_evenings import three_evenings
from league.standings.rules import StandingsRules
from tests.build import (
    NOW,
    TAKE,
    a_club,
    a_club_game,
    a_deal,
    a_member,
    a_season,
    a_table,
    an_evening,
    sign_in,
    some_players,
    written_totals,
)

PLAIN = {"worth": "points", "counts": "all", "minimum": "none"}
PLACES = {"worth": {"by": "places", "points": [3, 2, 1]}}
BEST = {"counts": {"which": "best", "n": 2}}


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


@pytest.fixture
def season(club: Club) -> Season:
    return a_season(club, name="Next")


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.ADMIN))


@pytest.fixture
def last(club: Club) -> Season:
    return a_season(club, name="Last")


def address(season: Season) -> str:
    return reverse("league:rules-drafts", args=[season.pk])


def a_draft(season: Season, rules: dict[str, Any] = PLACES, name: str = "By places") -> RulesDraft:
    return rules_drafts.save_draft(season.pk, name, StandingsRules.from_json(rules))


def test_rules_are_kept_as_a_draft_and_nothing_follows_them(admin: Client, season: Season) -> None:
    builder = reverse("league:standings-rules", args=[season.pk])
    answer = admin.post(builder, {**PLAIN, "attendance": "3", "keep": "1", "draft_name": "With attendance"})
    assert answer.headers["Location"] == address(season)
    draft = RulesDraft.objects.get()
    assert (draft.name, draft.rules, draft.is_shown) == ("With attendance", {"attendance": 3}, False)
    season.refresh_from_db()
    assert season.standings_rules == {}
    assert f"?from=draft-{draft.pk}" in admin.get(address(season)).content.decode()
    assert f"?from=draft-{draft.pk}" in admin.get(builder).content.decode()
    form_page = admin.get(builder, {"from": f"draft-{draft.pk}"})
    assert form_page.context["form"]["attendance"].value() == 3


def test_a_draft_needs_a_name_and_possible_rules(admin: Client, season: Season) -> None:
    builder = reverse("league:standings-rules", args=[season.pk])
    nameless = admin.post(builder, {**PLAIN, "keep": "1", "draft_name": " "})
    assert (nameless.status_code, list(nameless.context["draft"].errors)) == (422, ["draft_name"])
    wrong = admin.post(builder, {**PLAIN, "counts": "best", "keep": "1", "draft_name": "Best"})
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (422, ["best"])
    assert not RulesDraft.objects.exists()


def test_a_draft_of_the_same_name_is_replaced(season: Season) -> None:
    first = a_draft(season)
    assert a_draft(season, BEST) == first
    assert RulesDraft.objects.get().rules == BEST


def test_so_many_drafts_stand_beside_each_other(admin: Client, season: Season) -> None:
    for number in range(rules_drafts.MAX_DRAFTS):
        a_draft(season, name=str(number))
    a_draft(season, BEST, name="0")
    with pytest.raises(WrongState):
        a_draft(season, name="one more")
    typed = {**PLAIN, "keep": "1", "draft_name": "one more"}
    refused = admin.post(reverse("league:standings-rules", args=[season.pk]), typed)
    assert (refused.status_code, list(refused.context["draft"].errors)) == (422, ["draft_name"])


def test_drafts_are_tried_on_the_last_season(admin: Client, season: Season, last: Season) -> None:
    ann, bea, cid, dan = three_evenings(last)
    a_draft(season)
    a_draft(season, BEST, "Best two")
    before = list(Standing.objects.values()), PendingRecompute.objects.count()
    page = admin.get(address(season))
    assert f'<option value="{last.pk}" selected>' not in page.content.decode()  # one season needs no choice
    draft_data = {
        row.player: [(place.rank, place.total, place.above, place.below) for place in row.compared_ranks]
        for row in page.context["page"]
    }
    assert draft_data == {
        bea: [(1, 216, 0, 0), (2, 7, 0, 1), (1, 243, 0, 0)],
        ann: [(2, 72, 0, 0), (1, 8, 1, 0), (2, 162, 0, 0)],
        cid: [(3, -144, 0, 0), (3, 6, 0, 0), (3, -54, 0, 0)],
        dan: [(3, -144, 0, 0), (3, 6, 0, 0), (3, -54, 0, 0)],
    }
    rank_changes = [(column.title, column.rank_change_count) for column in page.context["columns"]]
    assert rank_changes == [("As it was played", 0), ("By places", 2), ("Best two", 0)]
    assert (list(Standing.objects.values()), PendingRecompute.objects.count()) == before


def test_the_chart_of_ranks_has_the_numbers_of_the_table(admin: Client, season: Season, last: Season) -> None:
    """Bea, first with 216 points, is third if three points go to each evening's last."""
    three_evenings(last)
    a_draft(season, {"worth": {"by": "places", "points": [0, 1, 2]}}, "Upside down")
    page = admin.get(address(season))
    [_played, column] = page.context["columns"]
    table = {row.player: [place.rank for place in row.compared_ranks] for row in page.context["page"]}
    assert {row.player: [before, after] for _line, row, before, after in column.slope_rows} == table
    drawing = page.content.decode().partition('<svg class="chart slope"')[2].partition("</svg>")[0]
    assert drawing.count("<path") == 4
    assert "Bea" in drawing
    assert len(compress(drawing.encode())) < 6_000


def test_a_name_leads_to_the_evenings_behind_it(admin: Client, season: Season, last: Season) -> None:
    _ann, bea, *_rest = three_evenings(last)
    a_draft(season)
    a_draft(season, BEST, "Best two")
    page = admin.get(address(season), {"player": bea.pk})
    assert [evening.values for evening in page.context["evenings"]] == [
        [(-27, True), (2, True), (-27, False)],  # of equal ones the later counts
        [(-27, True), (2, True), (-27, True)],
        [(270, True), (3, True), (270, True)],
    ]


@pytest.mark.parametrize("asked", ["0", "x", "-1", "9" * 30])
def test_what_is_not_there_is_not_looked_for(admin: Client, season: Season, last: Season, asked: str) -> None:
    three_evenings(last)
    a_draft(season)
    page = admin.get(address(season), {"on": asked, "player": asked, "page": asked})
    assert page.context["trial_season"] == last
    assert "person" not in page.context


def test_another_clubs_season_is_not_tried_on(admin: Client, season: Season) -> None:
    foreign = a_season(a_club())
    three_evenings(foreign)
    a_draft(season)
    page = admin.get(address(season), {"on": foreign.pk})
    assert page.context["trial_season"] is None
    assert "No evening of the club is closed yet" in page.content.decode()


def test_a_closed_season_can_be_tried_itself(admin: Client, last: Season) -> None:
    three_evenings(last)
    Season.objects.filter(pk=last.pk).update(state=SeasonState.CLOSED)
    builder = reverse("league:standings-rules", args=[last.pk])
    admin.post(builder, {**PLAIN, "counts": "best", "best": "2", "keep": "1", "draft_name": "Best two"})
    assert admin.get(address(last)).context["columns"][1].sentence.startswith("The best 2 evenings count; ")


def test_members_see_what_is_put_to_the_vote(client: Client, club: Club, season: Season, last: Season) -> None:
    three_evenings(last)
    draft, second_draft = a_draft(season), a_draft(season, BEST, "Best two")
    member = sign_in(client, a_member(club))
    link = f'href="{address(season)}"'
    assert [each.title for each in member.get(address(season)).context["columns"]] == []
    assert link not in member.get(season.get_absolute_url()).content.decode()

    chair = sign_in(Client(), a_member(club, Role.ADMIN))
    chair.post(reverse("league:rules-draft-show", args=[draft.pk]))
    titles = [each.title for each in member.get(address(season)).context["columns"]]
    assert titles == ["As it was played", "By places"]
    assert link in member.get(season.get_absolute_url()).content.decode()

    chair.post(reverse("league:rules-draft-hide", args=[draft.pk]))
    assert link not in member.get(season.get_absolute_url()).content.decode()
    chair.post(reverse("league:rules-draft-remove", args=[second_draft.pk]))
    assert list(RulesDraft.objects.all()) == [draft]


@pytest.mark.parametrize("role", [None, Role.GUEST])
def test_visitors_of_a_public_club_see_no_shown_draft(db: None, client: Client, role: Role | None) -> None:
    """Only the admin's buttons say who sees a draft; the season itself is open to every visitor."""
    club = a_club(public=True)
    season = a_season(club)
    three_evenings(season)
    rules_drafts.set_visible(a_draft(season), to_members=True)
    visitor = client if role is None else sign_in(client, a_member(club, role))
    page = visitor.get(address(season))
    assert (page.context["columns"], "By places" in page.content.decode()) == ([], False)
    assert f'href="{address(season)}"' not in visitor.get(season.get_absolute_url()).content.decode()


@pytest.mark.parametrize("doing", ["show", "hide", "remove"])
def test_drafts_are_their_own_admins(client: Client, season: Season, doing: str) -> None:
    draft = a_draft(season)
    stranger = sign_in(client, a_member(a_club(), Role.ADMIN))
    assert stranger.post(reverse(f"league:rules-draft-{doing}", args=[draft.pk])).status_code == 404
    draft.refresh_from_db()
    assert not draft.is_shown


def test_a_draft_that_can_no_longer_be_read_stops_nothing(admin: Client, season: Season, last: Season) -> None:
    three_evenings(last)
    draft = a_draft(season)
    RulesDraft.objects.filter(pk=draft.pk).update(rules={"worth": "of old"})
    assert admin.get(address(season)).status_code == 200


@pytest.mark.parametrize(("own", "tried"), [({"rests": 10}, {}), ({}, {"rests": 10})])
def test_a_rest_that_counts_by_some_of_the_rules_only(
    admin: Client, last: Season, own: dict[str, Any], tried: dict[str, Any]
) -> None:
    """Only here a player has a row by one of the rules and none by the other: the only table never ended."""
    three_evenings(last)
    Season.objects.filter(pk=last.pk).update(standings_rules=own)
    evening = an_evening(last)
    resting, *others = some_players(4)
    first, second = a_table(evening), a_table(evening, [resting, *others], round_number=2)
    Round.objects.filter(evening=evening).update(state=RoundState.ACCEPTED)
    Rest.objects.create(round=first.round, player=resting)
    a_deal(first)
    evenings.close(evening.pk, now=NOW)
    assert not Table.objects.get(pk=second.pk).complete
    a_draft(last, tried)
    page = admin.get(address(last), {"player": resting.pk})
    [row] = [row for row in page.context["page"] if row.player == resting]
    assert [row.total for row in row.compared_ranks] == [10 if "rests" in rules else None for rules in (own, tried)]
    [values] = [evening.values for evening in page.context["evenings"]]
    assert values == [(10, True) if "rests" in rules else None for rules in (own, tried)]


def test_where_low_wins_drafts_have_the_sign_that_pages_show_with_their_rules(admin: Client, club: Club) -> None:
    """Only here compared rules differ in that sign: written totals are added up, points for places are not."""
    golf = a_club_game(club, name="Golf", low_wins=True, two_sides=False, check_sum=None, check_per_deal=False)
    season = a_season(club, "totals", club_game=golf)
    evening = an_evening(season)
    table = a_table(evening)
    written_totals(table, [30, 10, 20, 40], deals=4)
    evenings.close(evening.pk, now=NOW)
    a_draft(season)
    best = table.seats.get(number=1).player
    page = admin.get(address(season), {"player": best.pk})
    assert [rank.total for rank in page.context["page"][0].compared_ranks] == [10, 3]
    assert [evening.values for evening in page.context["evenings"]] == [[(10, True), (3, True)]]
    change = {**PLAIN, "worth": "places", "place_points": "3 2 1"}
    adoption = admin.post(reverse("league:standings-rules", args=[season.pk]), change)
    [last] = adoption.context["changed_rows"]  # shares the third place, since each other place gives 1 too
    assert [rank.total for rank in last.compared_ranks] == [40, 1]


def test_other_house_rules_are_tried_and_nothing_is_saved(client: Client, season: Season, last: Season) -> None:
    ann, bea, cid, _dan = three_evenings(last)
    first = Deal.objects.earliest("pk")
    half_short = {**TAKE, "points": 40.5}  # −78 for Ann, 26 for each other; nothing where it is void
    deals.revise(first.pk, half_short, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")
    before = list(Deal.objects.values()), list(Season.objects.values()), PendingRecompute.objects.count()
    member = sign_in(client, a_member(season.club))
    assert member.get(address(season)).context["columns"] == []
    page = member.get(address(season), {"house-half_point_short": "void"})
    totals = {row.player: [place.total for place in row.compared_ranks] for row in page.context["page"]}
    assert (totals[ann], totals[bea], totals[cid]) == ([-78 + 81 - 90, 81 - 90], [26 - 27 + 270, 270 - 27], [-91, -117])
    titles = [column.title for column in page.context["columns"]]
    assert titles == ["As it was played", "By other house rules"]
    assert page.context["columns"][1].sentence == (
        "The taker is exactly half a point short: The deal is void: nobody scores."
    )
    assert (list(Deal.objects.values()), list(Season.objects.values()), PendingRecompute.objects.count()) == before


def test_house_rules_that_are_none_or_refuse_a_deal_are_refused(admin: Client, season: Season, last: Season) -> None:
    three_evenings(last)
    unknown = admin.get(address(season), {"house-half_point_short": "sometimes"})
    assert "half_point_short" in unknown.context["house_rules"].errors
    Deal.objects.filter(pk=Deal.objects.earliest("pk").pk).update(facts={"contract": "dare"})
    refused = admin.get(address(season), {"house-half_point_short": "void"})
    assert refused.status_code == 200
    [error] = refused.context["house_rules"].non_field_errors()
    assert f'<a href="{Deal.objects.earliest("pk").get_absolute_url()}">Deal 1 of table 1, round 1, ' in error
    assert error in refused.content.decode()
    assert "is not one of" in error


@pytest.mark.django_db
def test_strangers_may_not_have_every_deal_scored_again(client: Client) -> None:
    season = a_season(a_club(public=True))
    three_evenings(season)
    page = client.get(address(season), {"house-half_point_short": "void"})
    assert page.status_code == 200
    assert "house_rules" not in page.context
