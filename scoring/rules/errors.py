from collections.abc import Mapping

Param = int | float | str | bool | None | tuple[int, ...]


class IllegalDeal(ValueError):
    """Facts, options or seats that the rules do not allow.

    `field` is a name of RULES.md, nested with dots ("piles.2.oudlers"). `code` has its text in the game's WORDS or in
    KERNEL; `params` fill the placeholders.
    """

    def __init__(self, field: str, code: str, params: Mapping[str, Param] | None = None) -> None:
        super().__init__(field, code, params)
        self.field = field
        self.code = code
        self.params: Mapping[str, Param] = params or {}

    def __str__(self) -> str:
        return f"{self.field}: {self.code} {dict(self.params)}"


class DoubtfulTotals(IllegalDeal):
    """The sum of the totals is probably a mistake. The desk asks the user, who may record them."""
