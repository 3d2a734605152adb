from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from league.actions import rules_drafts, seasons
from league.actions.refusals import StaleVersion, WrongState
from league.models import RulesDraft, Season
from league.models.evening import EveningState
from league.seasons.forms.rules import StandingsRulesForm, form_values
from league.seasons.forms.seasons import RulesAdoptionForm, RulesDraftForm
from league.seasons.queries.rules_comparison import ComparedRow, ComparedRules, compare_rules
from league.seasons.queries.rules_summary import final_weight, planned_evening_count, rules_or_default, rules_sentence
from league.seasons.queries.rules_warnings import rules_warnings
from league.seasons.views.rules_file import rules_from_text, rules_to_text
from league.seasons.views.setup import season_game_or_404
from league.standings.presets import PRESETS, Preset
from league.standings.rules import StandingsRules
from league.standings.words import WORDS
from league.web.htmx import HtmxRequest
from league.web.lookups import club_context, managed_or_403, visible_or_404
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message

MAX_PASTED_LENGTH = 20_000  # characters; the rest is cut off
MAX_OTHER_SEASONS = 10  # other seasons of the club that the page offers


@login_required
def standings_rules(request: HtmxRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    if "pasted" in request.POST:
        return _read_pasted_rules(request, season)
    if request.method != "POST":
        rules = _initial_rules(request, season)
        return _rules_form_page(request, season, _rules_form(season, rules=rules), rules)
    form = _rules_form(season, request.POST)
    if "back" in request.POST:
        return _rules_form_page(request, season, form)
    if request.htmx:
        return render(request, "league/seasons/_rules_summary.html", _summary_context(season, form))
    draft = RulesDraftForm(request.POST if "keep" in request.POST else None, initial=request.POST.dict())
    if not form.is_valid() or draft.errors:
        return _rules_form_page(request, season, form, draft=draft)
    return _save_draft(request, season, form, draft) if draft.is_bound else _adopt_rules(request, season, form)


def rules_file(request: HttpRequest, pk: int) -> HttpResponse:
    season = visible_or_404(Season.objects.with_club(), request.user, pk=pk)
    response = HttpResponse(rules_to_text(rules_or_default(season.standings_rules)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="standings-rules-{pk}.json"'
    return response


def _save_draft(request: HttpRequest, season: Season, form: StandingsRulesForm, draft: RulesDraftForm) -> HttpResponse:
    try:
        rules_drafts.save_draft(season.pk, draft.cleaned_data["draft_name"], form.rules)
    except WrongState as refusal:
        draft.add_error("draft_name", str(refusal))
        return _rules_form_page(request, season, form, draft=draft)
    messages.success(request, _("The draft is kept. Nothing follows it before the season uses its rules."))
    return redirect("league:rules-drafts", season.pk)


def _adopt_rules(request: HttpRequest, season: Season, form: StandingsRulesForm) -> HttpResponse:
    if season.read_only_reason:
        messages.error(request, season.read_only_reason)
        return _rules_form_page(request, season, form)
    warnings = rules_warnings(form.rules, form.cleaned_data["planned_evenings"], low_wins=season.low_wins)
    late = season.evenings.closed().exists()
    data = request.POST if "adopt" in request.POST or not (warnings or late) else None
    adopt = RulesAdoptionForm(data, initial={"seen": request.POST.get("seen", "")}, doubtful=bool(warnings), late=late)
    error = ""
    if adopt.is_valid():
        try:
            seasons.change_standings_rules(
                season.pk,
                form.rules,
                planned_evenings=form.cleaned_data["planned_evenings"],
                seen_version=adopt.cleaned_data["seen"],
                reason=adopt.cleaned_data.get("reason"),
                now=timezone.now(),
            )
        except WrongState as refusal:
            error, late = str(refusal), True
        except StaleVersion:
            error = _("Somebody else changed the rules meanwhile. Send yours again to replace them.")
            season.refresh_from_db()
        else:
            messages.success(request, _("The season's standings follow these rules now."))
            return redirect(season)
        adopt = RulesAdoptionForm(
            initial={"seen": seasons.standings_rules_version(season)}, doubtful=bool(warnings), late=late
        )
    current, planned_count = rules_or_default(season.standings_rules), form.cleaned_data["planned_evenings"]
    context = {
        **club_context(season.club, request.user),
        "season": season,
        "adopt": adopt,
        "kept": [(name, value) for name, value in request.POST.items() if name in form.fields],
        "error": error,
        "doubts": warnings,
        "before": rules_sentence(current, evenings=planned_count, final_weight=form.final_weight),
        "after": rules_sentence(form.rules, evenings=planned_count, final_weight=form.final_weight),
        "changed_rows": _rank_changes(season, current, form.rules) if late else None,
    }
    return render(request, "league/seasons/rules_adopt.html", context, status=422 if adopt.errors or error else 200)


def _rank_changes(season: Season, current: StandingsRules, rules: StandingsRules) -> list[ComparedRow]:
    return [row for row in compare_rules(season, [ComparedRules(current), ComparedRules(rules)]) if row.has_other_rank]


def _read_pasted_rules(request: HttpRequest, season: Season) -> HttpResponse:
    try:
        rules = rules_from_text(request.POST["pasted"][:MAX_PASTED_LENGTH])
    except IllegalDeal as illegal:
        words = format_message(WORDS, illegal.code, illegal.params, translate=gettext)
        messages.error(request, f"{illegal.field}: {words}" if illegal.field else words)
        return redirect("league:standings-rules", season.pk)
    planned_count = _rules_form(season).initial["planned_evenings"]
    form = _rules_form(season, {**form_values(rules), "planned_evenings": planned_count or ""})
    if form.is_valid() and form.rules != rules:
        messages.warning(request, _("What this game does not have is left out."))
    return _rules_form_page(request, season, form)


def _rules_form_page(
    request: HttpRequest,
    season: Season,
    form: StandingsRulesForm,
    rules: StandingsRules | None = None,
    draft: RulesDraftForm | None = None,
) -> HttpResponse:
    context = {
        **club_context(season.club, request.user),
        **_summary_context(season, form, rules),
        "season": season,
        "form": form,
        "seen": request.POST.get("seen") or seasons.standings_rules_version(season),
        "presets": [(preset, rules_sentence(rules)) for preset, rules in _presets() if form.supports_rules(rules)],
        "others": _other_seasons(season),
        "drafts": _drafts(season),
        "draft": draft or RulesDraftForm(),
    }
    wrong = form.errors or (draft and draft.errors)
    return render(request, "league/seasons/rules_builder.html", context, status=422 if wrong else 200)


def _summary_context(season: Season, form: StandingsRulesForm, rules: StandingsRules | None = None) -> dict[str, Any]:
    planned_count = form.initial.get("planned_evenings")
    if rules is None and form.is_valid():
        rules, planned_count = form.rules, form.cleaned_data["planned_evenings"]
    if rules is None:
        return {"wrong": [(form[name].label, errors) for name, errors in form.errors.items() if name in form.fields]}
    sentence = rules_sentence(rules, evenings=planned_count, final_weight=form.final_weight)
    return {"sentence": sentence, "doubts": rules_warnings(rules, planned_count, low_wins=season.low_wins)}


def _rules_form(season: Season, data: Any = None, rules: StandingsRules | None = None) -> StandingsRulesForm:
    evenings = season.evenings.exclude(state=EveningState.CANCELLED)
    planned_count = planned_evening_count(season, len(evenings))
    return StandingsRulesForm(
        data,
        initial={"planned_evenings": planned_count, **(form_values(rules) if rules else {})},
        game=season_game_or_404(season),
        evenings=len(evenings),
        final_weight=final_weight(evenings),
    )


def _initial_rules(request: HttpRequest, season: Season) -> StandingsRules:
    """Return the rules that fill the form: those of `?from=` ("preset-best", "season-12" or "draft-3"), if it is valid,
    else the season's own.
    """
    kind, _dash, name = request.GET.get("from", "").partition("-")
    if kind == "preset":
        for preset, rules in _presets():
            if preset.name == name:
                return rules
    if kind == "season":
        for other_season in _other_seasons(season):
            if str(other_season.pk) == name:
                return rules_or_default(other_season.standings_rules)
    if kind == "draft":
        for draft in _drafts(season):
            if str(draft.pk) == name:
                return rules_or_default(draft.rules)
    return rules_or_default(season.standings_rules)


def _presets() -> list[tuple[Preset, StandingsRules]]:
    return [(preset, StandingsRules.from_json(preset.rules)) for preset in PRESETS]


def _other_seasons(season: Season) -> list[Season]:
    seasons = Season.objects.without_tournaments().filter(club=season.club, game_key=season.game_key)
    return list(seasons.exclude(pk=season.pk)[:MAX_OTHER_SEASONS])


def _drafts(season: Season) -> list[RulesDraft]:
    return list(RulesDraft.objects.filter(season__club=season.club, season__game_key=season.game_key))
