"""The SELECTs by which seasons' closed evenings are read as arrays, and how arrays of ids are looked up in others."""

from __future__ import annotations

from typing import Final

import numpy as np

from players.rating.careers import Flags, Ints

# To be read beside others as "held", with the seasons' ids and the last date.
HELD: Final = """
    SELECT id, season_id, date, weight, season_final FROM league_evening
    WHERE season_id = ANY (%s) AND state = 'closed' AND date <= %s
"""
# Their rounds: beside others as "sat".
SAT: Final = """
    SELECT id, evening_id, number, state FROM league_round WHERE evening_id = ANY (ARRAY (SELECT id FROM held))
"""
OF_ROUNDS: Final = "seat.round_id = ANY (ARRAY (SELECT id FROM sat))"
# Evening and player of those who left before the last round, where the season places them last; with a parameter that
# says so instead of the season: 'last', 'ranked', or NULL.
LEFT: Final = """
    SELECT there.evening_id, there.player_id FROM league_attendance there
    JOIN (SELECT evening_id, max(number) AS number FROM sat WHERE state = 'accepted' GROUP BY evening_id) last
    USING (evening_id)
    WHERE there.to_round < last.number AND there.evening_id = ANY (ARRAY (
        SELECT held.id FROM held JOIN league_season s ON s.id = held.season_id
        WHERE coalesce(%s::text, s.leavers) = 'last'
    ))
"""


def places_among(ids: Ints, wanted: Ints) -> Ints:
    """Return where each of `wanted`, all of which are there, stands among `ids`."""
    order = np.argsort(ids)
    found: Ints = order[np.searchsorted(ids[order], wanted)] if len(ids) else wanted
    return found


def is_among(ascending: Ints, some: Ints) -> Flags:
    """Return which of the first, no two of which are equal, are among the others."""
    found = np.zeros(len(ascending), np.bool_)
    if len(ascending):
        at = np.searchsorted(ascending, some)
        found[at[ascending.take(at, mode="clip") == some]] = True
    return found
