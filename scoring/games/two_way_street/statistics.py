"""Counters of a deal of Two Way Street for players' statistics. No Django."""

from collections.abc import Sequence

from scoring.games.two_way_street import duel
from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.hands import Hands
from scoring.games.two_way_street.rules import Options
from scoring.rules.words import gettext_noop as _
from scoring.statistics import CounterIncrements, Mean, Section, Share, Statistics


def tally(deal: Hands | Duel, options: Options, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    if isinstance(deal, Duel):
        winner = duel.winner(deal)
        return tuple(
            {"duels": 1, "duels_won": int(seat == winner), "duel_points": gained} for seat, gained in enumerate(points)
        )
    return tuple(
        _hand_increments(hand.call, hand.forced, gained) for hand, gained in zip(deal.hands, points, strict=True)
    )


def _hand_increments(call: str, forced: bool, points: int) -> CounterIncrements:
    counters = {"hands": 1, call: 1, f"{call}_points": points, "hand_points": points, "hands_scored": int(points > 0)}
    kind = "forced" if forced else "declared"
    return counters | {f"{call}_scored": int(points > 0), kind: 1, f"{kind}_scored": int(points > 0)}


STATISTICS = Statistics(
    tally,
    (
        Section(
            _("Hands"),
            (
                Share(_("Hands that gave points"), "hands_scored", "hands"),
                Mean(_("Points a hand"), "hand_points", "hands"),
            ),
        ),
        Section(
            _("High and low"),
            (
                Share(_("Played high"), "high", "hands"),
                Share(_("High that gave points"), "high_scored", "high"),
                Mean(_("Points a hand, high"), "high_points", "high"),
                Share(_("Low that gave points"), "low_scored", "low"),
                Mean(_("Points a hand, low"), "low_points", "low"),
            ),
        ),
        Section(
            _("Declared and forced"),
            (
                Share(_("Forced"), "forced", "hands"),
                Share(_("Declared hands that gave points"), "declared_scored", "declared"),
                Share(_("Forced hands that gave points"), "forced_scored", "forced"),
            ),
        ),
        Section(
            _("Duels"),
            (
                Share(_("Duels won"), "duels_won", "duels"),
                Mean(_("Points a duel"), "duel_points", "duels"),
            ),
        ),
    ),
)
