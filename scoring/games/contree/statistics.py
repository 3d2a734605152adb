"""Counters of a deal of contrée for players' statistics. No Django. A passed deal adds to no counter here."""

from collections.abc import Sequence

from scoring.games.contree.options import Options
from scoring.games.contree.rules import Deal, is_made, roles
from scoring.rules.words import gettext_noop as _
from scoring.statistics import CounterIncrements, Mean, Section, Share, Statistics

LEVEL_LABELS = {
    "low": _("80 and 90"),
    "middle": _("100 and 110"),
    "high": _("120 and 130"),
    "highest": _("140 to 180, capot, générale"),
}


def tally(deal: Deal, options: Options, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    if deal.taker is None:
        return ({},) * len(points)
    contract_made = is_made(deal, options)
    return tuple(
        _seat_increments(deal, role, gained, contract_made=contract_made)
        for role, gained in zip(roles(deal), points, strict=True)
    )


def contract_level(contract: int | str) -> str:
    if isinstance(contract, str):
        return "highest"
    return {80: "low", 90: "low", 100: "middle", 110: "middle", 120: "high", 130: "high"}.get(contract, "highest")


def _seat_increments(deal: Deal, role: str, points: int, *, contract_made: bool) -> CounterIncrements:
    attacks = role != "defender"
    won = int(contract_made == attacks)
    counters = {"with_taker": 1, role: 1, f"{role}_points": points, f"{role}_won": won}
    if role == "taker":
        level = contract_level(deal.contract)
        counters |= {level: 1, f"{level}_won": won}
        if isinstance(deal.contract, str):
            counters |= {"capots": 1, "capots_won": won}
    if deal.double is not None:
        side = "doubled_attack" if attacks else "doubled_defence"
        counters |= {side: 1, f"{side}_won": won}
    if deal.all_tricks is not None and (deal.all_tricks != "defence") == attacks:
        counters["slams"] = 1
    if belotes := deal.belotes[0 if attacks else 1]:
        counters["belotes"] = belotes
    return counters


STATISTICS = Statistics(
    tally,
    (
        Section(
            _("As taker"),
            (
                Share(_("Deals taken"), "taker", "with_taker"),
                Share(_("Contracts made"), "taker_won", "taker"),
                Mean(_("Points a deal"), "taker_points", "taker"),
                Share(_("Capots and générales announced"), "capots", "taker"),
                Share(_("Capots and générales made"), "capots_won", "taker"),
            ),
        ),
        Section(
            _("Made, by contract"),
            tuple(Share(label, f"{level}_won", level) for level, label in LEVEL_LABELS.items()),
        ),
        Section(
            _("Doubled contracts"),
            (
                Share(_("Made, for the taker’s side"), "doubled_attack_won", "doubled_attack"),
                Share(_("Brought down, for the defence"), "doubled_defence_won", "doubled_defence"),
            ),
        ),
        Section(
            _("With and against the taker"),
            (
                Share(_("Contracts made by the partner"), "partner_won", "partner"),
                Mean(_("Points a deal as the taker’s partner"), "partner_points", "partner"),
                Share(_("Contracts brought down as a defender"), "defender_won", "defender"),
                Mean(_("Points a deal as a defender"), "defender_points", "defender"),
            ),
        ),
        Section(
            _("What the pair held"),
            (
                Mean(_("Belotes a deal"), "belotes", "with_taker"),
                Share(_("Every trick won"), "slams", "with_taker"),
            ),
        ),
    ),
)
