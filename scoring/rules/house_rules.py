from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.rules import reading

HouseRuleValue = str | int | bool | None


class Preset(NamedTuple):
    """A named set of house rules; a season's form can start with it.

    `words` is a sentence that describes the rules. `title` and `words` are marked for translation.
    """

    name: str
    title: str
    words: str
    options: Mapping[str, HouseRuleValue]


class HouseRule(NamedTuple):
    """One option of a game's rules. `choices` has its values with their texts, the default first.

    `label` and the texts are marked for translation. In JSON, null means the default, unless null is one of the
    choices. A rule with `sizes` applies only to tables of these sizes; without `sizes`, to all tables.
    """

    name: str
    label: str
    choices: Mapping[HouseRuleValue, str]
    sizes: tuple[int, ...] = ()

    def applies_to_any(self, sizes: Iterable[int]) -> bool:
        return not self.sizes or not set(self.sizes).isdisjoint(sizes)

    @property
    def default(self) -> HouseRuleValue:
        return next(iter(self.choices))

    def read(self, options: Mapping[str, object]) -> HouseRuleValue:
        """Return the rule's value in the house rules `options` (JSON): the default if it is missing. Raise IllegalDeal
        with the field "options.NAME".
        """
        value = options.get(self.name, self.default)
        if value is None:
            return None if None in self.choices else self.default
        choice: HouseRuleValue = reading.allowed_value(value, f"options.{self.name}", tuple(self.choices))
        return choice
