"""An evening's story in words, for its page, for previews of its address and for a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.evenings.queries.evening_ranking import Ranked, winners
from league.evenings.queries.evening_story import EveningStory, Jump, ToldRemark, Where
from league.models import Evening
from players.dates import date_format
from players.naming import Audience, names_shown_to
from scoring.game import find_game
from scoring.numbers import localised, plural_number
from scoring.phrases import message_text

PODIUM = 3
MOST = 5  # who share the first places, at most so many are shown
LINES = 10  # places of a message


class StoryFact(NamedTuple):
    """What is told in a line: of what, in words, and the address where it is seen."""

    label: str
    text: str
    address: str


class ToldStory(NamedTuple):
    """An evening's story as its page tells it; `summary` is one sentence, `message` a text to send."""

    podium: tuple[Ranked, ...]
    facts: tuple[StoryFact, ...]
    summary: str
    message: str


def told(evening: Evening, ranking: Sequence[Ranked], story: EveningStory, jump: Jump | None, url: str) -> ToldStory:
    """Return the story of a closed evening in words; `url` is its whole address."""
    facts = tuple(_facts(evening, ranking, story, jump))
    with names_shown_to(Audience.PUBLIC):  # nobody knows where they are sent on to
        summary = _summary(ranking)
        message = "\n".join(_message(evening, ranking, tuple(_facts(evening, ranking, story, jump)), url))
    return ToldStory(
        podium=podium(ranking),
        facts=facts,
        summary=summary,
        message=message,
    )


def podium(ranking: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Return who shares the first three places, or the first of them where they are too many to be shown."""
    return tuple(place for place in ranking if place.rank <= PODIUM and place.tables)[:MOST]


def title(evening: Evening) -> str:
    """Return what the evening is called where nothing else says that it is one."""
    day = date_format(evening.date, "DATE_FORMAT")
    return f"{evening.name}, {day}" if evening.name else _("The evening of %(date)s") % {"date": day}


def _summary(ranking: Sequence[Ranked]) -> str:
    first = winners(ranking)
    if not first:
        return _("No table was played.")
    players = ngettext("%(count)s player", "%(count)s players", len(ranking)) % {"count": len(ranking)}
    winner = {"name": ", ".join(str(place.name) for place in first), "points": localised(first[0].points)}
    text = ngettext(
        "Winner: %(name)s, %(points)s point. %(players)s.",
        "Winner: %(name)s, %(points)s points. %(players)s.",
        plural_number(first[0].points),
    )
    return text % {**winner, "players": players}


def _facts(evening: Evening, ranking: Sequence[Ranked], story: EveningStory, jump: Jump | None) -> Iterator[StoryFact]:
    names = {place.player: str(place.name) for place in ranking}
    if best := story.best:
        words = {"name": names.get(best.player, "–"), "points": localised(best.points), "where": _where(best.where)}
        yield StoryFact(_("Best deal"), _("%(name)s, +%(points)s (%(where)s)") % words, _deal(best.where))
    if jump:
        up = ngettext("%(name)s, up %(count)s place", "%(name)s, up %(count)s places", jump.places)
        address = reverse("league:standing", args=[evening.season_id, jump.player])
        yield StoryFact(_("Biggest jump"), up % {"name": jump.name, "count": jump.places}, address)
    if closest := story.closest:
        apart = {"round": closest.round, "table": closest.number, "points": localised(closest.spread)}
        text = ngettext(
            "round %(round)s, table %(table)s: %(points)s point between first and last",
            "round %(round)s, table %(table)s: %(points)s points between first and last",
            plural_number(closest.spread),
        )
        yield StoryFact(_("Closest table"), text % apart, reverse("league:table", args=[closest.table]))
    for number, remark in enumerate(story.remarks):
        yield StoryFact(_("Remarkable") if not number else "", _remark(evening, names, remark), _deal(remark.where))
    if story.others:
        more = ngettext("and %(count)s more", "and %(count)s more", story.others) % {"count": story.others}
        yield StoryFact("", more, "")


def _remark(evening: Evening, names: dict[int, str], told: ToldRemark) -> str:
    players = [names.get(player, "–") for player in told.players]
    words = message_text(find_game(evening.season.game), told.remark.code, told.remark.params, players)
    return f"{words} ({_where(told.where)})"


def _where(where: Where) -> str:
    words = {"round": where.round, "table": where.table, "number": where.number}
    return _("round %(round)s, table %(table)s, deal %(number)s") % words


def _deal(where: Where) -> str:
    return reverse("league:deal", args=[where.deal])


def _message(evening: Evening, ranking: Sequence[Ranked], facts: Sequence[StoryFact], url: str) -> Iterator[str]:
    yield f"{evening.season.club} · {evening.season}"
    yield title(evening)
    yield ""
    for place in ranking[:LINES]:
        line = f"{place.rank}. {place.name} {localised(place.points)}"
        yield _("%(line)s, rested") % {"line": line} if place.rested else line
    if facts:
        yield ""
    for fact in facts:
        if fact.label:
            yield _("%(label)s: %(text)s") % {"label": fact.label, "text": fact.text}
    yield ""
    yield url
