"""What a table still lacks until it is complete, or has too much. Decides nothing: `league.table_end` does."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Season, Table
from league.models.season import End
from league.table_end import deals_needed


def missing(table: Table, season: Season) -> str:
    """What the secretary has to do for the table, or an empty text if it is complete."""
    if table.complete:
        return ""
    if not table.deals:
        return _("nothing recorded yet")
    number = season.end_number or 0
    if season.end == End.DEALS:
        lacking = deals_needed(number, table.size, one_rests=table.one_rests) - table.recorded
        return ngettext("%(number)s deal is missing", "%(number)s deals are missing", lacking) % {"number": lacking}
    if season.end == End.TARGET:
        return _("nobody leads with %(number)s points yet") % {"number": number}
    return _("not marked as complete yet")


def beyond(table: Table, season: Season, deals: int) -> int:
    """How many of so many deals come after the table's end; none where a number of deals is not what ends it."""
    if season.end != End.DEALS or season.end_number is None:
        return 0
    return max(0, deals - deals_needed(season.end_number, table.size, one_rests=table.one_rests))
