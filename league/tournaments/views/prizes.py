"""Pages of a tournament's prizes: the public list, the form for the list, and the members of prize categories."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.actions import prizes as prize_actions
from league.actions.prizes import CategoryMemberKey
from league.actions.refusals import WrongState
from league.clubs.queries.money import format_money
from league.models import Prize, Tournament
from league.models.table_codes import MAX_ID_DIGITS
from league.models.tournament import TournamentState
from league.tournaments.forms.prizes import CATEGORY_LIST, PrizeLines, PrizeMoneyForm, PrizePlanForm, line_values
from league.tournaments.queries.prize_proposals import propose_money_prizes, propose_prizes_in_kind, usual_prize_count
from league.tournaments.queries.prizes import (
    PrizeTotals,
    competitor_category_rows,
    compute_awards,
    prize_lines,
    prize_plan,
    prize_totals,
)
from league.tournaments.views.prize_words import WinnerRow, prize_rows, winner_rows
from league.tournaments.views.tournaments import visitor_context
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403, visible_or_404
from league.web.numbers import parse_number


@require_safe
def tournament_prizes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the list of prizes; after the tournament also the winners.

    Winners whose tie is still to be decided by lot are left out.
    """
    row = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    context = visitor_context(request, row)
    prizes = prize_lines(row)
    winners: list[WinnerRow] = []
    undecided = False
    if prizes and row.state == TournamentState.FINISHED:
        result = compute_awards(row, prizes)
        open_keys = {ranked.key for group in result.open_lots for ranked in group}
        undecided = bool(open_keys)
        decided_winners = [winner for winner in result.winners if winner.competitor.key not in open_keys]
        winners = winner_rows(row, decided_winners, shows_all_names=context["can_read"])
    context |= {"prizes": prize_rows(row, prizes), "winners": winners, "undecided": undecided}
    return render(request, "league/tournaments/prizes.html", context)


@login_required
@allow_get_and_post
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit the list of prizes. The parameter `proposal` fills the form with prizes in money ("pot") or in kind."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    prizes, plan = prize_lines(row), prize_plan(row)
    totals = prize_totals(row, prizes)
    steps = [format_money(step, row.club.currency) for step in PrizeMoneyForm.STEPS]
    pot_values = request.GET if request.GET.get("proposal") == "pot" else None
    unit_count = row.units.registered().count()
    pot = PrizeMoneyForm(pot_values, steps=steps, usual_count=usual_prize_count(unit_count))
    posted = request.POST if request.method == "POST" else None
    form = PrizePlanForm(posted, plan=plan)
    proposed = _proposed_prizes(request, row, pot, totals, prizes, unit_count=unit_count)
    lines = PrizeLines(
        posted,
        initial=line_values(prizes if proposed is None else proposed),
        prefix="prize",
        form_kwargs={"has_teams": row.plays_apart},
    )
    if posted is not None and form.is_valid() and lines.is_valid():
        try:
            prize_actions.store_prizes(
                pk, lines.lines(), ties=form.cleaned_data["ties"], seen_version=form.cleaned_data["version"]
            )
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The prizes are stored."))
            page = "tournament-prizes-edit" if "more" in request.POST else "tournament-prize-desk"
            return redirect(f"league:{page}", pk)
    has_errors = posted is not None or bool(pot.errors)
    context |= {
        "tournament": row,
        "form": form,
        "lines": lines,
        "pot": pot,
        "totals": totals,
        "is_proposal": proposed is not None,
        "categories": list(row.prize_categories.all()),
        "category_list": CATEGORY_LIST,
    }
    return render(request, "league/tournaments/prizes_edit.html", context, status=422 if has_errors else 200)


def _proposed_prizes(
    request: HttpRequest,
    tournament: Tournament,
    pot: PrizeMoneyForm,
    totals: PrizeTotals,
    prizes: list[Prize],
    *,
    unit_count: int,
) -> list[Prize] | None:
    """Return the proposed prizes, unsaved; None if the request asks for no proposal."""
    if request.method == "POST":
        return None
    if request.GET.get("proposal") == "things":
        with translation.override(tournament.club.language):
            return propose_prizes_in_kind(unit_count)
    if not pot.is_bound or not pot.is_valid():
        return None
    values = pot.cleaned_data
    fees = totals.paid + (totals.owed if values["basis"] == "all" else 0)
    return propose_money_prizes(
        fees, percent=values["percent"], count=values["count"], step=values["step"], prizes=prizes
    )


@login_required
@allow_get_and_post
def categories(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a checkbox for each competitor and prize category. A POST stores the boxes that the user has changed."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    category_rows = list(row.prize_categories.all())
    if request.method == "POST":
        before, after = set(request.POST.getlist("before")), set(request.POST.getlist("mark"))
        try:
            prize_actions.change_category_members(
                pk, added=_parse_checkbox_names(after - before), removed=_parse_checkbox_names(before - after)
            )
        except (WrongState, ValueError) as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("The categories are stored."))
        return redirect("league:tournament-prize-categories", pk)
    context |= {
        "tournament": row,
        "categories": category_rows,
        "rows": competitor_category_rows(row, category_rows) if category_rows else [],
    }
    return render(request, "league/tournaments/prize_categories.html", context)


def _parse_checkbox_names(names: set[str]) -> list[CategoryMemberKey]:
    """Parse names of checkboxes, "3-12-1": the id of a prize category, the id of a unit (player, pair or team), and the
    position of a player in the unit.

    Raise WrongState for a name that is not like this.
    """
    member_keys = []
    for name in names:
        match [parse_number(part, max_digits=MAX_ID_DIGITS) for part in name.split("-")]:
            case [int(category), int(unit), int(position)]:
                member_keys.append((category, unit, position))
            case _:
                raise WrongState(_("A category or a unit does not exist any more. Open the page again."))
    return member_keys
