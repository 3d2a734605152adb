"""The house rules of tarot: what a season may choose (RULES.md, T6)."""

from typing import Literal, NamedTuple

from scoring.rules.reading import keyed, option

HALF_POINT_SHORT = ("lost", "void", "won")
SIX_PLAYER_PARTNER = ("called", "opposite")
BEST_MARGIN_FLOOR = (None, 0)
ONE_FOR_ONE_SMALL_LAST = (0, 10)


class Options(NamedTuple):
    """The house rules; the defaults are the documents as written."""

    half_point_short: Literal["lost", "void", "won"] = "lost"
    six_player_partner: Literal["called", "opposite"] = "called"
    best_margin_floor: Literal[0] | None = None
    one_for_one_small_last: Literal[0, 10] = 0


DEFAULT = Options()
NAMES = frozenset(Options._fields)


def read(raw: object) -> Options:
    """Options from the house rules' JSON, or IllegalDeal on "options.NAME"; null or {} gives the defaults."""
    if raw is None or raw == {}:
        return DEFAULT
    given = keyed(raw, "options", frozenset(), NAMES)
    return Options(
        option(given.get("half_point_short"), "options.half_point_short", HALF_POINT_SHORT),
        option(given.get("six_player_partner"), "options.six_player_partner", SIX_PLAYER_PARTNER),
        option(given.get("best_margin_floor"), "options.best_margin_floor", BEST_MARGIN_FLOOR),
        option(given.get("one_for_one_small_last"), "options.one_for_one_small_last", ONE_FOR_ONE_SMALL_LAST),
    )
