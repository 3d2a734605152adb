"""Two players side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.evenings.queries.evening_ranking import rankings_of
from league.models import Season, visible
from league.statistics.queries.comparison import (
    games_of,
    meetings,
    rating_histories,
    seasons_of_two,
    shared_evenings,
    with_places,
)
from league.statistics.queries.player_statistics import DealCounts, deal_counts_of, side_by_side
from league.statistics.queries.season_choice import chosen_season
from league.statistics.queries.tables_played import (
    LEAST,
    EveningSum,
    TablesPlayed,
    evening_sums,
    run_of_wins,
    tables_of,
)
from league.web.board_tags import board_of_all
from league.web.finding import players_seen
from league.web.line_chart import chart
from players.forms.search import SearchForm
from players.models import Player
from players.models.person import Reader
from scoring.game import find_game

PAGE = 10  # evenings
FOUND = 20  # names


class InShort(NamedTuple):
    """What a player's tables and deals say in a few numbers."""

    tables: int
    won: int
    run: int
    best_evening: EveningSum | None
    counted: DealCounts | None


def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Look for somebody to compare a player with; whoever looks at another's page is compared himself first."""
    [(person, _known)] = players_seen(request.user, pk)
    own = getattr(request.user, "player", None)
    search = _search(request.GET, person)
    if own is not None and own.pk != person.pk and "q" not in request.GET:
        return redirect("league:compare-with", person.pk, own.pk)
    found = _found(search.typed, person, request.user)
    context = {"person": person, "search": search, "typed": search.typed, "found": found, "most": FOUND}
    return render(request, "league/people/compare.html", context, status=422 if search.errors else 200)


@board_of_all
def compare_with(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """What both did in a game, in all seasons that the reader may see or in one of them."""
    if pk == other:
        raise Http404
    seen = players_seen(request.user, pk, other)
    people = [each.player for each in seen]
    first, second = people
    every = seasons_of_two(first, second, request.user)
    games = games_of(every)
    game = request.GET.get("game", "")
    if game not in games:
        game = max(games, key=games.__getitem__, default="")
    context = {"people": people, "first": first, "second": second, "games": [find_game(slug) for slug in games]}
    context["search"] = _search({}, first)
    if game:
        of_game = [each for each in every if each.season.game == game]
        chosen = chosen_season(request, (each.season for each in of_game))
        asked = [each for each in of_game if chosen in (None, each.season)]
        context |= {
            "game": find_game(game),
            "seasons": [each.season for each in of_game],
            "chosen": chosen,
            "places": asked,
            **_deals_and_tables(request, people, game, [each.season for each in asked]),
            **_ratings([each.player for each in seen if each.known], people, game, request.user),
        }
    return render(request, "league/people/comparison.html", context)


def _search(query: Mapping[str, Any], person: Player) -> SearchForm:
    return SearchForm(query, label=_("Compare %(person)s with") % {"person": person})


def _found(typed: str, person: Player, reader: Reader) -> list[Player]:
    """Return whom the typed words find, one more than are shown; nobody where nothing was typed."""
    if not typed:
        return []
    found = (
        visible.players(reader)
        .filter(pk__in=Player.objects.found_by(typed, known=visible.known_names(reader)))
        .exclude(pk=person.pk)
    )
    return list(found[: FOUND + 1])


def _deals_and_tables(
    request: HttpRequest, people: Sequence[Player], game: str, seasons: Sequence[Season]
) -> dict[str, Any]:
    """What their deals and tables of a game say; three queries."""
    first, second = people
    played = find_game(game)
    tables = tables_of(people, seasons, game)
    counted = deal_counts_of(people, seasons)
    own, other = (counted[each.pk].counts if each.pk in counted else {} for each in people)
    shared = shared_evenings(tables[first.pk], tables[second.pk], second)
    page = Paginator(shared, PAGE).get_page(request.GET.get("page"))
    ranked = rankings_of(each.evening for each in page.object_list)
    return {
        "short": [_in_short(tables[each.pk], counted.get(each.pk)) for each in people],
        "sections": side_by_side(played.statistics.sections, own, other),
        "meetings": meetings(tables[first.pk], second),
        "least": LEAST,
        "page": page,
        "evenings": with_places(page.object_list, ranked, first, second),
    }


def _in_short(tables: TablesPlayed, counted: DealCounts | None) -> InShort:
    best = max(evening_sums(tables), key=lambda evening: (evening.points, evening.date), default=None)
    return InShort(len(tables), tables.won, run_of_wins(tables).longest, best, counted)


def _ratings(known: Sequence[Player], people: Sequence[Player], game: str, reader: Reader) -> dict[str, Any]:
    """Their ratings, of those whom the reader may see; a chart where both have one. One query."""
    histories = rating_histories(known, game, reader)
    steps = [histories.get(each.pk, []) for each in people]
    lines = [[(step.date, step.points) for step in some] for some in steps]
    return {
        "ratings": [(each, some[-1].micro if some else None) for each, some in zip(people, steps, strict=True)],
        "chart": chart(lines[0], second_history=lines[1]) if all(lines) else None,
    }
