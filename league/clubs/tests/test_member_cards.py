"""What a member wants to know at home. The usual deal is a take: +81, −27 for the others."""

from datetime import date, timedelta
from fractions import Fraction
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from league.actions import deals
from league.actions.attendance import answer
from league.actions.evenings import close
from league.clubs.queries.member_cards import MemberCard, OwnDeal, member_home
from league.models import Club, Evening, Run, Season
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.recompute.work import runs
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "points": 37}  # 4 short of 41: −(25 + 4) × 3 = −87, +29
ENDS = 4  # deals: as many as a rated table has


@pytest.fixture
def club() -> Club:
    return a_club()


def night() -> None:
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)


def card(player: Player, club: Club) -> MemberCard:
    [found] = member_home(player, [club], now=NOW).cards
    return found


def played(season: Season, players: list[Player], on: date, facts: dict[str, object] = TAKE) -> Evening:
    """Return a closed evening with one table, of which the last deal has these facts."""
    evening = an_evening(season, on=on)
    table = a_table(evening, players)
    for each in (*(TAKE,) * (ENDS - 1), facts):
        a_deal(table, each)
    return close(evening.pk, now=NOW)


def test_the_place_the_way_to_it_and_the_gap(club: Club) -> None:
    season = a_season(club, end_number=ENDS)
    ann, bob, *others = players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    played(season, players, NOW.date() - timedelta(days=14))  # Ann 324, the others −108
    played(season, [bob, *others, ann], NOW.date() - timedelta(days=7), LOST)  # Bob 156, the others −52
    night()
    found = card(others[0], club)
    assert found.standing
    assert (found.standing.rank, found.standing.rank_before, found.ranked, found.standing.total) == (3, 2, 4, -160)
    assert found.above
    assert (found.above.rank, str(found.above.name), found.above.points) == (2, "Bob", 208)
    assert card(ann, club).above is None
    found = card(bob, club)
    assert found.last
    assert found.last.place
    assert (found.last.place.rank, found.last.place.points, found.last.players) == (1, 156, 4)
    assert found.last.best
    assert (found.last.best.points, found.last.best.round, found.last.best.number) == (81, 1, 1)
    assert found.rating
    assert found.history[-1] == found.rating.points
    assert len(found.history) == 2


def test_a_mean_has_an_exact_gap(club: Club) -> None:
    season = a_season(
        club, end_number=ENDS, standings_rules={"worth": {"by": "average"}, "counts": {"which": "average"}}
    )
    _ann, bob, *_others = players = [a_player() for _ in range(4)]
    for week, facts in enumerate((TAKE, TAKE, LOST)):  # 81, 81, 39: 67 in the mean; −27, −27, −13: −67/3
        played(season, players, NOW.date() - timedelta(days=7 * week), facts)
    night()
    found = card(bob, club)
    assert found.above
    assert found.above.points == 67 + Fraction(67, 3)


def test_who_has_not_played_has_a_card_without_a_place(club: Club) -> None:
    season = a_season(club)
    found = card(a_member(club), club)
    assert (found.season, found.standing, found.last, found.above, found.next) == (season, None, None, None, None)


@pytest.mark.django_db(transaction=True)
def test_a_deal_corrected_after_its_results_were_public_is_told(club: Club) -> None:
    players = [a_player() for _ in range(4)]
    evening = played(a_season(club, end_number=ENDS), players, NOW.date())
    last = card(players[1], club).last
    assert last
    assert last.corrected == ()
    first = evening.rounds.get().tables.get().dealt.get(number=1)
    deals.revise(first.pk, LOST, client_key=uuid4(), seen_version=first.version, now=NOW, reason="34")
    last = card(players[1], club).last
    assert last
    assert last.corrected == (OwnDeal(first.pk, 1, 1, None),)
    stranger = a_member(club)
    assert card(stranger, club).last is None


def test_the_next_evening_and_who_comes(club: Club) -> None:
    season, today = a_season(club), NOW.date()
    own, other = a_member(club), a_member(club)
    an_evening(season, EveningState.PLANNED, today - timedelta(days=30))  # forgotten
    later = an_evening(season, EveningState.PLANNED, today + timedelta(days=14))
    soon = an_evening(season, EveningState.PLANNED, today + timedelta(days=7))
    answer(soon.pk, other.pk, comes=True)
    answer(later.pk, own.pk, comes=True)
    found = card(own, club).next
    assert found
    assert (found.evening, found.comes, found.coming) == (soon, None, 1)
    answer(soon.pk, own.pk, comes=False)
    found = card(own, club).next
    assert found
    assert (found.comes, found.coming) == (False, 1)


def test_only_running_seasons_of_the_clubs_have_cards_and_what_was_played_last_is_first(club: Club) -> None:
    players = [a_player() for _ in range(4)]
    old, new = (a_season(club, end_number=ENDS) for _ in range(2))
    played(new, players, NOW.date() - timedelta(days=9))
    played(old, players, NOW.date() - timedelta(days=2))
    a_season(club, state=SeasonState.DRAFT)
    a_season(a_club(public=True))
    tonight = an_evening(new)
    home = member_home(players[0], [club], now=NOW)
    assert [each.season for each in home.cards] == [old, new]
    assert home.tonight == (tonight,)


def test_queries_do_not_grow(club: Club, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    players = [a_player() for _ in range(4)]
    for _ in range(3):
        season = a_season(club, end_number=ENDS)
        for week in range(3):
            played(season, players, NOW.date() - timedelta(days=7 * week))
    night()
    with django_assert_num_queries(4):  # seasons, evenings, ratings, rankings
        home = member_home(players[0], [club], now=NOW)
    assert len(home.cards) == 3
