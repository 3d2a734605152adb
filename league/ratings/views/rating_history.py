"""A player's rating in a game: its history date by date, and each date's change opened into its pair lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from league.models import Table
from league.ratings.queries.leaderboard import computed_at
from league.ratings.queries.rating_change import explained
from league.ratings.queries.rating_steps import told, told_steps
from league.web.board_tags import board_of_all
from league.web.finding import players_seen
from players.models import Player, RatingStep
from players.naming import visible_name
from players.rating.reasons import Reason, TableReasons
from players.rating.reference import START
from scoring import registry
from scoring.game import Game, find_game

if TYPE_CHECKING:
    from players.models.person import Reader

PAGE = 25


@dataclass(frozen=True)
class OpponentLine:
    """A pair line, with its opponents' names."""

    against: str
    reason: Reason


@dataclass(frozen=True)
class TableLines:
    """A table's part of a change. `table` is None where the reader may not see it, and then nobody at it is named."""

    table: Table | None
    reasons: TableReasons
    partners: str
    lines: list[OpponentLine]


@board_of_all
def history(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """What each date made of the rating, the newest first."""
    person = _rated(request, pk)
    steps = told_steps(person, game, request.user)
    context = {
        "person": person,
        "game": _game(game),
        "computed": computed_at(game),
        "own": person.user_id is not None and person.user_id == request.user.pk,
        "page": Paginator(steps.order_by("-date"), PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "league/ratings/rating_history.html", context)


@board_of_all
def day(request: HttpRequest, pk: int, game: str, day: str) -> HttpResponse:
    """Why the rating changed on a date: recomputed from what everyone held before it."""
    person = _rated(request, pk)
    rated = _game(game)
    until = RatingStep.objects.filter(player=person, game=game, date__lte=_date(day))
    steps = list(until.annotate(told=told(person, game, request.user)).order_by("-date")[:2])
    if not steps or steps[0].date != _date(day) or not steps[0].told:
        raise Http404
    before = steps[1].micro if steps[1:] else START
    found = explained(person.pk, game, steps[0].date)
    context = {
        "person": person,
        "game": rated,
        "step": steps[0],
        "before": before,
        "change": steps[0].micro - before,
        "moved": sum(table.gain for table in found),
        "tables": table_lines(found, request.user),
    }
    return render(request, "league/ratings/rating_day.html", context)


def table_lines(found: list[TableReasons], reader: Reader) -> list[TableLines]:
    """The tables as the reader may see them: at those that he may not open, everyone is "another player"."""
    tables = Table.objects.visible_to(reader).with_club().in_bulk([each.table for each in found])
    named = {
        player
        for each in found
        if each.table in tables
        for player in (*each.partners, *(one for reason in each.reasons for one in reason.opponents))
    }
    names = {
        pk: visible_name(texts, pk) for pk, texts in Player.objects.filter(pk__in=named).values_list("pk", "names")
    }
    return [
        TableLines(
            tables.get(each.table),
            each,
            _named(each.partners, names if each.table in tables else {}),
            [
                OpponentLine(_named(reason.opponents, names if each.table in tables else {}), reason)
                for reason in each.reasons
            ],
        )
        for each in found
    ]


def _named(players: Iterable[int], names: Mapping[int, str]) -> str:
    return get_text_list([names.get(player, _("another player")) for player in players], _("and"))


def _rated(request: HttpRequest, pk: int) -> Player:
    """Return a player whose ratings the reader may see."""
    [(person, known)] = players_seen(request.user, pk)
    if not known:
        raise Http404
    return person


def _game(slug: str) -> Game:
    try:
        return find_game(slug)
    except registry.UnknownGame as unknown:
        raise Http404 from unknown


def _date(written: str) -> date:
    """A date as its page's address writes it, and in no other way."""
    try:
        found = date.fromisoformat(written)
    except ValueError as wrong:
        raise Http404 from wrong
    if found.isoformat() != written:
        raise Http404
    return found
