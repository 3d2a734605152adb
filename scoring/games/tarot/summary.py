"""The short description of a deal of tarot. It has every entry of the paper score sheet, for a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.tarot.handfuls import Handful
from scoring.games.tarot.one_for_one import OneForOneDeal
from scoring.games.tarot.passed import PassedDeal
from scoring.games.tarot.rules import Deal
from scoring.games.tarot.taker import TakerDeal
from scoring.games.tarot.words import CONTRACTS
from scoring.numbers import number_text

SMALL_TEXTS: Mapping[str, Promise] = {
    "attack": _("Small to the attack"),
    "defence": _("Small to the defence"),
}
HANDFUL_TEXTS: Mapping[str, Promise] = {
    "simple": _("handful %(name)s"),
    "double": _("double handful %(name)s"),
    "triple": _("triple handful %(name)s"),
}


def summary(deal: Deal, names: Sequence[str]) -> str:
    """Return the description: “Guard, Anne: 49.5 with 2 oudlers, Small to the attack, double handful Bruno”."""
    if isinstance(deal, PassedDeal):
        return gettext("Passed")
    return ", ".join(_taker_parts(deal, names) if isinstance(deal, TakerDeal) else _one_for_one_parts(deal, names))


def _taker_parts(deal: TakerDeal, names: Sequence[str]) -> Iterator[str]:
    params: dict[str, Any] = {
        "contract": gettext(CONTRACTS[deal.contract]),
        "taker": names[deal.taker],
        "points": number_text(deal.half_points / 2),
        "oudlers": deal.oudlers,
    }
    if deal.partner is not None:
        params["taker"] = f"{params['taker']} & {names[deal.partner]}"
    text = ngettext(
        "%(contract)s, %(taker)s: %(points)s with %(oudlers)s oudler",
        "%(contract)s, %(taker)s: %(points)s with %(oudlers)s oudlers",
        deal.oudlers,
    )
    yield text % params
    if deal.small_last:
        yield str(SMALL_TEXTS[deal.small_last])
    yield from _handful_parts(deal.handfuls, names)
    if deal.slam_announced:
        yield gettext("slam announced")
    if deal.slam:
        yield gettext("slam of the attack") if deal.slam == "attack" else gettext("slam of the defence")


def _one_for_one_parts(deal: OneForOneDeal, names: Sequence[str]) -> Iterator[str]:
    piles = []
    for index in deal.pile_order.order:
        pile = deal.piles[index]
        players = gettext(" & ").join(names[seat] for seat in deal.members[index])
        oudlers = pile.oudlers.bit_count()
        oudlers_text = ngettext("%(oudlers)s oudler", "%(oudlers)s oudlers", oudlers) % {"oudlers": oudlers}
        piles.append(f"{players} {number_text(pile.half_points / 2)}" + (f" ({oudlers_text})" if oudlers else ""))
    yield gettext("One for one, first %(piles)s") % {"piles": ", ".join(piles)}
    if deal.small_last is not None:
        yield gettext("Small to %(name)s") % {"name": names[deal.small_last]}
    yield from _handful_parts(deal.handfuls, names)
    if deal.slam is not None:
        yield gettext("slam of %(name)s") % {"name": names[deal.slam]}


def _handful_parts(handfuls: Sequence[Handful], names: Sequence[str]) -> Iterator[str]:
    for handful in handfuls:
        yield str(HANDFUL_TEXTS[handful.size]) % {"name": names[handful.seat]}
