"""A season of three evenings that different rules end differently.

Each evening is one table of Ann, Bea, Cid and Dan, and one deal. Ann takes 43 points with two oudlers twice: +81 for
her, −27 for each other. On the third Bea guards 61 points with two oudlers: +270 for her, −90 for each other.

    sum of points    Bea −27 − 27 + 270 = 216, Ann 81 + 81 − 90 = 72, Cid and Dan −27 − 27 − 90 = −144
    places 3-2-1     Ann 3 + 3 + 2 = 8, Bea 2 + 2 + 3 = 7, Cid and Dan 2 + 2 + 2 = 6
"""

from datetime import timedelta

from league.actions import evenings
from league.models import Season
from players.models import Player
from tests.build import NOW, TAKE, TODAY, a_deal, a_player, a_table, an_evening

GUARD = {"contract": "guard", "taker": 1, "points": 61, "oudlers": 2}


def three_evenings(season: Season) -> list[Player]:
    """Play them in a season of tarot whose tables end after one deal; return the four."""
    Season.objects.filter(pk=season.pk).update(end_number=1)
    people = [a_player(name, "Durand") for name in ("Ann", "Bea", "Cid", "Dan")]
    for week, facts in enumerate([TAKE, TAKE, GUARD], start=-3):
        evening = an_evening(season, on=TODAY + timedelta(weeks=week))
        a_deal(a_table(evening, people), facts)
        evenings.close(evening.pk, now=NOW)
    return people
