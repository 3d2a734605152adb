"""Where a deal was entered, and what may be done from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import table_codes
from league.models.evening import WrongState
from league.models.table import Table

if TYPE_CHECKING:
    from league.models.deal import Deal


class Source(models.TextChoices):
    """Where a deal was entered."""

    DESK = "desk", _("At the desk")
    TABLE = "table", _("At the table")


def check_source(source: Source, table: Table, deal: Deal | None = None) -> None:
    """Refuse, with WrongState, what can't be written from there: a new deal, or the correction of `deal`.

    From the desk everything can. At the table, while its code holds: new deals, and the last one as long as nobody
    has checked it. Call it with the table locked.
    """
    if source == Source.DESK:
        return
    if not table_codes.holds(table):
        raise WrongState(_("The code of this table no longer works."))
    if deal is not None and (deal.source != Source.TABLE or deal.checked or deal.number != table.recorded):
        raise WrongState(_("At the table only its last deal can be corrected, as long as nobody has checked it."))
