"""The one exception of the engine: facts that no deal can have."""

from collections.abc import Mapping

Param = int | float | str | bool | None | tuple[int, ...]


class IllegalDeal(ValueError):
    """Facts, options or seats that can't be read.

    `field` is the name as RULES.md spells it, nested ones with dots ("piles.2.oudlers").
    `code` is looked up in the game's WORDS, then in the kernel's; `params` fill its placeholders.
    """

    def __init__(self, field: str, code: str, params: Mapping[str, Param] | None = None) -> None:
        super().__init__(field, code, params)
        self.field = field
        self.code = code
        self.params: Mapping[str, Param] = params or {}

    def __str__(self) -> str:
        return f"{self.field}: {self.code} {dict(self.params)}"
