"""Properties of every game's counters; each game's tests call this.

Knows no game. Asserts, and answers nothing.
"""

from collections import Counter
from random import Random

from scoring import registry
from scoring.game import find_game
from scoring.statistics import Share

DEALS = 60  # of each table size


def check_statistics(slug: str) -> None:
    """Play a game's own deals, and check that each seat adds whole numbers, and that parts are within their wholes.

    Every counter that is shown is counted for somebody, at one of the game's table sizes.
    """
    game, play = find_game(slug), registry.play(slug)
    rules, options = game.rules, game.rules.read_options({})
    totals: Counter[str] = Counter()
    for seats in game.sizes:
        rng = Random(seats)
        skills = [rng.random() for _ in range(seats)]
        for _ in range(DEALS):
            deal = rules.read(seats, dict(play(rng, seats, skills, {}, ()).facts))
            points = rules.score(deal, options, *rules.carry_arguments((), options)).points
            tallies = game.statistics.count_deal(deal, options, points)
            assert len(tallies) == seats
            for tally in tallies:
                assert all(type(number) is int for number in tally.values())
                totals.update({"deals": 1, **tally})
    statistics = [statistic for section in game.statistics.sections for statistic in section.statistics]
    shares = [statistic for statistic in statistics if isinstance(statistic, Share)]
    assert all(0 <= totals[statistic.part] <= totals[statistic.whole] for statistic in shares)
    wholes = {statistic.whole if isinstance(statistic, Share) else statistic.number for statistic in statistics}
    assert {whole for whole in wholes if not totals[whole]} == set()
