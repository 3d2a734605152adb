"""The records in Two Way Street: every trick won by one player, most hands with points, most duels won. No
Django.
"""

from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.hands import Hands
from scoring.games.two_way_street.rules import Options
from scoring.records import RecordCandidate, Records
from scoring.rules.words import gettext_noop as _


def record_candidates(deal: Hands | Duel, options: Options) -> tuple[RecordCandidate, ...]:
    """Return the player who won every trick of a hand. A duel has no candidates."""
    if isinstance(deal, Duel):
        return ()
    tricks = sum(hand.tricks for hand in deal.hands)
    return tuple(
        RecordCandidate(f"every_trick_{hand.call}", seat)
        for seat, hand in enumerate(deal.hands)
        if tricks and hand.tricks == tricks
    )


RECORDS = Records(
    record_candidates,
    {"every_trick_high": _("Every trick, high"), "every_trick_low": _("Every trick, low")},
    {"hands_scored": _("Most hands that gave points"), "duels_won": _("Most duels won")},
)
