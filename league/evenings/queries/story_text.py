"""The highlights of an evening as text: for its page, for link previews, and for a message to share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.evenings.queries.evening_ranking import RankingRow, podium, winners
from league.evenings.queries.evening_story import DealLocation, DealRemark, EveningHighlights, RankGain
from league.models import Evening
from players.dates import date_format
from players.naming import Audience, names_shown_to
from scoring.game import find_game
from scoring.numbers import localise, plural_number
from scoring.phrases import message_text

RANKING_ROWS_IN_MESSAGE = 10


class HighlightText(NamedTuple):
    """One highlight of an evening as text. `address` is the URL of its source (deal, table or standing), or ""."""

    label: str
    text: str
    address: str


class HighlightTexts(NamedTuple):
    """The highlights of an evening as text. `summary` is one sentence about the winner, `message` a text to share."""

    podium: tuple[RankingRow, ...]
    highlights: tuple[HighlightText, ...]
    summary: str
    message: str


def describe_highlights(
    evening: Evening, ranking: Sequence[RankingRow], story: EveningHighlights, rank_gain: RankGain | None, url: str
) -> HighlightTexts:
    """Return the highlights as text. `url` is the absolute URL of the evening's page, for the message to share."""
    highlights = tuple(_highlight_texts(evening, ranking, story, rank_gain))
    with names_shown_to(Audience.PUBLIC):  # these texts are forwarded
        summary = winner_sentence(ranking)
        message = "\n".join(
            _message_lines(evening, ranking, tuple(_highlight_texts(evening, ranking, story, rank_gain)), url)
        )
    return HighlightTexts(podium(ranking), highlights, summary, message)


def title(evening: Evening) -> str:
    """Return the evening's name and date, or the game and the date."""
    day = date_format(evening.date, "DATE_FORMAT")
    if evening.name:
        return f"{evening.name}, {day}"
    return _("%(game)s evening of %(date)s") % {"game": evening.season.game_title, "date": day}


def winner_sentence(ranking: Sequence[RankingRow]) -> str:
    winning_rows = winners(ranking)
    if not winning_rows:
        return _("No table was played.")
    players = ngettext("%(count)s player", "%(count)s players", len(ranking)) % {"count": len(ranking)}
    winner = {"name": ", ".join(str(row.name) for row in winning_rows), "points": localise(winning_rows[0].points)}
    text = ngettext(
        "Winner: %(name)s, %(points)s point. %(players)s.",
        "Winner: %(name)s, %(points)s points. %(players)s.",
        plural_number(winning_rows[0].points),
    )
    return text % {**winner, "players": players}


def _highlight_texts(
    evening: Evening, ranking: Sequence[RankingRow], story: EveningHighlights, rank_gain: RankGain | None
) -> Iterator[HighlightText]:
    names = {row.player: str(row.name) for row in ranking}
    if best := story.best:
        location = _location(best.location)
        words = {"name": names.get(best.player, "–"), "points": localise(best.points), "where": location}
        yield HighlightText(_("Best deal"), _("%(name)s, +%(points)s (%(where)s)") % words, _deal_url(best.location))
    if rank_gain:
        up = ngettext("%(name)s, up %(count)s place", "%(name)s, up %(count)s places", rank_gain.ranks_gained)
        address = reverse("league:standing", args=[evening.season_id, rank_gain.player])
        yield HighlightText(_("Biggest jump"), up % {"name": rank_gain.name, "count": rank_gain.ranks_gained}, address)
    if closest := story.closest:
        closest_words = {"round": closest.round, "table": closest.number, "points": localise(closest.spread)}
        text = ngettext(
            "round %(round)s, table %(table)s: %(points)s point between first and last",
            "round %(round)s, table %(table)s: %(points)s points between first and last",
            plural_number(closest.spread),
        )
        yield HighlightText(_("Closest table"), text % closest_words, reverse("league:table", args=[closest.table]))
    for number, remark in enumerate(story.remarks):
        label = _("Remarkable") if not number else ""
        yield HighlightText(label, _remark(evening, names, remark), _deal_url(remark.location))
    if count := story.more_remarks:
        yield HighlightText("", ngettext("and %(count)s more", "and %(count)s more", count) % {"count": count}, "")


def _remark(evening: Evening, names: dict[int, str], remark: DealRemark) -> str:
    players = [names.get(player, "–") for player in remark.players]
    words = message_text(find_game(evening.season.game), remark.remark.code, remark.remark.params, players)
    return f"{words} ({_location(remark.location)})"


def _location(location: DealLocation) -> str:
    words = {"round": location.round, "table": location.table, "number": location.number}
    return _("round %(round)s, table %(table)s, deal %(number)s") % words


def _deal_url(location: DealLocation) -> str:
    return reverse("league:deal", args=[location.deal])


def _message_lines(
    evening: Evening, ranking: Sequence[RankingRow], highlights: Sequence[HighlightText], url: str
) -> Iterator[str]:
    yield f"{evening.season.club} · {evening.season}"
    yield title(evening)
    yield ""
    for row in ranking[:RANKING_ROWS_IN_MESSAGE]:
        line = f"{row.rank}. {row.name} {localise(row.points)}"
        yield _("%(line)s, rested") % {"line": line} if row.rested else line
    if highlights:
        yield ""
    for highlight in highlights:
        if highlight.label:
            yield _("%(label)s: %(text)s") % {"label": highlight.label, "text": highlight.text}
    yield ""
    yield url
