"""Sentences about remarkable deals of tarot: slams and handfuls. No Django."""

from collections.abc import Iterator
from typing import Any

from scoring.games.tarot.handfuls import Handful
from scoring.games.tarot.one_for_one import OneForOneDeal
from scoring.games.tarot.taker import TakerDeal
from scoring.remarks import Remark, Remarks
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

SLAM_WEIGHT = 4
HANDFUL_WEIGHTS = {"triple": 3, "double": 2, "simple": 1}

WORDS: Words = {
    "remark_slam": _("Slam of %(seats)s"),
    "remark_slam_of_defence": _("Slam of the defence against %(seat)s"),
    "remark_triple_handful": _("Triple handful of %(seat)s"),
    "remark_double_handful": _("Double handful of %(seat)s"),
    "remark_simple_handful": _("Handful of %(seat)s"),
}


def remarks(deal: Any) -> tuple[Remark, ...]:
    if not isinstance(deal, TakerDeal | OneForOneDeal):
        return ()
    slams = _slam_remarks_with_taker(deal) if isinstance(deal, TakerDeal) else _slam_remarks_one_for_one(deal)
    return (*slams, *(_handful_remark(handful) for handful in deal.handfuls))


def _slam_remarks_with_taker(deal: TakerDeal) -> Iterator[Remark]:
    if deal.slam == "attack":
        seats = (deal.taker,) if deal.partner is None else (deal.taker, deal.partner)
        yield Remark("remark_slam", {"seats": seats}, SLAM_WEIGHT)
    elif deal.slam == "defence":
        yield Remark("remark_slam_of_defence", {"seat": deal.taker}, SLAM_WEIGHT)


def _slam_remarks_one_for_one(deal: OneForOneDeal) -> Iterator[Remark]:
    if deal.slam is not None:
        yield Remark("remark_slam", {"seats": tuple(deal.members[deal.pile_of(deal.slam)])}, SLAM_WEIGHT)


def _handful_remark(handful: Handful) -> Remark:
    return Remark(f"remark_{handful.size}_handful", {"seat": handful.seat}, HANDFUL_WEIGHTS[handful.size])


REMARKS = Remarks(remarks, WORDS, frozenset(("remark_slam", "remark_slam_of_defence")))
