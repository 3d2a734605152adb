"""The games' own pages, which need no club and no account."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from scoring import registry, rulebook
from scoring.game import find_game
from scoring.tests.form_laws import sent
from scoring.tests.laws import clauses

pytestmark = pytest.mark.django_db
GAMES = registry.slugs()
TAKE = {"contract": "take", "taker": "0", "points": "43", "oudlers": "2"}  # 001's first example: 81, −27, −27, −27


def calculator(slug: str, seats: int) -> str:
    return reverse("league:calculator", args=[slug]) + f"?seats={seats}"


def test_list_links_to_every_game(client: Client) -> None:
    page = client.get(reverse("league:games")).content.decode()
    for slug in GAMES:
        assert reverse("league:rules", args=[slug]) in page
        assert reverse("league:calculator", args=[slug]) in page


@pytest.mark.parametrize("slug", GAMES)
def test_rules_page_has_every_clause_and_example(client: Client, slug: str) -> None:
    game = find_game(slug)
    page = client.get(reverse("league:rules", args=[slug])).content.decode()
    for clause in clauses(game.folder):
        assert f'id="{clause}"' in page
    assert page.count("<h1") == 1
    assert " style=" not in page
    assert page.count('aria-labelledby="example-') == len(rulebook.examples(game))


@pytest.mark.parametrize("slug", GAMES)
def test_examples_are_scored_as_they_say(slug: str) -> None:
    for example in rulebook.examples(find_game(slug)):
        assert list(example.explanation.points) == list(example.points), example.title


@pytest.mark.parametrize("slug", GAMES)
def test_calculator_opens_for_every_number_of_players(client: Client, slug: str) -> None:
    for seats in find_game(slug).sizes:
        page = client.get(calculator(slug, seats)).content.decode()
        assert f"Player {seats}" in page
        assert f"Player {seats + 1}" not in page


@pytest.mark.parametrize("seats", ["99", "-1", "x", "", "4½"])
def test_calculator_falls_back_to_a_usual_number_of_players(client: Client, seats: str) -> None:
    assert client.get(reverse("league:calculator", args=["tarot"]), {"seats": seats}).status_code == 200


def test_unknown_game_is_not_found(client: Client) -> None:
    for page in ("rules", "calculator"):
        assert client.get(reverse(f"league:{page}", args=["chess"])).status_code == 404


def test_calculator_scores_without_scripts_and_without_an_account(client: Client) -> None:
    page = client.post(calculator("tarot", 4), {**TAKE, "preview": "1"}).content.decode()
    assert '<data class="points points-plus" value="81">+81</data>' in page
    assert "(25 + 2) × 1 × 3 = 81" in page
    assert "<html" in page


def test_live_answer_is_the_form_alone(client: Client) -> None:
    page = client.post(calculator("tarot", 4), TAKE, headers={"HX-Request": "true"}).content.decode()
    assert 'value="81"' in page
    assert "<html" not in page
    unfinished = client.post(
        calculator("tarot", 4), {"contract": "take"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "Still needed: Taker, Oudlers, Points" in re.sub(r"\s+", " ", unfinished)


def test_calculator_asks_for_house_rules_that_apply(client: Client) -> None:
    pages = [client.get(calculator("tarot", seats)).content.decode() for seats in (4, 6)]
    assert ["Six players" in page for page in pages] == [False, True]


def test_calculator_takes_house_rules(client: Client) -> None:
    short = {**TAKE, "points": "40.5"}
    lost = client.post(calculator("tarot", 3), short).content.decode()
    assert 'value="-52"' in lost  # (−25 − 1) × 1 × 2
    void = client.post(calculator("tarot", 3), {**short, "house-half_point_short": "void"}).content.decode()
    assert "Exactly half a point short" in void
    assert 'value="-52"' not in void


def test_calculator_scores_a_tables_last_deal(client: Client) -> None:
    # 75 and the last trick: 85 and 77, rounded 90 and 80.
    deal = {
        "taker": "0",
        "points": "75",
        "last_trick": "attack",
        "house-rounding": "10",
        "house-last_deal_exact": "True",
    }
    rounded = client.post(calculator("belote", 4), deal).content.decode()
    assert 'value="90"' in rounded
    last = client.post(calculator("belote", 4), {**deal, "house-last": "on"}).content.decode()
    assert 'value="85"' in last
    assert 'value="85"' in client.get(address_in(last)).content.decode()
    assert "house-last" not in client.get(calculator("tarot", 4)).content.decode()


@pytest.mark.parametrize("slug", GAMES)
def test_a_deal_has_an_address_that_gives_the_same_points(client: Client, slug: str) -> None:
    game = find_game(slug)
    for raw in tomllib.loads((game.folder / "examples.toml").read_text(encoding="utf-8"))["example"]:
        if raw.get("options") or raw.get("earlier"):
            continue
        names = rulebook.numbered_players(raw["seats"])
        typed = sent(game, game.deal_form(names, facts=raw["facts"]))
        posted = client.post(calculator(slug, raw["seats"]), dict(typed.lists())).content.decode()
        followed = client.get(address_in(posted)).content.decode()
        assert points_in(followed) == points_in(posted), raw["title"]
        assert points_in(posted), raw["title"]
        assert address_in(followed) == address_in(posted), raw["title"]


def test_an_address_keeps_other_house_rules_and_leaves_usual_ones_out(client: Client) -> None:
    short = {**TAKE, "points": "40.5", "house-half_point_short": "void", "csrfmiddlewaretoken": "x", "preview": "1"}
    address = address_in(client.post(calculator("tarot", 3), short).content.decode())
    expected = {**TAKE, "seats": "3", "points": "40.5", "house-half_point_short": "void"}
    assert dict(QueryDict(urlsplit(address).query).items()) == expected
    page = client.get(address).content.decode()
    assert "Exactly half a point short" in page
    assert 'value="-52"' not in page


def test_an_address_with_wrong_fields_says_so_and_has_none_of_its_own(client: Client) -> None:
    page = client.get(
        reverse("league:calculator", args=["tarot"]), {"seats": "4", **TAKE, "points": "92"}
    ).content.decode()
    assert "92 points are not possible" in page
    assert "The address of this deal" not in page


def address_in(page: str) -> str:
    [link] = re.findall(r'<a href="([^"]+)">The address of this deal', page)
    return unescape(link)


def points_in(page: str) -> list[str]:
    return re.findall(r'<data class="points[^"]*" value="([^"]+)">', page)


def test_documents_and_decisions_stand_behind_a_fold(client: Client) -> None:
    page = client.get(reverse("league:rules", args=["tarot"])).content.decode()
    unfolded = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert "(001" not in unfolded
    assert "<strong>Decision:" not in unfolded
    assert "jacks 1.5, all other cards 0.5; 91 in all.</li>" in page.replace("\n", " ")
    assert "<li>T1.1: 001, 1 and 3</li>" in page
    assert page.count("<strong>Decision:") == (find_game("tarot").folder / "RULES.md").read_text().count(
        "**Decision:**"
    )
    belote = client.get(reverse("league:rules", args=["belote"])).content.decode()
    assert '<details class="why"><summary>Why (B3.2)</summary>' in belote
    assert "<p></p>" not in belote


def test_wrong_input_stays_with_its_error(client: Client) -> None:
    page = client.post(calculator("tarot", 4), {**TAKE, "points": "92"}).content.decode()
    assert 'value="92"' in page
    assert "92 points are not possible" in page


def test_markup_in_the_form_is_escaped(client: Client) -> None:
    page = client.post(calculator("tarot", 4), {**TAKE, "points": "<b>", "shown": "<script>"}).content.decode()
    assert "<b>" not in page
    assert "<script>" not in page
