"""The evenings of one player in a season, and all evenings of the season, while its ranking is computed. No Django."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from league.standings.season import Id, PlayerEvening, SeasonEvening
from league.standings.worth import winners


class PlayerSeason:
    """A player's evenings in order of time, as three parallel lists: `indexes`, `results` and `values`.

    `indexes` are positions in the list of the season's evenings. `values` are numerators over the season's common
    denominator; None for an evening without a worth. `counted` and `dropped` are positions in these three lists; they
    are empty until the counted evenings are chosen.
    """

    __slots__ = ("counted", "dropped", "indexes", "player", "results", "values")

    def __init__(self, player: Id) -> None:
        self.player = player
        self.indexes: list[int] = []
        self.results: list[PlayerEvening] = []
        self.values: list[int | None] = []
        self.counted: list[int] = []
        self.dropped: list[int] = []

    def without_newest_evening(self, newest: int) -> PlayerSeason:
        """Return a copy without the season's newest evening, whose index is `newest`, if the player attended it. The
        lists `counted` and `dropped` are empty.
        """
        season = PlayerSeason(self.player)
        end = len(self.indexes) - (self.indexes[-1:] == [newest])
        season.indexes, season.results, season.values = self.indexes[:end], self.results[:end], self.values[:end]
        return season


class SeasonEvenings:
    """A season's evenings in order of time. The winners of each evening are computed only if a tie-break needs them."""

    def __init__(self, evenings: Sequence[SeasonEvening]) -> None:
        self.evenings = evenings

    @cached_property
    def winners(self) -> list[set[Id]]:
        return [winners(evening.results) for evening in self.evenings]
