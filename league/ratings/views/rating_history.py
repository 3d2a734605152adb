"""The pages of a player's rating in a game: the history by date, and the reasons for each change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from league.models import Table
from league.ratings.queries.leaderboard import computed_at
from league.ratings.queries.rating_change import explain_change
from league.ratings.queries.rating_steps import visible_step_filter, visible_steps
from league.web.game import game_or_404
from league.web.lookups import visible_players_or_404
from league.web.page_etags import conditional_page_of_all_clubs
from players.models import Player, RatingStep
from players.models.person import Viewer
from players.naming import visible_name
from players.rating.reasons import Reason, TableReasons
from players.rating.reference import START_RATING

STEPS_PER_PAGE = 25


@dataclass(frozen=True)
class OpponentLine:
    """The names of the opponents at a table, and the reason for the rating change from this result."""

    against: str
    reason: Reason


@dataclass(frozen=True)
class TableLines:
    """The part of a rating change that comes from one table.

    If the viewer may not see the table, `table` is None and its players have no names.
    """

    table: Table | None
    reasons: TableReasons
    partners: str
    lines: list[OpponentLine]


@conditional_page_of_all_clubs
def rating_history(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    person = _visible_player(request, pk)
    steps = visible_steps(person, game, request.user)
    context = {
        "person": person,
        "game": game_or_404(game, request.user),
        "computed": computed_at(game),
        "own": person.user_id is not None and person.user_id == request.user.pk,
        "page": Paginator(steps.order_by("-date"), STEPS_PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "league/ratings/rating_history.html", context)


@conditional_page_of_all_clubs
def rating_change_page(request: HttpRequest, pk: int, game: str, day: str) -> HttpResponse:
    person = _visible_player(request, pk)
    rated = game_or_404(game, request.user)
    until = RatingStep.objects.filter(player=person, game=game, date__lte=_parse_date(day))
    steps = list(until.annotate(is_visible=visible_step_filter(person, game, request.user)).order_by("-date")[:2])
    if not steps or steps[0].date != _parse_date(day) or not steps[0].is_visible:
        raise Http404
    before = steps[1].micro if steps[1:] else START_RATING
    tables = explain_change(person.pk, game, steps[0].date)
    context = {
        "person": person,
        "game": rated,
        "step": steps[0],
        "before": before,
        "change": steps[0].micro - before,
        "moved": sum(table.gain for table in tables),
        "tables": table_lines(tables, request.user),
    }
    return render(request, "league/ratings/rating_day.html", context)


def table_lines(changes: list[TableReasons], viewer: Viewer) -> list[TableLines]:
    """Return the lines for each table. Players at a table that the viewer may not see are called "another player"."""
    tables = Table.objects.visible_to(viewer).with_club().in_bulk([change.table for change in changes])
    visible_players = {
        player
        for change in changes
        if change.table in tables
        for player in (*change.partners, *(opponent for reason in change.reasons for opponent in reason.opponents))
    }
    names = {
        pk: visible_name(texts, pk)
        for pk, texts in Player.objects.filter(pk__in=visible_players).values_list("pk", "names")
    }
    return [
        TableLines(
            tables.get(change.table),
            change,
            _join_names(change.partners, names if change.table in tables else {}),
            [
                OpponentLine(_join_names(reason.opponents, names if change.table in tables else {}), reason)
                for reason in change.reasons
            ],
        )
        for change in changes
    ]


def _join_names(players: Iterable[int], names: Mapping[int, str]) -> str:
    return get_text_list([names.get(player, _("another player")) for player in players], _("and"))


def _visible_player(request: HttpRequest, pk: int) -> Player:
    [(person, is_known)] = visible_players_or_404(request.user, pk)
    if not is_known:
        raise Http404
    return person


def _parse_date(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise Http404 from error
    if day.isoformat() != text:
        raise Http404
    return day
