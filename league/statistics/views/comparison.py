from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.evenings.queries.evening_ranking import rankings_by_id
from league.models import Season, visible
from league.seasons.queries.season_game import visible_games
from league.statistics.queries.comparison import (
    add_ranks,
    compare_shared_tables,
    compared_seasons,
    count_shared_seasons,
    rating_histories,
    shared_evenings,
)
from league.statistics.queries.player_statistics import DealCounts, compare_sections, deal_counts_of
from league.statistics.queries.season_choice import chosen_season
from league.statistics.queries.tables_played import (
    MIN_SHARED_TABLES,
    EveningSum,
    TablesPlayed,
    evening_sums,
    run_of_wins,
    tables_by_player,
)
from league.web.line_chart import rating_chart
from league.web.lookups import visible_players_or_404
from league.web.page_etags import conditional_page_of_all_clubs
from players.forms.search import SearchForm
from players.models import Player
from players.models.person import Viewer
from scoring.game import Game

EVENINGS_PER_PAGE = 10
MAX_MATCHES = 20  # players that the search lists


class ComparisonSummary(NamedTuple):
    tables: int
    won: int
    run: int
    best_evening: EveningSum | None
    deal_counts: DealCounts | None


def choose_opponent(request: HttpRequest, pk: int) -> HttpResponse:
    [(person, _is_known)] = visible_players_or_404(request.user, pk)
    own_player = getattr(request.user, "player", None)
    search = _search_form(request.GET, person)
    if own_player is not None and own_player.pk != person.pk and "q" not in request.GET:
        return redirect("league:compare-with", person.pk, own_player.pk)
    matches = _search_players(search.search_text, person, request.user)
    context = {"person": person, "search": search, "typed": search.search_text, "found": matches, "most": MAX_MATCHES}
    return render(request, "league/people/compare.html", context, status=422 if search.errors else 200)


@conditional_page_of_all_clubs
def compare_players(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    if pk == other:
        raise Http404
    visible_players = visible_players_or_404(request.user, pk, other)
    people = [row.player for row in visible_players]
    first, second = people
    seasons_of_both = compared_seasons(first, second, request.user)
    games = count_shared_seasons(seasons_of_both)
    played = visible_games(games, request.user)
    game = request.GET.get("game", "")
    if game not in games:
        game = max(games, key=games.__getitem__, default="")
    context = {"people": people, "first": first, "second": second, "games": list(played.values())}
    context["search"] = _search_form({}, first)
    if game:
        of_game = [row for row in seasons_of_both if row.season.game_key == game]
        season = chosen_season(request, (row.season for row in of_game))
        selected = [row for row in of_game if season in (None, row.season)]
        context |= {
            "game": played[game],
            "seasons": [row.season for row in of_game],
            "chosen": season,
            "places": selected,
            **_deals_and_tables_context(request, people, played[game], [row.season for row in selected]),
            **_ratings_context([row.player for row in visible_players if row.known], people, game, request.user),
        }
    return render(request, "league/people/comparison.html", context)


def _search_form(query: Mapping[str, Any], person: Player) -> SearchForm:
    return SearchForm(query, label=_("Compare %(person)s with") % {"person": person})


def _search_players(typed: str, person: Player, viewer: Viewer) -> list[Player]:
    if not typed:
        return []
    players = (
        visible.players(viewer)
        .filter(pk__in=Player.objects.search(typed, known_players=visible.players_with_member_names(viewer)))
        .exclude(pk=person.pk)
    )
    return list(players[: MAX_MATCHES + 1])


def _deals_and_tables_context(
    request: HttpRequest, people: Sequence[Player], game: Game, seasons: Sequence[Season]
) -> dict[str, Any]:
    first, second = people
    tables = tables_by_player(people, seasons, game.slug)
    counts = deal_counts_of(people, seasons)
    first_counts, second_counts = (counts[player.pk].counts if player.pk in counts else {} for player in people)
    shared = shared_evenings(tables[first.pk], tables[second.pk], second)
    page = Paginator(shared, EVENINGS_PER_PAGE).get_page(request.GET.get("page"))
    ranked = rankings_by_id(evening.evening for evening in page.object_list)
    return {
        "short": [_summary(tables[player.pk], counts.get(player.pk)) for player in people],
        "sections": compare_sections(game.statistics.sections, first_counts, second_counts),
        "meetings": compare_shared_tables(tables[first.pk], second),
        "least": MIN_SHARED_TABLES,
        "page": page,
        "evenings": add_ranks(page.object_list, ranked, first, second),
    }


def _summary(tables: TablesPlayed, deal_counts: DealCounts | None) -> ComparisonSummary:
    best = max(evening_sums(tables), key=lambda evening: (evening.points, evening.date), default=None)
    return ComparisonSummary(len(tables), tables.won, run_of_wins(tables).longest, best, deal_counts)


def _ratings_context(rated: Sequence[Player], people: Sequence[Player], game: str, viewer: Viewer) -> dict[str, Any]:
    histories = rating_histories(rated, game, viewer)
    steps = [histories.get(player.pk, []) for player in people]
    lines = [[(step.date, step.points) for step in player_steps] for player_steps in steps]
    return {
        "ratings": [
            (player, player_steps[-1].micro if player_steps else None)
            for player, player_steps in zip(people, steps, strict=True)
        ],
        "chart": rating_chart(lines[0], second_history=lines[1]) if all(lines) else None,
    }
