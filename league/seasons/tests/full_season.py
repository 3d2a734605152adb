"""A season of 40 players and 20 evenings, as its standings are stored."""

from datetime import timedelta

from league.models import Club, Evening, Season, Standing, versions
from league.models.evening import EveningState
from tests.build import NOW, TODAY, a_player, a_season

PLAYERS, EVENINGS = 40, 20


def a_full_season(club: Club) -> Season:
    """Return an open season with results of up to three figures; up to seven of each player's evenings are dropped."""
    season = a_season(club, end_number=1)
    days = [TODAY - timedelta(weeks=EVENINGS - week) for week in range(EVENINGS)]
    closed = {"state": EveningState.CLOSED, "closed_at": NOW, "final_at": NOW}
    evenings = [Evening.objects.create(season=season, date=day, **closed) for day in days]
    for rank in range(1, PLAYERS + 1):
        player = a_player(f"Player{rank}", "Durand")
        club.memberships.create(player=player)
        Standing.objects.create(
            season=season,
            player=player,
            rank=rank,
            numerator=4000 - rank,
            evenings=EVENINGS,
            deals=4 * EVENINGS,
            worth={str(evening.pk): (rank * 37 + week * 91) % 700 - 200 for week, evening in enumerate(evenings)},
            counted=[evening.pk for evening in evenings[rank % 8 :]],
            rank_before=rank,
            arithmetic=versions.STANDINGS,
        )
    return season
