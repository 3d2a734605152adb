"""Sentences for the warnings of a draw. `league.draw` defines the codes of the warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.draw.draw_types import DrawWarning

SECOND_MEETING = 2  # number of meetings in the evening; second meetings are frequent, so they share one sentence

WARNING_TEXTS = {
    "met_tonight": _("%(players)s meet again, %(times)s times this evening."),
    "partners_again": _("%(players)s are partners again, %(times)s times this evening."),
    "apart": _("%(players)s are to be kept apart and sit at one table."),
    "partners_apart": _("%(players)s came as a pair and are not partners."),
    "drawn_apart": _("%(players)s were drawn as partners for the evening and are not partners here."),
    "size": _("Table %(table)s has a size that the season doesn't have."),
    "odd_again": _("%(players)s sits at a table of an unusual size again, %(times)s times this evening."),
    "resting_again": _("%(players)s sits out again, %(times)s times this evening."),
    "fixed_table": _("%(players)s can't sit at the fixed table."),
    "unseated": _("%(players)s is there and has no seat."),
    "absent": _("%(players)s has a seat and is not there in this round."),
    "seated_twice": _("%(players)s has two seats."),
}


def warning_sentences(warnings: Iterable[DrawWarning], names: Mapping[int, str]) -> dict[int, list[str]]:
    """Return the warnings as {round number: sentences}. `names` maps player ids to names.

    All pairs of a round that meet for the second time share one sentence.
    """
    by_round: dict[int, list[str]] = {}
    second_meetings: dict[int, list[str]] = {}
    for warning in warnings:
        sentences = by_round.setdefault(warning.round, [])
        if warning.code == "met_tonight" and warning.times == SECOND_MEETING:
            second_meetings.setdefault(warning.round, []).append(
                gettext(" & ").join(names.get(player, "?") for player in warning.players)
            )
        else:
            sentences.append(_sentence(warning, names))
    for number, pairs in second_meetings.items():
        text = ngettext(
            "%(number)s pair meets again: %(pairs)s.", "%(number)s pairs meet again: %(pairs)s.", len(pairs)
        )
        by_round[number].append(text % {"number": len(pairs), "pairs": ", ".join(pairs)})
    return by_round


def _sentence(warning: DrawWarning, names: Mapping[int, str]) -> str:
    players = get_text_list([names.get(player, "?") for player in warning.players], gettext("and"))
    return str(WARNING_TEXTS[warning.code] % {"players": players, "table": warning.table, "times": warning.times})
