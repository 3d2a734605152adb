"""Properties of every game's records; each game's tests call this.

Knows no game. Asserts, and answers nothing.
"""

from random import Random

from scoring import registry
from scoring.game import find_game

DEALS = 60  # of each table size


def check_records(slug: str) -> None:
    """Play a game's own deals, and check that each candidate has its words and a seat, and each counter a number."""
    game, play = find_game(slug), registry.play(slug)
    counters: set[str] = set()
    options = game.rules.read_options({})
    for seats in game.sizes:
        rng = Random(seats)
        for _ in range(DEALS):
            facts = dict(play(rng, seats, [rng.random() for _ in range(seats)], {}, ()).facts)
            deal = game.rules.read(seats, facts)
            for candidate in game.records.candidates(deal, options):
                assert candidate.record in game.records.deal_record_titles
                assert 0 <= candidate.seat < seats
            for tally in game.statistics.count_deal(deal, options, (0,) * seats):
                counters.update(tally)
    shown_counters = {
        name for section in game.statistics.sections for statistic in section.statistics for name in statistic[1:]
    }
    assert set(game.records.counter_record_titles) <= counters | shown_counters
