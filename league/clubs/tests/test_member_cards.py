"""What a member wants to know at home. The usual deal is a take: +81, −27 for the others."""

from datetime import date, timedelta
from fractions import Fraction
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from league.actions import deals
from league.actions.attendance import record_intention
from league.actions.evenings import close
from league.clubs.queries.member_cards import MemberCard, PlayerDeal, member_home
from league.models import Club, Evening, Run, Season
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.recompute.work import runs
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "points": 37}  # 4 short of 41: −(25 + 4) × 3 = −87, +29
ENDS = 4  # deals: the minimum of a rated table


@pytest.fixture
def club() -> Club:
    return a_club()


def night() -> None:
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)


def card(player: Player, club: Club) -> MemberCard:
    [member_card] = member_home(player, [club], now=NOW).cards
    return member_card


def played(season: Season, players: list[Player], day: date, facts: dict[str, object] = TAKE) -> Evening:
    """Play a closed evening of one table whose last deal has these facts."""
    evening = an_evening(season, on=day)
    table = a_table(evening, players)
    for deal_facts in (*(TAKE,) * (ENDS - 1), facts):
        a_deal(table, deal_facts)
    return close(evening.pk, now=NOW)


def test_the_place_the_way_to_it_and_the_gap(club: Club) -> None:
    season = a_season(club, end_number=ENDS)
    ann, bob, *opponents = players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    played(season, players, NOW.date() - timedelta(days=14))  # Ann 324, the others −108
    played(season, [bob, *opponents, ann], NOW.date() - timedelta(days=7), LOST)  # Bob 156, the others −52
    night()
    member_card = card(opponents[0], club)
    assert member_card.standing
    assert (
        member_card.standing.rank,
        member_card.standing.rank_before,
        member_card.ranked,
        member_card.standing.total,
    ) == (3, 2, 4, -160)
    assert member_card.above
    assert (member_card.above.rank, str(member_card.above.name), member_card.above.points) == (2, "Bob", 208)
    assert card(ann, club).above is None
    member_card = card(bob, club)
    assert member_card.last
    assert member_card.last.own_row
    assert (member_card.last.own_row.rank, member_card.last.own_row.points, member_card.last.players) == (1, 156, 4)
    assert member_card.last.best
    assert (member_card.last.best.points, member_card.last.best.round, member_card.last.best.number) == (81, 1, 1)
    assert member_card.rating
    assert member_card.history[-1] == member_card.rating.points
    assert len(member_card.history) == 2


def test_a_mean_has_an_exact_gap(club: Club) -> None:
    season = a_season(
        club, end_number=ENDS, standings_rules={"worth": {"by": "average"}, "counts": {"which": "average"}}
    )
    _ann, bob, *_opponents = players = [a_player() for _ in range(4)]
    for week, facts in enumerate((TAKE, TAKE, LOST)):  # 81, 81, 39: 67 in the mean; −27, −27, −13: −67/3
        played(season, players, NOW.date() - timedelta(days=7 * week), facts)
    night()
    member_card = card(bob, club)
    assert member_card.above
    assert member_card.above.points == 67 + Fraction(67, 3)


def test_who_has_not_played_has_a_card_without_a_place(club: Club) -> None:
    season = a_season(club)
    member_card = card(a_member(club), club)
    assert (member_card.season, member_card.standing, member_card.last, member_card.above, member_card.next) == (
        season,
        None,
        None,
        None,
        None,
    )


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
    assert last.corrected == (PlayerDeal(first.pk, 1, 1, None),)
    stranger = a_member(club)
    assert card(stranger, club).last is None


def test_the_next_evening_and_who_comes(club: Club) -> None:
    season, today = a_season(club), NOW.date()
    member, opponent = a_member(club), a_member(club)
    an_evening(season, EveningState.PLANNED, today - timedelta(days=30))  # forgotten
    later = an_evening(season, EveningState.PLANNED, today + timedelta(days=14))
    soon = an_evening(season, EveningState.PLANNED, today + timedelta(days=7))
    record_intention(soon.pk, opponent.pk, comes=True)
    record_intention(later.pk, member.pk, comes=True)
    member_card = card(member, club).next
    assert member_card
    assert (member_card.evening, member_card.comes, member_card.coming) == (soon, None, 1)
    record_intention(soon.pk, member.pk, comes=False)
    member_card = card(member, club).next
    assert member_card
    assert (member_card.comes, member_card.coming) == (False, 1)


def test_only_running_seasons_of_the_clubs_have_cards_and_what_was_played_last_is_first(club: Club) -> None:
    players = [a_player() for _ in range(4)]
    old, new = (a_season(club, end_number=ENDS) for _ in range(2))
    played(new, players, NOW.date() - timedelta(days=9))
    played(old, players, NOW.date() - timedelta(days=2))
    a_season(club, state=SeasonState.DRAFT)
    a_season(a_club(public=True))
    tonight = an_evening(new)
    home = member_home(players[0], [club], now=NOW)
    assert [member_card.season for member_card in home.cards] == [old, new]
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
