"""Lists of results that a worker brings in: asking for it, and doing it, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from typing import Any, Final

import pghistory
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from league.actions.old_results import ResultsUnanswered
from league.actions.one_at_a_time import one_at_a_time
from league.actions.refusals import WrongState
from league.imports.queries.old_results import PlannedResults, TableFate
from league.messages import send_import
from league.models import ResultImport, Season
from league.models.result_import import ImportState
from players.models import User

MOST_ATTEMPTS: Final = 3
MOST_WAITING: Final = 30  # lists, each up to some megabytes of text
MOST_WAITING_OF_CLUB: Final = 3


def ask(
    season: Season,
    *,
    by: User,
    deals: bool,
    text: str,
    chosen: Mapping[str, Any],
    answers: Mapping[int, str],
    as_counted: bool,
    now: datetime,
) -> ResultImport:
    """Have a list brought in by a worker; the same one again while it waits is one.

    Raise WrongState where too many lists wait.
    """
    named = {str(number): answer for number, answer in answers.items()}
    said = {"deals": deals, "text": text, "chosen": dict(chosen), "as_counted": as_counted, "answers": named}
    with one_at_a_time("asking for an import"):
        waiting: ResultImport | None = season.imports.waiting().filter(**said).first()
        if waiting is not None:
            return waiting
        _check_waiting(season)
        made: ResultImport = ResultImport.objects.create(season=season, by=by, made_at=now, **said)
        transaction.on_commit(partial(send_import, made.pk))
        return made


def _check_waiting(season: Season) -> None:
    waiting = ResultImport.objects.waiting()
    of_club = waiting.filter(season__club=season.club_id).count()
    if of_club >= MOST_WAITING_OF_CLUB:
        raise WrongState(
            _("%(number)s lists of this club wait for a worker: no more may. Try again when one of them is imported.")
            % {"number": of_club}
        )
    if (number := waiting.count()) >= MOST_WAITING:
        raise WrongState(
            _("%(number)s lists of all clubs wait for a worker: no more may. Try again in some minutes.")
            % {"number": number}
        )


def perform(pk: int, bring_in: Callable[[ResultImport], PlannedResults], now: Callable[[], datetime]) -> bool:
    """Bring a list in that waits, and return whether this is who did: nobody else is at it, and it was begun seldom.

    Its rows and its state are written in one transaction. What goes wrong without a word of its own is raised again.
    """
    if not _begin(pk, now()):
        return False
    with transaction.atomic():
        found = _locked(pk)
        if found is None:
            return False
        try:
            with _speaking(found), pghistory.context(user=found.by_id), transaction.atomic():
                planned = bring_in(found)
        except ResultsUnanswered:
            _end(found, now(), _("Some of the names are not clear any more. Look at the list again."))
        except WrongState as refused:
            _end(found, now(), refused)
        else:
            found.new, found.same = len(planned.of(TableFate.NEW)), len(planned.of(TableFate.SAME))
            found.left_out = len(planned.tables) - found.new - found.same
            _end(found, now())
        return True


@transaction.atomic
def _begin(pk: int, now: datetime) -> bool:
    """Count an attempt, and return whether the list may be tried; one that never came to its end is refused."""
    found = _locked(pk)
    if found is None:
        return False
    if found.attempts >= MOST_ATTEMPTS:
        _end(found, now, _("This was begun several times and never came to its end. Nothing was brought in."))
        return False
    found.attempts += 1
    found.save(update_fields=["attempts"])
    return True


def _locked(pk: int) -> ResultImport | None:
    """Lock a list that waits, unless somebody has it."""
    free = ResultImport.objects.select_for_update(skip_locked=True, of=("self",)).waiting()
    found: ResultImport | None = free.with_season().filter(pk=pk).first()
    return found


def _speaking(this: ResultImport) -> AbstractContextManager[object]:
    """Speak the club's language: nobody's request is at hand."""
    return translation.override(this.season.club.language)


def _end(this: ResultImport, now: datetime, problem: object = "") -> None:
    """Write that it is in, or the `problem`."""
    with _speaking(this):
        told = str(problem)
    this.state = ImportState.REFUSED if told else ImportState.DONE
    this.problem, this.text, this.ended_at = told, "", now
    this.chosen, this.answers = {}, {}
    this.save()
