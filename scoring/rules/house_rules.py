"""House rules: what a season may choose, told once for the engine and for the form in which it is chosen."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.rules import reading

Value = str | int | bool | None


class HouseRule(NamedTuple):
    """One choice. `choices` are the values of the option with their words, the default first.

    `label` and the words are marked for translation. Null in JSON means the same as left out, unless it is a choice.
    A rule of `sizes` says something of tables with so many players only; of all, if there are none.
    """

    name: str
    label: str
    choices: Mapping[Value, str]
    sizes: tuple[int, ...] = ()

    def applies(self, sizes: Iterable[int]) -> bool:
        """Return whether it says something of tables of any of these sizes."""
        return not self.sizes or not set(self.sizes).isdisjoint(sizes)

    @property
    def default(self) -> Value:
        """The first choice."""
        return next(iter(self.choices))

    def read(self, given: Mapping[str, object]) -> Value:
        """Return the value among the given options. Raises IllegalDeal on "options.NAME"."""
        value = given.get(self.name, self.default)
        if value is None:
            return None if None in self.choices else self.default
        chosen: Value = reading.option(value, f"options.{self.name}", tuple(self.choices))
        return chosen
