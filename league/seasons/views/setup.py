from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import clubs, seasons
from league.actions.refusals import WrongState
from league.models import Club, ClubGame, Season
from league.models.club_game import TOTALS
from league.models.season import SeasonState
from league.seasons.forms.seasons import (
    RulesChangeChoice,
    RulesChangeForm,
    SeasonCopyForm,
    SeasonForm,
    SeasonHouseRulesForm,
)
from league.seasons.queries.house_rules_history import house_rules_changes
from league.seasons.queries.house_rules_sentence import house_rules_sentence
from league.seasons.queries.rules_comparison import ComparedRow
from league.seasons.queries.rules_consequences import rules_consequences
from league.seasons.queries.rules_summary import rules_or_default, season_rules_sentence, unreadable_rules_text
from league.seasons.queries.rules_warnings import absence_warnings
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_game import game_of_season
from league.seasons.queries.unreadable_deals import unreadable_deal_message
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403, visible_or_404
from league.web.second_factor import check_second_factor
from scoring import registry
from scoring.entry import filled_fields
from scoring.game import Game, all_games
from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import Preset

HOUSE_RULES_PREFIX = "house"  # prefix of the form of house rules


@login_required
def create_season(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects.all(), request.user, slug=slug)
    key = request.GET.get("game", "")
    club_games = {} if key in registry.slugs() else {game.key: game for game in club.games.all()}
    if key not in registry.slugs() and key not in club_games:
        context = {"club": club, "games": all_games(), "club_games": list(club_games.values()), "can_manage": True}
        return render(request, "league/seasons/season_game.html", context)
    season = _new_season(club, key, club_games.get(key))
    form, house_rules, _change = _season_forms(request, season, frozen=False)
    is_sent = request.method == "POST" and _selected_preset(request, form.game) is None
    if is_sent and _create_if_valid(season, form, house_rules):
        messages.success(request, _("The season is set up as a draft. Open it when it begins."))
        return redirect(season)
    return _season_form_page(request, season, form, house_rules, None)


