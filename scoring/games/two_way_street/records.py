"""What is worth a record in Two Way Street: every trick for one player, hands and duels. Pure."""

from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.hands import Hands
from scoring.games.two_way_street.rules import Options
from scoring.records import Feat, Records
from scoring.rules.words import gettext_noop as _


def feats(deal: Hands | Duel, options: Options) -> tuple[Feat, ...]:
    """Return who won every trick; in a duel everybody wins some."""
    if isinstance(deal, Duel):
        return ()
    tricks = sum(hand.tricks for hand in deal.hands)
    every = [(seat, hand.call) for seat, hand in enumerate(deal.hands) if tricks and hand.tricks == tricks]
    return tuple(Feat(f"every_trick_{call}", seat) for seat, call in every)


RECORDS = Records(
    feats,
    {"every_trick_high": _("Every trick, high"), "every_trick_low": _("Every trick, low")},
    {"hands_scored": _("Most hands that gave points"), "duels_won": _("Most duels won")},
)
