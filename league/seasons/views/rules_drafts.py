"""Drafts of standings rules, tried on a season of the club: the page by which they are explained and voted on."""

from __future__ import annotations

from typing import NamedTuple

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
from league.seasons.rules_comparison import ComparedRow, compare, compared_evenings
from league.seasons.rules_summary import readable, summary
from league.web.finding import frame, managed, seen

ROWS = 100


class TriedRules(NamedTuple):
    """Rules that are compared: a draft's, or those by which the season was played."""

    title: str
    sentence: str
    draft: RulesDraft | None
    first: list[ComparedRow]  # who wins the season by them
    moved: int  # how many players they place differently


def drafts(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the season's drafts beside each other, tried on that season or another one of the club."""
    season = seen(Season.objects.with_club(), request.user, pk=pk)
    found = list(season.rules_drafts.visible_to(request.user))
    played = _played(season)
    tried = next((each for each in played if str(each.pk) == request.GET.get("on")), None) or _usual(season, played)
    context = {**frame(season.club, request.user), "season": season, "played": played, "tried": tried, "drafts": found}
    if tried and found:
        told = [readable(tried.standings_rules), *(readable(draft.rules) for draft in found)]
        compared = compare(tried, told)
        titles = [_("As it was played"), *(draft.name for draft in found)]
        context["columns"] = [
            TriedRules(
                title,
                summary(rules),
                found[at - 1] if at else None,
                [each for each in compared if each.rows[at].rank == 1],
                sum(each.rows[at].rank != each.rows[0].rank for each in compared),
            )
            for at, (title, rules) in enumerate(zip(titles, told, strict=True))
        ]
        context["page"] = Paginator(compared, ROWS).get_page(request.GET.get("page"))
        person = next((each for each in compared if str(each.player.pk) == request.GET.get("player")), None)
        if person:
            context |= {"person": person.player, "evenings": compared_evenings(tried, person)}
    else:
        context["columns"] = [TriedRules(draft.name, summary(readable(draft.rules)), draft, [], 0) for draft in found]
    return render(request, "league/seasons/rules_drafts.html", context)


def _played(season: Season) -> list[Season]:
    """Return the club's seasons of the game that have closed evenings, the newest first."""
    same = Season.objects.filter(club=season.club, game=season.game, evenings__state=EveningState.CLOSED)
    return list(same.distinct())


def _usual(season: Season, played: list[Season]) -> Season | None:
    """Return the season itself if it was played, else the newest one that was."""
    return next((each for each in played if each.pk == season.pk), next(iter(played), None))


@login_required
@require_POST
def show(request: HttpRequest, pk: int, to_members: bool) -> HttpResponse:
    """Let members see a draft, or no longer."""
    draft = managed(RulesDraft.objects.with_season(), request.user, pk=pk)
    rules_drafts.show(draft, to_members=to_members)
    messages.success(
        request,
        _("Members see the draft now, by a link on the season's page.")
        if to_members
        else _("Members no longer see the draft."),
    )
    return redirect(draft)


@login_required
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw a draft away."""
    draft = managed(RulesDraft.objects.with_season(), request.user, pk=pk)
    rules_drafts.remove(draft)
    messages.success(request, _("The draft is removed."))
    return redirect(draft)