@login_required
@allow_get_and_post
def copy_season(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    form = SeasonCopyForm(request.POST if request.method == "POST" else None, season=season)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            copied, is_new = seasons.copy_for_next_year(pk, name=data["name"], evening_ids=data.get("evenings", []))
        except seasons.NameTaken:
            form.add_error("name", _("The club has a season of that name already."))
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            text = _("The season is set up as a draft. Open it when it begins.")
            messages.success(request, text if is_new else _("This season was copied already."))
            return redirect(copied)
    context = {"club": season.club, "can_manage": True, "season": season, "form": form}
    return render(request, "league/seasons/season_copy.html", context, status=422 if form.errors else 200)


@login_required
@allow_get_and_post
def discard_season(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    if request.method == "POST":
        try:
            name = seasons.discard(pk)
        except WrongState as refusal:
            messages.error(request, str(refusal))
            return redirect(season)
        messages.success(request, _("The draft “%(name)s” is gone.") % {"name": name})
        return redirect(season.club)
    if season.state != SeasonState.DRAFT:
        return redirect(season)
    planned_count = season.evenings.planned().count()
    return render(
        request,
        "league/seasons/season_discard.html",
        {"season": season, "club": season.club, "can_manage": True, "planned": planned_count},
    )


def _new_season(club: Club, key: str, club_game: ClubGame | None) -> Season:
    """Return an unsaved season, with standings rules and planned evenings of the club's last season of the game."""
    season = Season(club=club, game=TOTALS if club_game else key, club_game=club_game)
    last = club.seasons.without_tournaments().filter(game_key=key).first()
    if last:
        season.standings_rules, season.planned_evenings = last.standings_rules, last.planned_evenings
    return season


def _create_if_valid(season: Season, form: SeasonForm, house_rules: forms.Form) -> bool:
    """Create the season if both forms are valid; return whether they are."""
    with clubs.lock_club(season.club):
        if not (form.is_valid() and house_rules.is_valid()):
            return False
        form.save(commit=False)  # fills in the season
        seasons.create_season(season, house_rules.cleaned_data)
        return True


def edit_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rules of a season. Admins get a form, unless the season is closed or belongs to a tournament."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = visible_or_404(Season.objects.with_club(), request.user, pk=pk)
    club = club_context(season.club, request.user)
    if not club["can_manage"] or season.state == SeasonState.CLOSED or season.tournament_id is not None:
        if request.method == "POST":
            raise PermissionDenied
        return _read_only_rules_page(request, season, club)
    if request.method == "POST":
        check_second_factor(request.user, season.club)
    if request.method != "POST" or _selected_preset(request, season_game_or_404(season)):
        return _season_form_page(
            request, season, *_season_forms(request, season, frozen=seasons.has_recorded_points(season))
        )
    with nullcontext(season) if "preview" in request.POST else seasons.lock_season(season) as locked:
        return _change_rules(request, locked)


def _change_rules(request: HttpRequest, season: Season) -> HttpResponse:
    form, house_rules, change = _season_forms(request, season, frozen=seasons.has_recorded_points(season))
    valid = [part.is_valid() for part in (form, house_rules, change) if part is not None]  # each, to show every error
    changed_rows = None
    chosen_rules = season.house_rules if season.club_game else getattr(house_rules, "cleaned_data", {})
    if all(valid):
        new_season, change_choice = form.save(commit=False), change.change if change else RulesChangeChoice()
        try:
            if "preview" in request.POST:
                changed_rows = rules_consequences(
                    new_season, chosen_rules, change_choice.since, change_choice.later_only
                )
            else:
                seasons.change_rules(
                    new_season,
                    list(form.fields),
                    chosen_rules,
                    now=timezone.now(),
                    **change_choice._asdict(),
                )
                messages.success(request, _("The season's rules are changed."))
                return redirect(season)
        except seasons.ReasonMissing:
            assert change  # the season is locked, so no results were recorded meanwhile
            change.add_error("reason", forms.Field.default_error_messages["required"])
        except UnreadableRules:  # the preview has no standings to compare; the change itself needs none
            form.add_error(None, unreadable_rules_text())
        except IllegalDeal as illegal:
            form.add_error(None, unreadable_deal_message(season, house_rules.cleaned_data, illegal))
        except WrongState as wrong:
            form.add_error(None, str(wrong))
    return _season_form_page(request, season, form, house_rules, change, changed_rows)


def season_game_or_404(season: Season) -> Game:
    """Return the season's game. Raise Http404 for an unknown game, which an import or a repair may have stored."""
    if season.game not in (*registry.slugs(), TOTALS):
        raise Http404
    return game_of_season(season)


def _season_forms(
    request: HttpRequest, season: Season, *, frozen: bool
) -> tuple[SeasonForm, forms.Form, RulesChangeForm | None]:
    game = season_game_or_404(season)
    defaults = {rule.name: rule.default for rule in game.rules.house_rules}
    preset = _selected_preset(request, game)
    data = (
        _form_data_with_options(request.POST, game, {**defaults, **preset.options}) if preset else request.POST or None
    )
    return (
        SeasonForm(data, instance=season, club=season.club, game=game),
        SeasonHouseRulesForm(game.rules, data, prefix=HOUSE_RULES_PREFIX, initial={**defaults, **season.house_rules}),
        RulesChangeForm(data, season=season) if frozen else None,
    )


def _selected_preset(request: HttpRequest, game: Game) -> Preset | None:
    """Return the preset of house rules whose button was pressed (a POST with `?preset=`); None without one."""
    name = request.GET.get("preset") if request.method == "POST" else None
    return next((preset for preset in game.rules.presets if preset.name == name), None)


def _form_data_with_options(sent: QueryDict, game: Game, options: Mapping[str, Any]) -> QueryDict:
    """Return a copy of the sent data, with the fields of house rules filled from `options`."""
    data, fields = sent.copy(), game.house_rules_form(prefix=HOUSE_RULES_PREFIX)
    for name, field in fields.fields.items():
        data[fields.add_prefix(name)] = field.prepare_value(options[name])
    return data


def _season_form_page(
    request: HttpRequest,
    season: Season,
    form: SeasonForm,
    house_rules: forms.Form,
    change: RulesChangeForm | None,
    changed_rows: list[ComparedRow] | None = None,
) -> HttpResponse:
    preset = _selected_preset(request, form.game)
    for part in (form, house_rules, change):
        if preset and part is not None:
            _remove_required_errors(part)
    context: dict[str, Any] = {
        "club": season.club,
        "season": season,
        "game": form.game,
        "form": form,
        "house_rules": house_rules,
        "change": change,
        "changed_rows": changed_rows,
        "preset": preset,
        "address": request.path if season.pk else f"{request.path}?{urlencode({'game': request.GET['game']})}",
        "changes": house_rules_changes(season, form.game) if season.pk else [],
        "house_rules_sentence": house_rules_sentence(form.game, season.house_rules) if season.pk else "",
        "rules_doubts": _absence_warnings(season),
        "can_manage": True,
    }
    wrong = form.errors or house_rules.errors or (change is not None and change.errors)
    return render(request, "league/seasons/season_form.html", context, status=422 if wrong else 200)


def _absence_warnings(season: Season) -> list[str]:
    """Return the warning about absent players, if the lowest total wins."""
    low_wins = season.club_game is not None and season.club_game.low_wins
    return list(absence_warnings(rules_or_default(season.standings_rules), season.planned_evenings, low_wins=low_wins))


def _remove_required_errors(form: forms.Form | SeasonForm) -> None:
    """Remove errors about empty fields, since a user who selects a preset has not filled in all fields yet."""
    for name, errors in list(form.errors.as_data().items()):
        if all(error.code == "required" for error in errors):
            del form.errors[name]


def _read_only_rules_page(request: HttpRequest, season: Season, club: dict[str, object]) -> HttpResponse:
    game = season_game_or_404(season)
    context = {
        **club,
        "season": season,
        "game": game,
        "pairs": game.has_pairs,
        "changes": house_rules_changes(season, game),
        "typing": game.typing_variants[season.typing].words
        if season.typing in game.typing_variants
        else game.default_typing_label,
        "standings_rules": season_rules_sentence(season, season.evenings.all()),
        "house_rules_sentence": house_rules_sentence(game, season.house_rules),
        "house_rules": filled_fields(game.house_rules_form(initial=season.house_rules, sizes=season.table_sizes)),
    }
    return render(request, "league/seasons/season_rules.html", context)
