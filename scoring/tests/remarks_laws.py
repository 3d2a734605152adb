"""What holds for what every game finds remarkable: each game's tests call this with deals of its own players.

Knows no game. Asserts, and answers nothing.
"""

from random import Random

from scoring import registry
from scoring.game import find_game
from scoring.phrases import message_text

DEALS = 60  # of each table size


def check_remarks(slug: str) -> None:
    """Check that each remark of simulated deals has a text, players of the deal, and a weight."""
    game, play = find_game(slug), registry.play(slug)
    for seats in game.sizes:
        rng = Random(seats)
        names = [f"Player {seat}" for seat in range(seats)]
        for _ in range(DEALS):
            deal = game.rules.read(seats, dict(play(rng, seats, [rng.random() for _ in names], {}, ()).facts))
            for remark in game.remarks.find_remarks(deal):
                assert remark.weight > 0
                assert "Player" in message_text(game, remark.code, remark.params, names)
