from collections.abc import Mapping

# A parameter of a message. A tuple has seats or numbers.
Param = int | float | str | bool | None | tuple[int, ...]


class IllegalDeal(ValueError):
    """Facts, options or seats that the rules of the game do not allow.

    `field` is the name of a fact in RULES.md; names of nested facts have dots ("piles.2.oudlers"). `code` is the code
    of the message in the game's WORDS or in COMMON_WORDS; `params` fill the message's placeholders.
    """

    def __init__(self, field: str, code: str, params: Mapping[str, Param] | None = None) -> None:
        super().__init__(field, code, params)
        self.field = field
        self.code = code
        self.params: Mapping[str, Param] = params or {}

    def __str__(self) -> str:
        return f"{self.field}: {self.code} {dict(self.params)}"


class DoubtfulTotals(IllegalDeal):
    """The sum of the totals is probably a mistake. The page asks the user; the totals may be recorded nevertheless."""
