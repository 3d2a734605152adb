"""The public pages about games: the list of games, the rules of a game, and a calculator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods

from league.ratings.forms import LastDealForm
from league.web.game import built_in_game_or_404
from league.web.htmx import HtmxRequest
from scoring import rulebook
from scoring.entry import entry_context, read_entry
from scoring.facts_form import RESERVED_NAMES
from scoring.game import Game, all_games

SEATS_PARAMETER = "seats"  # name of the number of players in the calculator's URL
HOUSE_RULES_PREFIX = "house"  # prefix of the form fields that are not facts of the deal
NOT_IN_SHARED_URL = frozenset({SEATS_PARAMETER, "csrfmiddlewaretoken"})


@require_GET
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "league/ratings/games.html", {"games": all_games()})


@require_GET
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = built_in_game_or_404(slug)
    context = {"game": game, "rules": rulebook.rules(game.folder), "examples": rulebook.examples(game)}
    return render(request, "league/ratings/rules.html", context)


@require_http_methods(["GET", "POST"])
def calculator(request: HtmxRequest, slug: str) -> HttpResponse:
    """Compute the points of a deal. Nothing is stored. The URL can contain the deal, so that it can be shared."""
    game = built_in_game_or_404(slug)
    seats = _seat_count(request, game)
    names = rulebook.numbered_players(seats)
    data = request.POST or (request.GET if request.GET.keys() - {SEATS_PARAMETER} else None)
    house_rules = game.house_rules_form(data, prefix=HOUSE_RULES_PREFIX, sizes=[seats])
    last_deal_form = LastDealForm(game.rules, data, prefix=HOUSE_RULES_PREFIX)
    options: dict[str, Any] = {}
    if house_rules.is_valid():
        options = house_rules.cleaned_data
        game = game.with_house_rules(options)
    form = game.deal_form(names, data)
    entry = None
    if form.is_bound and house_rules.is_valid() and last_deal_form.is_valid():
        entry = read_entry(game, form, names, options, last=last_deal_form.is_last)
    is_preview = bool(request.htmx)
    context = {
        **entry_context(game, form, entry, is_preview=is_preview),
        "house_rules": house_rules,
        "last_deal_form": last_deal_form,
        "seats": seats,
        "action": f"{request.path}?{SEATS_PARAMETER}={seats}",
        "address": _shareable_url(request, seats, [house_rules, last_deal_form]) if entry else "",
    }
    return render(request, "league/sheets/_deal_form.html" if is_preview else "league/ratings/calculator.html", context)


def _shareable_url(request: HttpRequest, seats: int, rules_forms: Sequence[Form]) -> str:
    """Return the URL that contains the deal. Empty fields and house rules with their default values are left out."""
    default_fields = {
        form.add_prefix(name) for form in rules_forms for name in form.fields if name not in form.changed_data
    }
    query = QueryDict(mutable=True)
    query[SEATS_PARAMETER] = str(seats)
    for name, values in (request.POST or request.GET).lists():
        if any(values) and name not in default_fields | NOT_IN_SHARED_URL | RESERVED_NAMES:
            query.setlist(name, values)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def _seat_count(request: HttpRequest, game: Game) -> int:
    size_text = request.GET.get(SEATS_PARAMETER, "")
    by_name = {str(size): size for size in game.sizes}
    return by_name.get(size_text, game.usual_sizes[len(game.usual_sizes) // 2])
