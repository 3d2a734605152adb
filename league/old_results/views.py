"""Results of past evenings, brought into a season from a list: seen table by table before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions.old_results import ResultsUnanswered, bring_in_results
from league.actions.refusals import WrongState
from league.models import Season
from league.old_results.forms import ColumnsForm, ResultListForm
from league.old_results.result_list import MEANINGS, meanings_of, read_results
from league.results.old_results import PlannedResults, PlannedTable, TableFate, planned_results
from league.web.finding import managed
from league.web.list_file import MOST_UPLOADED
from league.web.list_form import answers_of
from league.web.request_body import takes_file

REMEMBERED = "results-columns"  # in the session: what each column is, by what it is called


class OldEvening(NamedTuple):
    """The tables of the list on one date; None where no date can be read."""

    day: date | None
    tables: Sequence[PlannedTable]

    @property
    def new(self) -> int:
        """How many of them come in."""
        return sum(table.fate is TableFate.NEW for table in self.tables)


@login_required
@takes_file(MOST_UPLOADED)
def bring_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a list, say which column is what, look at what becomes of each table, and bring it in."""
    season = managed(Season.objects.with_club(), request.user, pk=pk)
    form = ResultListForm(request.POST, request.FILES) if request.method == "POST" else ResultListForm()
    columns: ColumnsForm | None = None
    planned: PlannedResults | None = None
    if request.method == "POST" and form.is_valid():
        columns = _columns(request, form)
        if columns.is_valid():
            _remember(request, form, columns)
            listed, answers = read_results(form.rows, columns.columns), answers_of(request.POST)
            if "bring_in" not in request.POST:
                planned = planned_results(season, listed, answers, timezone.localdate(timezone=season.club.zone))
            else:
                try:
                    done = bring_in_results(season, listed, answers, now=timezone.now())
                except ResultsUnanswered as unanswered:
                    planned = unanswered.planned
                    messages.error(request, _("Nothing was brought in yet: some lines ask who is meant."))
                except WrongState as refused:
                    messages.error(request, str(refused))
                else:
                    messages.success(request, _said(done))
                    return redirect("league:season", season.pk)
    context = {
        "club": season.club,
        "can_manage": True,
        "season": season,
        "form": form,
        "columns": columns,
        "head": "\t".join(form.rows[0][1]) if columns else "",
        "planned": planned,
        "evenings": _evenings(planned.tables) if planned else [],
        "counts": {fate.value: len(planned.of(fate)) for fate in TableFate} if planned else {},
        "comes_in": bool(planned and (planned.of(TableFate.NEW) or planned.of(TableFate.ASKED))),
    }
    wrong = form.errors or (columns is not None and columns.errors)
    return render(request, "league/old_results/bring_in.html", context, status=422 if wrong else 200)


def _columns(request: HttpRequest, form: ResultListForm) -> ColumnsForm:
    """Return which column is what: as was chosen for this list, or by its first line and by what was chosen before."""
    head = form.rows[0][1]
    chosen = {f"column-{meaning}": request.POST.get(f"column-{meaning}", "") for meaning in MEANINGS}
    if request.POST.get("head") != "\t".join(head):
        remembered: Mapping[str, str] = request.session.get(REMEMBERED, {})
        guessed = meanings_of(head) | {remembered[cell]: at for at, cell in enumerate(head) if cell in remembered}
        chosen = {f"column-{meaning}": str(place) for meaning, place in guessed.items() if meaning in MEANINGS}
    return ColumnsForm(chosen, head=head)


def _remember(request: HttpRequest, form: ResultListForm, columns: ColumnsForm) -> None:
    head = form.rows[0][1]
    request.session[REMEMBERED] = {head[place]: meaning for meaning, place in columns.columns.items()}


def _evenings(tables: Iterable[PlannedTable]) -> list[OldEvening]:
    return [OldEvening(day, list(found)) for day, found in groupby(tables, key=lambda table: table.day)]


def _said(planned: PlannedResults) -> str:
    new, same = len(planned.of(TableFate.NEW)), len(planned.of(TableFate.SAME))
    left = len(planned.tables) - new - same
    said = [ngettext("%(count)s table came in.", "%(count)s tables came in.", new) % {"count": new}]
    if same:
        said.append(ngettext("%(count)s was there already.", "%(count)s were there already.", same) % {"count": same})
    if left:
        said.append(ngettext("%(count)s was left out.", "%(count)s were left out.", left) % {"count": left})
    return " ".join(said)
