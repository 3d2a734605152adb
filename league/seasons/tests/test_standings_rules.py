"""An admin edits a season's standings rules, and sees the effects first."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.actions import seasons
from league.actions.refusals import StaleVersion, WrongState
from league.models import Club, PendingRecompute, Season
from league.models.rights import Role
from league.models.season import SeasonState
from league.seasons.tests.three_evenings import three_evenings
from league.standings.rules import StandingsRules
from tests.build import NOW, a_club, a_member, a_season, sign_in

PLAIN = {"worth": "points", "counts": "all", "minimum": "none"}
BEST = {**PLAIN, "counts": "best", "best": "1", "tie_1": "next_best"}
PLACES = {**PLAIN, "worth": "places", "place_points": "3 2 1"}
BEST_RULES = {"counts": {"which": "best", "n": 1}, "ties": ["next_best"]}


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


@pytest.fixture
def season(club: Club) -> Season:
    return a_season(club)


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.ADMIN))


def address(season: Season) -> str:
    return reverse("league:standings-rules", args=[season.pk])


def change(season: Season, seen: Any, rules: Any, *, reason: str = "voted") -> Season:
    """Change the rules as a user who saw the rules `seen`."""
    version = seasons.standings_rules_version(Season(standings_rules=seen))
    return seasons.change_standings_rules(
        season.pk, StandingsRules.from_json(rules), planned_evenings=None, seen_version=version, reason=reason, now=NOW
    )


def stored(season: Season) -> Any:
    season.refresh_from_db()
    return season.standings_rules


def test_rules_are_told_in_plain_words(admin: Client, season: Season) -> None:
    page = admin.get(address(season))
    seen = page.context["seen"]
    answer = admin.post(address(season), {**BEST, "planned_evenings": "6", "seen": seen})
    assert answer.status_code == 302
    assert stored(season) == BEST_RULES
    assert season.planned_evenings == 6
    html = admin.get(season.get_absolute_url()).content.decode()
    assert "The best of 6 evenings counts; an evening is worth its points; ties: the next best evening." in html
    assert not PendingRecompute.objects.exists()  # no evening was held


def test_one_types_and_reads_the_sentence(admin: Client, season: Season) -> None:
    so_far = admin.post(address(season), BEST, headers={"HX-Request": "true"}).content.decode()
    assert "The best evening counts; " in so_far
    assert "<html" not in so_far
    wrong = admin.post(address(season), {**BEST, "best": ""}, headers={"HX-Request": "true"})
    assert wrong.status_code == 200
    assert "How many: This is needed." in wrong.content.decode()
    assert stored(season) == {}


def test_a_wrong_rule_is_shown_on_its_field(admin: Client, season: Season) -> None:
    answer = admin.post(address(season), {**BEST, "tie_2": "next_best"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["tie_2"]
    assert stored(season) == {}


def test_doubtful_rules_are_asked_about(admin: Client, season: Season) -> None:
    doubtful = {**BEST, "best": "8", "planned_evenings": "6", "seen": admin.get(address(season)).context["seen"]}
    question = admin.post(address(season), doubtful)
    assert question.status_code == 200
    assert "The best 8 in a season of 6 evenings: nothing would ever be dropped." in question.content.decode()
    assert stored(season) == {}

    unsure = admin.post(address(season), {**doubtful, "adopt": "1"})
    assert (unsure.status_code, list(unsure.context["adopt"].errors)) == (422, ["sure"])
    assert stored(season) == {}

    form_page = admin.post(address(season), {**doubtful, "back": "1"})
    assert form_page.context["form"]["best"].value() == "8"
    admin.post(address(season), {**doubtful, "adopt": "1", "sure": "on"})
    assert stored(season)["counts"] == {"which": "best", "n": 8}


def test_rules_that_others_changed_meanwhile_are_not_overwritten_unasked(admin: Client, season: Season) -> None:
    seen = admin.get(address(season)).context["seen"]
    Season.objects.filter(pk=season.pk).update(standings_rules={"attendance": 3})
    refused = admin.post(address(season), {**BEST, "seen": seen})
    assert refused.status_code == 422
    assert "Somebody else changed the rules meanwhile" in refused.content.decode()
    assert stored(season) == {"attendance": 3}

    fields = dict(refused.context["kept"])
    admin.post(address(season), {**fields, "adopt": "1", "seen": refused.context["adopt"].initial["seen"]})
    assert stored(season) == BEST_RULES


def test_sending_twice_changes_once(admin: Client, season: Season) -> None:
    seen = admin.get(address(season)).context["seen"]
    answers = [admin.post(address(season), {**BEST, "seen": seen}).status_code for _ in range(2)]
    assert answers == [302, 302]
    assert season.events.filter(pgh_label="update").count() == 1  # type: ignore[attr-defined]


def test_a_closed_season_keeps_its_rules(admin: Client, season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(state=SeasonState.CLOSED)
    assert "Use these rules" not in admin.get(address(season)).content.decode()
    answer = admin.post(address(season), {**BEST, "adopt": "1"})
    assert "The season is closed. Open it first." in answer.content.decode()
    assert stored(season) == {}
    with pytest.raises(WrongState):
        change(season, season.standings_rules, BEST_RULES)


def test_a_season_begins_with_the_rules_of_the_last_one(admin: Client, club: Club, season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(standings_rules=BEST_RULES, planned_evenings=6)
    a_season(club, "belote", standings_rules={"attendance": 1})
    found = reverse("league:season-found", args=[club.slug]) + "?game=tarot"
    typed = {"name": "Next", "table_sizes": "4", "end": "hand", "contest_hours": "0", "rounds": "4"}
    admin.post(found, {**typed, "draw": "meet", "leavers": "ranked", "rest_score": "none"})
    following = Season.objects.get(name="Next")
    assert (following.standings_rules, following.planned_evenings) == (BEST_RULES, 6)


@pytest.mark.parametrize(
    ("begun", "counts"),
    [("preset-drop", "drop"), ("preset-unknown", "all"), ("season-0", "all"), ("nothing", "all"), ("season-x", "all")],
)
def test_the_form_begins_with_rules_that_are_there(admin: Client, season: Season, begun: str, counts: str) -> None:
    page = admin.get(address(season), {"from": begun})
    assert page.context["form"]["counts"].value() == counts


def test_the_form_begins_with_another_season_of_the_club_alone(admin: Client, club: Club, season: Season) -> None:
    second_season, foreign = a_season(club, standings_rules=BEST_RULES), a_season(a_club(), standings_rules=BEST_RULES)
    for begun, counts in ((second_season, "best"), (foreign, "all")):
        assert (f"?from=season-{begun.pk}" in admin.get(address(season)).content.decode()) == (begun == second_season)
        page = admin.get(address(season), {"from": f"season-{begun.pk}"})
        assert page.context["form"]["counts"].value() == counts


def test_rules_go_to_a_file_and_come_back(admin: Client, club: Club, season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(standings_rules=BEST_RULES)
    text = admin.get(reverse("league:standings-rules-file", args=[season.pk])).content.decode()
    assert json.loads(text) == {"version": 1, "rules": BEST_RULES}
    second_season = a_season(club)
    page = admin.post(address(second_season), {"pasted": text})
    assert page.status_code == 200
    assert page.context["form"]["best"].value() == 1
    assert stored(second_season) == {}  # filled in, not written


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("", "blank"),
        ("{", "not JSON"),
        ("[]", "not an object"),
        ('{"version": 2, "rules": {}}', "version"),
        ('{"rules": {}}', "version: This is needed."),
        ('{"version": 1, "rules": {"counts": {"which": "best", "n": 0}}}', "rules.counts.n"),
        ('{"version": 1, "rules": {"counts": NaN}}', "not a number"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_none_is_refused(admin: Client, season: Season, pasted: str, words: str) -> None:
    answer = admin.post(address(season), {"pasted": pasted}, follow=True)
    assert words in answer.content.decode()


def test_pasted_rules_that_the_form_refuses_stand_on_their_fields(admin: Client, season: Season) -> None:
    huge = {"version": 1, "rules": {"counts": {"which": "best", "n": 10**9}, "ties": ["wins"]}}
    page = admin.post(address(season), {"pasted": json.dumps(huge)})
    assert (page.status_code, set(page.context["form"].errors)) == (422, {"best", "tie_1"})


def test_pasted_rules_of_pairs_are_left_out_where_there_are_none(admin: Client, season: Season) -> None:
    page = admin.post(address(season), {"pasted": json.dumps({"version": 1, "rules": {"partners": 2}})})
    assert "What this game does not have is left out." in page.content.decode()


@pytest.mark.parametrize("role", [Role.SECRETARY, Role.MEMBER])
def test_rules_are_the_admins(client: Client, club: Club, season: Season, role: Role) -> None:
    answer = sign_in(client, a_member(club, role)).post(address(season), BEST)
    assert answer.status_code == 403
    assert stored(season) == {}


def test_rules_that_change_late_show_who_moves_and_need_a_reason(admin: Client, season: Season) -> None:
    ann, bea, *_rest = three_evenings(season)
    PendingRecompute.objects.all().delete()
    late = {**PLACES, "seen": admin.get(address(season)).context["seen"]}
    shown = admin.post(address(season), late)
    assert shown.status_code == 200
    ranks = [(changed.player, [row.rank for row in changed.rows]) for changed in shown.context["changed_rows"]]
    assert ranks == [(bea, [1, 2]), (ann, [2, 1])]
    assert stored(season) == {}

    unsaid = admin.post(address(season), {**late, "adopt": "1"})
    assert (unsaid.status_code, list(unsaid.context["adopt"].errors)) == (422, ["reason"])
    admin.post(address(season), {**late, "adopt": "1", "reason": "voted in June"})
    assert stored(season) == {"worth": {"by": "places", "points": [3, 2, 1]}}
    assert list(PendingRecompute.objects.values_list("season", "game")) == [(season.pk, "")]
    event = season.events.latest("pgh_id")  # type: ignore[attr-defined]
    assert event.pgh_context.metadata["reason"] == "voted in June"
    member = sign_in(Client(), a_member(season.club))
    assert "voted in June" in member.get(season.get_absolute_url()).content.decode()


def test_rules_that_move_nobody_say_so(admin: Client, season: Season) -> None:
    three_evenings(season)
    shown = admin.post(address(season), {**PLAIN, "tie_1": "direct"})
    assert "Nobody's rank changes." in shown.content.decode()


def test_an_evening_closed_meanwhile_asks_for_a_reason(season: Season) -> None:
    three_evenings(season)
    with pytest.raises(WrongState):
        change(season, {}, BEST_RULES, reason="")
    assert stored(season) == {}


def test_more_planned_evenings_alone_leave_nothing_to_compute(season: Season) -> None:
    three_evenings(season)
    PendingRecompute.objects.all().delete()
    version = seasons.standings_rules_version(season)
    rules = StandingsRules.from_json({})
    seasons.change_standings_rules(season.pk, rules, planned_evenings=9, seen_version=version, reason="longer", now=NOW)
    season.refresh_from_db()
    assert season.planned_evenings == 9
    assert not PendingRecompute.objects.exists()


def test_a_number_of_evenings_that_another_admin_changed_is_not_overwritten(admin: Client, season: Season) -> None:
    """Only here the first of two users changed nothing but the planned number of evenings."""
    opened = {**PLAIN, "planned_evenings": "6", "seen": admin.get(address(season)).context["seen"]}
    admin.post(address(season), {**opened, "planned_evenings": "9"})
    refused = admin.post(address(season), {**opened, "attendance": "1"})
    assert refused.status_code == 422
    assert "Somebody else changed the rules meanwhile" in refused.content.decode()
    assert (stored(season), season.planned_evenings) == ({}, 9)


@pytest.mark.django_db(transaction=True)
def test_of_two_admins_at_once_the_second_is_told() -> None:
    season = a_season(a_club())
    changes: list[dict[str, Any]] = [{"attendance": 1}, {"attendance": 2}]
    start = Barrier(len(changes))

    def change_once(rules: dict[str, Any]) -> str:
        start.wait()
        try:
            change(season, {}, rules)
        except StaleVersion:
            return "stale"
        finally:
            connection.close()
        return "changed"

    with ThreadPoolExecutor(len(changes)) as pool:
        assert sorted(pool.map(change_once, changes)) == ["changed", "stale"]
