"""What Celery calls to bring long lists in: when one was asked for, and each minute."""

from __future__ import annotations

from celery import shared_task

from league.actions import result_imports
from league.imports.queries.list_file import rows_of
from league.imports.queries.old_results import PlannedResults
from league.imports.work.cells import MOST_LINES
from league.imports.work.kinds import ChosenColumns, Deals, ListKind, Totals
from league.imports.work.progress import note
from league.models import ResultImport
from league.operations.work.clock import Clock, database_now


@shared_task(name="league.imports.tasks.tick")
def tick() -> None:
    """Bring in what waits: a message may be lost, a worker killed."""
    for pk in ResultImport.objects.waiting().order_by("pk").values_list("pk", flat=True):
        bring_in(pk)


@shared_task(name="league.imports.tasks.bring_in")
def bring_in(pk: int) -> None:
    """Bring a list in, unless somebody is at it or it is over."""
    clock = Clock(database_now())

    def work(this: ResultImport) -> PlannedResults:
        season = this.season
        kind: ListKind = Deals(season) if this.deals else Totals(season)
        rows = rows_of(this.text, MOST_LINES)
        columns = ChosenColumns.from_form_data(this.chosen)
        answers = {int(number): answer for number, answer in this.answers.items()}
        return kind.bring_in(
            rows, columns, answers, clock.now(), as_counted=this.as_counted, tell=lambda done, of: note(pk, done, of)
        )

    result_imports.perform(pk, work, clock.now)


# Messages of the release before may still be in a queue. These names go with the next release.
shared_task(name="league.old_results.tasks.tick")(tick.run)
shared_task(name="league.old_results.tasks.bring_in")(bring_in.run)
