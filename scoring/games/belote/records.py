"""The records in belote: every trick won by one pair, and most announcements of belote and rebelote. No Django."""

from scoring.games.belote.options import Options
from scoring.games.belote.rules import Deal, roles
from scoring.records import RecordCandidate, Records
from scoring.rules.words import gettext_noop as _


def record_candidates(deal: Deal, options: Options) -> tuple[RecordCandidate, ...]:
    if deal.taker is None or deal.all_tricks is None:
        return ()
    defends = deal.all_tricks == "defence"
    return tuple(
        RecordCandidate("all_tricks", seat) for seat, role in enumerate(roles(deal)) if (role == "defender") == defends
    )


RECORDS = Records(
    record_candidates,
    {"all_tricks": _("Every trick for a pair")},
    {"slams": _("Most often every trick"), "belotes": _("Most often belote and rebelote")},
)
