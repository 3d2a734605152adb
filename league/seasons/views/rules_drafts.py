"""Pages of drafts of standings rules: the standings of a season by each draft, and by other house rules.

A draft is stored, but does not affect the season: these pages only compare. The season's own rules are changed on other
pages, with a preview.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import rules_drafts
from league.models import RulesDraft, Season
from league.models.evening import EveningState
from league.seasons.queries.house_rules_trial import seat_points
from league.seasons.queries.rules_comparison import ComparedRow, ComparedRules, compare_rules, compared_evenings
from league.seasons.queries.rules_summary import join_clauses, rules_or_default, rules_sentence
from league.seasons.queries.unreadable_deals import unreadable_deal_message
from league.seasons.views.setup import season_game_or_404
from league.standings.rules import StandingsRules
from league.web.charts import SlopeChart, SlopeLine, slope_chart
from league.web.lookups import club_context, managed_or_403, visible_or_404
from scoring.entry import filled_fields
from scoring.house_rules_form import HouseRulesForm
from scoring.rules.errors import IllegalDeal

ROWS_PER_PAGE = 100
MAX_SLOPE_PLAYERS = 40  # players in a chart
HOUSE_RULES_PREFIX = "house"  # prefix of house rules in the query string

TitledRules = tuple[str, str, RulesDraft | None, ComparedRules]  # title, rules as a sentence, draft or None, rules
SlopeRow: TypeAlias = tuple[SlopeLine, ComparedRow, int, int]  # line, row, rank before and rank after


class ComparedColumn(NamedTuple):
    """A column of the page: the standings by one of the compared rules, compared with the standings by the first."""

    title: str
    sentence: str
    draft: RulesDraft | None
    champions: list[ComparedRow]  # players with rank 1
    rank_change_count: int  # number of players with another rank
    slope: SlopeChart | None = None
    slope_rows: Sequence[SlopeRow] = ()


def drafts(request: HttpRequest, pk: int) -> HttpResponse:
    season = visible_or_404(Season.objects.with_club(), request.user, pk=pk)
    season_drafts = list(season.rules_drafts.visible_to(request.user))
    played = _seasons_with_results(season)
    trial_season = next(
        (option for option in played if str(option.pk) == request.GET.get("on")), None
    ) or _default_season(season, played)
    club = club_context(season.club, request.user)
    context = {
        **club,
        "season": season,
        "played": played,
        "trial_season": trial_season,
        "drafts": season_drafts,
        "columns": [],
    }
    columns: list[TitledRules] = [_titled_draft(draft) for draft in season_drafts]
    if trial_season:
        own_rules = rules_or_default(trial_season.standings_rules)
        if club["can_read"] and season_game_or_404(season).rules.house_rules:
            form = _house_rules_form(request, trial_season)
            context["house_rules"] = form
            columns += _titled_house_rules(form, trial_season, own_rules)
        if columns:
            columns.insert(0, (_("As it was played"), rules_sentence(own_rules), None, ComparedRules(own_rules)))
            context |= _comparison_context(request, trial_season, columns)
    else:
        context["columns"] = [ComparedColumn(*candidate[:3], [], 0) for candidate in columns]
    return render(request, "league/seasons/rules_drafts.html", context)


def _titled_draft(draft: RulesDraft) -> TitledRules:
    rules = rules_or_default(draft.rules)
    return draft.name, rules_sentence(rules), draft, ComparedRules(rules)


def _comparison_context(request: HttpRequest, trial_season: Season, columns: list[TitledRules]) -> dict[str, object]:
    compared = compare_rules(trial_season, [rules for *_words, rules in columns])
    context: dict[str, object] = {
        "page": Paginator(compared, ROWS_PER_PAGE).get_page(request.GET.get("page")),
        "columns": [
            ComparedColumn(
                title,
                sentence,
                draft,
                [row for row in compared if row.ranks[index] == 1],
                sum(row.ranks[index] != row.ranks[0] for row in compared),
                *_slope_chart(compared, index),
            )
            for index, (title, sentence, draft, _rules) in enumerate(columns)
        ],
    }
    person = next((row for row in compared if str(row.player.pk) == request.GET.get("player")), None)
    if person:
        context |= {"person": person.player, "evenings": compared_evenings(trial_season, person)}
    return context


def _slope_chart(compared: Sequence[ComparedRow], index: int) -> tuple[SlopeChart, list[SlopeRow]]:
    """Return a chart of the ranks by the first rules and by the rules at `index`, and its lines with their players.

    The chart has the best MAX_SLOPE_PLAYERS players who have both ranks.
    """
    rows = [(row, row.ranks[0], row.ranks[index]) for row in compared]
    ranked = [(row, before, after) for row, before, after in rows if before and after][:MAX_SLOPE_PLAYERS]
    chart = slope_chart([(before, after) for _row, before, after in ranked])
    return chart, [(line, *row) for line, row in zip(chart.lines, ranked, strict=True)]


def _house_rules_form(request: HttpRequest, trial_season: Season) -> HouseRulesForm:
    data = request.GET if any(name.startswith(f"{HOUSE_RULES_PREFIX}-") for name in request.GET) else None
    return season_game_or_404(trial_season).house_rules_form(
        data, prefix=HOUSE_RULES_PREFIX, initial=trial_season.house_rules
    )


def _titled_house_rules(
    form: HouseRulesForm, trial_season: Season, standings_rules: StandingsRules
) -> list[TitledRules]:
    """Return a list with the house rules of the form; [] if they are invalid or make a recorded deal illegal."""
    if not form.is_valid():
        return []
    try:
        points = seat_points(trial_season, form.cleaned_data)
    except IllegalDeal as illegal:
        form.add_error(None, unreadable_deal_message(trial_season, form.cleaned_data, illegal))
        return []
    game = season_game_or_404(trial_season)
    before, after = (
        filled_fields(game.house_rules_form(initial=rules)) for rules in (trial_season.house_rules, form.cleaned_data)
    )
    words = [f"{label}{_(': ')}{value}" for label, value in after if (label, value) not in before]
    differing = join_clauses(words) if words else _("They are those by which the season was played.")
    return [(_("By other house rules"), differing, None, ComparedRules(standings_rules, points))]


def _seasons_with_results(season: Season) -> list[Season]:
    seasons = Season.objects.without_tournaments().filter(club=season.club, game_key=season.game_key)
    return list(seasons.filter(evenings__state=EveningState.CLOSED).distinct())


def _default_season(season: Season, played: list[Season]) -> Season | None:
    return next((option for option in played if option.pk == season.pk), next(iter(played), None))


@login_required
@require_POST
def set_draft_visibility(request: HttpRequest, pk: int, to_members: bool) -> HttpResponse:
    draft = managed_or_403(RulesDraft.objects.with_season(), request.user, pk=pk)
    rules_drafts.set_visible(draft, to_members=to_members)
    messages.success(
        request,
        _("Members see the draft now, by a link on the season's page.")
        if to_members
        else _("Members no longer see the draft."),
    )
    return redirect(draft)


@login_required
@require_POST
def delete_draft(request: HttpRequest, pk: int) -> HttpResponse:
    draft = managed_or_403(RulesDraft.objects.with_season(), request.user, pk=pk)
    rules_drafts.delete_draft(draft)
    messages.success(request, _("The draft is removed."))
    return redirect(draft)
