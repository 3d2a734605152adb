"""Tables with simulated deals: some deals are simulated by playing cards, and then reused at many tables."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from bench.copying import copy_in
from bench.totals import GAMES
from league.models import Deal, Score
from scoring import registry

Ints = NDArray[np.int64]

GAME = GAMES[0]
HANDS, SEATS = 300, 4
SEED = 20
BATCH = 2000


class Hand(NamedTuple):
    """A simulated deal: its facts (JSON), and each seat's role and points. `doubted`: the rules have a warning."""

    facts: dict[str, Any]
    roles: tuple[str, ...]
    points: tuple[int, ...]
    doubted: bool


class SeasonDeals(NamedTuple):
    """The deals of several tables, as arrays. `tables` and `seats` are ids.

    `hands` are indexes of the list `hands()`, by table and deal. `points` are sums by table and seat.
    """

    tables: Ints
    seats: Ints
    hands: Ints
    points: Ints


@cache
def hands() -> list[Hand]:
    """Return 300 simulated deals under the default rules. They are the same at every start."""
    rng, rules, play = Random(SEED), registry.rules(GAME), registry.play(GAME)
    options, dealt_hands = rules.read_options({}), []
    for _ in range(HANDS):
        facts = play(rng, SEATS, [rng.random() for _ in range(SEATS)]).facts
        played = rules.play(SEATS, facts, options)
        dealt_hands.append(Hand(facts, played.roles, played.points, bool(played.warnings)))
    return dealt_hands


def choose_random_deals(rng: np.random.Generator, tables: Ints, seats: Ints, deals: int) -> SeasonDeals:
    """Return `deals` deals for each table, chosen at random from `hands()`. `tables` and `seats` are ids."""
    which = rng.integers(0, HANDS, (len(tables), deals))
    return SeasonDeals(tables, seats, which, np.array([hand.points for hand in hands()])[which].sum(axis=1))


def record(dealt: list[SeasonDeals]) -> int:
    """Store the deals with their history and scores. Return the number of deals."""
    rng, many = Random(SEED), 0
    for tables, seats, which, _points in dealt:
        deals = [
            Deal(
                table_id=table,
                number=number,
                facts=hands()[hand].facts,
                doubted=hands()[hand].doubted,
                client_key=_key(rng),
            )
            for table, of_table in zip(tables.tolist(), which.tolist(), strict=True)
            for number, hand in enumerate(of_table, start=1)
        ]
        Deal.objects.bulk_create(deals, batch_size=BATCH)
        _scores(seats, which, np.array([deal.pk for deal in deals]).reshape(which.shape))
        many += len(deals)
    return many


def _scores(seats: Ints, which: Ints, deals: Ints) -> None:
    """Store the scores of a batch of deals, one COPY per role, because a text is the same in all rows of a COPY."""
    roles = np.array([hand.roles for hand in hands()])[which]
    points = np.array([hand.points for hand in hands()])[which]
    every_seat = np.repeat(seats[:, np.newaxis, :], which.shape[1], axis=1)
    every_deal = np.repeat(deals[:, :, np.newaxis], SEATS, axis=2)
    for role in np.unique(roles).tolist():
        rows = roles == role
        score_columns = {"deal_id": every_deal[rows], "seat_id": every_seat[rows], "points": points[rows], "role": role}
        copy_in(Score, int(rows.sum()), {"id": _ids(Score, int(rows.sum())), **score_columns})


def _ids(model: type[Score], rows: int) -> Ints:
    """Return new ids from the sequence of the model's table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [model._meta.db_table, rows]
        )
        return np.array(cursor.fetchall()).ravel()


def _key(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)
