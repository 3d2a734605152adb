"""The reason why a table is incomplete, as text. `league.sheets.queries.table_end` decides whether it is complete."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Season, Table
from league.models.season import TableEnd
from league.sheets.queries.deal_scores import counted_deals, deals_per_table


def missing_text(table: Table, season: Season) -> str:
    """Return the reason why the table is incomplete; "" if it is complete."""
    if table.complete:
        return ""
    if not table.deals:
        return _("nothing recorded yet")
    if (needed := deals_per_table(table, season)) is not None:
        lacking = needed - counted_deals(table, season, table.recorded)
        return ngettext("%(number)s deal is missing", "%(number)s deals are missing", lacking) % {"number": lacking}
    if season.end == TableEnd.TARGET:
        target = season.end_number or 0
        text = ngettext("nobody leads with %(number)s point yet", "nobody leads with %(number)s points yet", target)
        return text % {"number": target}
    return _("not marked as complete yet")
