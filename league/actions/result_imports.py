"""Lists of results that a worker imports, whole or not at all: the request and the import."""

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
    """Have a worker import a list; the same list again while it waits is one import.

    Raise WrongState if too many lists wait.
    """
    answers_by_line = {str(number): answer for number, answer in answers.items()}
    request = {
        "deals": deals,
        "text": text,
        "chosen": dict(chosen),
        "as_counted": as_counted,
        "answers": answers_by_line,
    }
    with one_at_a_time("asking for an import"):
        waiting: ResultImport | None = season.imports.waiting().filter(**request).first()
        if waiting is not None:
            return waiting
        _check_waiting(season)
        result_import: ResultImport = ResultImport.objects.create(season=season, by=by, made_at=now, **request)
        transaction.on_commit(partial(send_import, result_import.pk))
        return result_import


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
    """Import a waiting list, and return whether this call did it, and no other worker.

    Its rows and its state are written in one transaction. Unexpected errors are raised again.
    """
    if not _begin(pk, now()):
        return False
    with transaction.atomic():
        result_import = _locked(pk)
        if result_import is None:
            return False
        try:
            with _in_language_of(result_import), pghistory.context(user=result_import.by_id), transaction.atomic():
                results = bring_in(result_import)
        except ResultsUnanswered:
            _end(result_import, now(), _("Some of the names are not clear any more. Look at the list again."))
        except WrongState as refused:
            _end(result_import, now(), refused)
        else:
            result_import.new, result_import.same = len(results.of(TableFate.NEW)), len(results.of(TableFate.SAME))
            result_import.left_out = len(results.tables) - result_import.new - result_import.same
            _end(result_import, now())
        return True


@transaction.atomic
def _begin(pk: int, now: datetime) -> bool:
    """Count an attempt, and return whether the list may be tried; after too many it is refused."""
    result_import = _locked(pk)
    if result_import is None:
        return False
    if result_import.attempts >= MOST_ATTEMPTS:
        _end(result_import, now, _("This was begun several times and never came to its end. Nothing was brought in."))
        return False
    result_import.attempts += 1
    result_import.save(update_fields=["attempts"])
    return True


def _locked(pk: int) -> ResultImport | None:
    """Lock a waiting list, unless another worker has it."""
    free = ResultImport.objects.select_for_update(skip_locked=True, of=("self",)).waiting()
    result_import: ResultImport | None = free.with_season().filter(pk=pk).first()
    return result_import


def _in_language_of(result_import: ResultImport) -> AbstractContextManager[object]:
    """Activate the club's language: there is no request."""
    return translation.override(result_import.season.club.language)


def _end(result_import: ResultImport, now: datetime, problem: object = "") -> None:
    """Set the outcome: imported, or the `problem`."""
    with _in_language_of(result_import):
        message = str(problem)
    result_import.state = ImportState.REFUSED if message else ImportState.DONE
    result_import.problem, result_import.text, result_import.ended_at = message, "", now
    result_import.chosen, result_import.answers = {}, {}
    result_import.save()
