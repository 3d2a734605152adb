"""The page of a game's rating rules: what past results say, and the choice with all that is due after it."""

from datetime import date, timedelta
from math import log

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.actions import rating_rules as rating_rules_action
from league.actions.pending_recomputes import next_nightly_run
from league.models import Evening, PendingRecompute, Run, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.ratings.queries import backtest_tables
from league.ratings.queries.backtest_tables import BacktestResult, backtest_game
from league.ratings.queries.game_ratings import table_length
from league.ratings.views import rating_rules
from league.recompute.work import runs
from players.models import Rating, RatingRules, User
from players.rating.backtest import LOG_LOSS_OF_CHANCE, RulesTrial
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.readers import give_password, signed_in

pytestmark = pytest.mark.django_db

BELOTE = {"taker": 0, "points": 90, "last_trick": "attack"}


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root@club.example", "a-long-enough-password"))
    give_password(client)
    return client


def address(game: str = "tarot", *, tried: bool = False) -> str:
    return reverse("league:rating-rules", args=[game], query={"try": 1} if tried else None)


def played(weeks: int, game: str = "tarot") -> list[Table]:
    """Return a table of the same four on the first of as many evenings, closed; the first seat wins each time."""
    season = a_season(a_club(), game, table_sizes=[4])
    four = [a_player() for _ in range(4)]
    tables = []
    for week in range(weeks):
        table = a_table(an_evening(season, on=TODAY + timedelta(weeks=week)), four)
        for _ in range(4):
            a_deal(table, BELOTE if game == "belote" else None)
        evenings.close(table.round.evening_id, now=NOW)
        tables.append(table)
    return tables


def marks() -> list[tuple[str, date | None, str]]:
    return list(PendingRecompute.objects.values_list("game", "date", "why"))


# Rating rows


def test_results_are_those_of_the_rows() -> None:
    played(2)
    an_evening(a_season(a_club()), EveningState.CLOSED)
    # Four deals weigh ½: K = 4/√3 × 4 × ½; the winner gained 3 × K × ½, each loser gave a third of it.
    difference = (3 + 1) * 8 / 3**0.5 / 2
    won, drawn = log(1 + 10 ** (-difference / 400)), log(2)
    club = backtest_game("tarot").trials[0]
    assert (club.rules, club.tables, club.pairs) == ("club", 2, 12)
    assert club.log_loss == pytest.approx((6 * drawn + 3 * won + 3 * drawn) / 12, abs=1e-6)


def test_partners_are_one_side() -> None:
    played(1, "belote")
    assert {(trial.tables, trial.pairs) for trial in backtest_game("belote").trials} == {(1, 1)}


def test_only_complete_tables_of_closed_evenings_count() -> None:
    season = a_season(a_club())
    open_table, short = a_table(an_evening(season)), a_table(an_evening(season, on=TODAY - timedelta(days=7)))
    for table, deals in [(open_table, 4), (short, 3)]:
        for _ in range(deals):
            a_deal(table)
    Evening.objects.filter(pk=short.round.evening_id).update(state=EveningState.CLOSED, closed_at=NOW, final_at=NOW)
    assert backtest_game("tarot").tables_available == 0


