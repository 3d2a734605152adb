"""The page for the rating rules of a game: a superuser selects them after a back-test."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import rating_rules as rating_rules_action
from league.ratings.forms import RatingRulesForm
from league.ratings.queries.backtest_tables import backtest_game
from league.ratings.queries.game_ratings import table_length
from league.web.game import built_in_game_or_404
from players.models import RatingRules
from players.rating.backtest import LOG_LOSS_OF_CHANCE
from scoring.game import all_games


@login_required
def rating_rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = built_in_game_or_404(slug)
    if not request.user.is_superuser:
        raise PermissionDenied
    in_force = table_length(slug).rating_equation
    form = RatingRulesForm(request.POST if request.method == "POST" else None, initial={"rules": in_force})
    if form.is_valid():
        if form.has_changed():
            rating_rules_action.choose_rules(slug, form.cleaned_data["rules"], now=timezone.now())
            message = _("Chosen. All ratings of %(game)s are computed again in the coming night.")
            messages.success(request, message % {"game": game.name})
        return redirect("league:rating-rules", slug)
    back_test = backtest_game(slug) if "try" in request.GET else None
    context = {
        "game": game,
        "games": all_games(),
        "in_force": RatingRules.Kind(in_force),
        "form": form,
        "back_test": back_test,
        "trials": [(RatingRules.Kind(trial.rules), trial) for trial in back_test.trials] if back_test else [],
        "coin": LOG_LOSS_OF_CHANCE,
    }
    return render(request, "league/ratings/rating_rules.html", context, status=422 if form.errors else 200)
