"""A game by totals (a club's own game, without deals) as the pages use it. The club's definition replaces name, table
sizes and options.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.game import Game
from scoring.row_codes import Column, RowCodes
from scoring.totals.rules import RULES, refuse_deal


def no_columns(seats: int) -> tuple[Column, ...]:
    return ()


GAME = Game(
    name=_("Game by totals"),
    lead=_("Your club’s own game: only the totals of a table are entered."),
    rules=RULES,
    deal_form=refuse_deal,
    row=RowCodes(columns=no_columns, parse=refuse_deal, format_cells=refuse_deal),
    summary=refuse_deal,
    ends={"deals": 8, "minutes": 60, "hand": None},
    has_deals=False,
)
