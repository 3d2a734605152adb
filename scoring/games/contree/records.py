"""The records in contrée: générales, capots, redoubled contracts, every trick won by one pair, and most announcements
of belote and rebelote. No Django.
"""

from collections.abc import Iterator

from scoring.games.contree.options import Options
from scoring.games.contree.rules import CAPOT, GENERALE, Deal, is_made, roles
from scoring.records import RecordCandidate, Records
from scoring.rules.words import gettext_noop as _


def record_candidates(deal: Deal, options: Options) -> tuple[RecordCandidate, ...]:
    if deal.taker is None or (deal.all_tricks is None and deal.double != "redouble"):
        return ()  # nearly all deals
    return tuple(_candidates(deal, options))


def _candidates(deal: Deal, options: Options) -> Iterator[RecordCandidate]:
    attack = [seat for seat, role in enumerate(roles(deal)) if role != "defender"]
    contract_made = is_made(deal, options)
    if deal.contract == GENERALE and contract_made and deal.taker is not None:
        yield RecordCandidate("generale", deal.taker)
    for seat in range(4):
        attacks = seat in attack
        if attacks and contract_made:
            if deal.contract == CAPOT:
                yield RecordCandidate("capot", seat)
            if deal.double == "redouble":
                yield RecordCandidate("redoubled", seat)
        if deal.all_tricks is not None and (deal.all_tricks != "defence") == attacks:
            yield RecordCandidate("all_tricks", seat)


RECORDS = Records(
    record_candidates,
    {
        "generale": _("Générale made"),
        "capot": _("Capot announced and made"),
        "redoubled": _("Redoubled contract made"),
        "all_tricks": _("Every trick for a pair"),
    },
    {"slams": _("Most often every trick"), "belotes": _("Most often belote and rebelote")},
)