def test_of_many_tables_the_newest_are_tried(root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    played(3)
    assert "Only the newest" not in root.get(address(tried=True)).content.decode()
    monkeypatch.setattr(backtest_tables, "MAX_BACKTEST_TABLES", 2)
    tried = backtest_game("tarot")
    assert (tried.tables_used, tried.tables_available, tried.trials[0].tables) == (2, 3, 2)
    assert "Only the newest 2 of the game’s 3 tables" in root.get(address(tried=True)).content.decode()
    PendingRecompute.objects.all().delete()
    monkeypatch.setattr(backtest_tables, "MAX_BACKTEST_TABLES", 1)
    assert [trial.better_by for trial in backtest_game("tarot").trials] == [0, 0]  # from nobody on


# The choice


def test_choosing_marks_the_game_from_its_first_evening() -> None:
    played(2)
    played(1, "belote")
    PendingRecompute.objects.all().delete()
    rating_rules_action.choose_rules("tarot", "published", now=NOW)
    assert marks() == [("tarot", TODAY, "rating rules")]
    assert PendingRecompute.objects.get().not_before == next_nightly_run(NOW)
    assert table_length("tarot").rating_equation == "published"


def test_the_night_after_rates_by_the_new_rules() -> None:
    tables = played(1)
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    winner = Rating.objects.get(player=tables[0].seats.get(number=0).player_id)
    rating_rules_action.choose_rules("tarot", "published", now=NOW)
    runs.run(Run.Trigger.NIGHT, now=next_nightly_run(NOW))
    winner.refresh_from_db()
    # Published: four players are on the rung of 32, four deals two rungs below: 16 × ½ from each of the three.
    assert winner.micro == 1_024_000_000
    assert not PendingRecompute.objects.exists()


def test_choosing_what_is_chosen_marks_nothing() -> None:
    played(1)
    rating_rules_action.choose_rules("tarot", "published", now=NOW)
    PendingRecompute.objects.all().delete()
    rating_rules_action.choose_rules("tarot", "published", now=NOW)
    assert marks() == []


def test_game_without_an_evening_has_nothing_due() -> None:
    rating_rules_action.choose_rules("tarot", "published", now=NOW)
    assert marks() == []


def test_unknown_rules_leave_everything_as_it_was() -> None:
    played(1)
    PendingRecompute.objects.all().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        rating_rules_action.choose_rules("tarot", "elo", now=NOW)
    assert marks() == []
    assert not RatingRules.objects.exists()


# The page


def test_only_the_installations_admin_sees_it(client: Client) -> None:
    leaderboard = reverse("league:leaderboard", args=["tarot"])
    assert client.get(address()).status_code == 302
    signed_in(client, a_member(a_club(), Role.ADMIN))
    assert client.get(address()).status_code == 403
    assert client.post(address(), {"rules": "published"}).status_code == 403
    assert address() not in client.get(leaderboard).content.decode()
    assert not RatingRules.objects.exists()
    client.force_login(User.objects.create_superuser("root@club.example", "a-long-enough-password"))
    assert address() in client.get(leaderboard).content.decode()


def test_unknown_game_is_not_found(root: Client) -> None:
    assert root.get(address("bridge")).status_code == 404


def test_page_chooses(root: Client) -> None:
    played(1)
    PendingRecompute.objects.all().delete()
    assert "In force: Club: small stakes." in root.get(address()).content.decode()
    text = root.post(address(), {"rules": "published"}, follow=True).content.decode()
    assert "computed again in the coming night" in text
    assert "In force: Published by the game&#x27;s author." in text
    assert marks() == [("tarot", TODAY, "rating rules")]


def test_page_with_what_is_in_force_already_chooses_nothing(root: Client) -> None:
    played(1)
    PendingRecompute.objects.all().delete()
    text = root.post(address(), {"rules": "club"}, follow=True).content.decode()
    assert "coming night" not in text.split("</main>")[0].split("<form")[0]
    assert not RatingRules.objects.exists()
    assert marks() == []


@pytest.mark.parametrize("rules", ["elo", ""])
def test_page_refuses_other_rules(root: Client, rules: str) -> None:
    answer = root.post(address(), {"rules": rules})
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"rules"}
    assert not RatingRules.objects.exists()


def test_page_tries_when_asked(root: Client) -> None:
    played(2)
    assert "log-loss" not in root.get(address()).content.decode().lower()
    text = root.get(address(tried=True)).content.decode()
    assert text.count("2 rated tables are too few to tell these rules from a coin.") == 2
    assert "0.693" in text  # a coin's
    assert "±" not in text  # nor is that known


@pytest.mark.parametrize(
    ("loss", "words", "figure"),
    [
        (0.98, "On your 1,240 tables, these rules predict better than a coin by 2.0&nbsp;%.", "2.0"),
        (0.9996, "On your 1,240 tables, these rules predict no better than a coin.", "0.0"),
        (1.0004, "On your 1,240 tables, these rules predict no better than a coin.", "0.0"),
        (1.02, "On your 1,240 tables, these rules predict worse than a coin.", "−2.0"),
    ],
)
def test_page_says_in_words_what_the_figures_allow(
    root: Client, monkeypatch: pytest.MonkeyPatch, loss: float, words: str, figure: str
) -> None:
    trial = RulesTrial("published", 1240, 7440, loss * LOG_LOSS_OF_CHANCE, 0.01 * LOG_LOSS_OF_CHANCE)
    monkeypatch.setattr(rating_rules, "backtest_game", lambda _: BacktestResult([trial], 1240, 1240))
    text = " ".join(unbroken(root.get(address(tried=True))).split())
    assert words in text
    assert f'<td class="num">{figure}&nbsp;%</td><td class="num">±&nbsp;1.0&nbsp;%</td>' in text
    assert "Rated tables: 1,240; pairs of sides at them: 7,440" in text


# The repair pages


def repairs(name: str, *arguments: int) -> str:
    return reverse(f"admin:players_ratingrules_{name}", args=arguments)


def test_repair_page_asks_the_action(root: Client) -> None:
    played(1)
    PendingRecompute.objects.all().delete()
    assert root.post(repairs("add"), {"game": "tarot", "rules": "published"}).status_code == 302
    assert marks() == [("tarot", TODAY, "rating rules")]
    rating_rules = RatingRules.objects.get()
    root.post(repairs("change", rating_rules.pk), {"game": "belote", "rules": "club"})
    rating_rules.refresh_from_db()
    assert (rating_rules.game, rating_rules.rules) == ("tarot", "club")
    assert marks() == [("tarot", TODAY, "rating rules")] * 2


def test_repair_page_takes_no_choice_away(root: Client) -> None:
    rating_rules = rating_rules_action.choose_rules("tarot", "published", now=NOW)
    assert root.post(repairs("delete", rating_rules.pk), {"post": "yes"}).status_code == 403
