"""What an audit's line tells of: an act, or a change of a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from league.actions.merging import NO_REASON
from league.models.act import ActKind

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ENTERED, CHECKED, CORRECTED, VOIDED = "entered", "checked", "corrected", "voided"
TOTALS, TOTALS_CORRECTED, SEATS, CONTESTED, ANSWERED = "totals", "totals corrected", "seats", "contested", "answered"
PLANNED, ADDED_EVENING, OPENED, CLOSED, REOPENED = "planned", "evening added", "opened", "closed", "reopened"
CANCELLED, EVENING, EVENING_DELETED = "cancelled", "evening", "evening deleted"
CAME, CAME_CHANGED, CAME_NOT, PAID, PAID_BACK = "came", "came changed", "came not", "paid", "paid back"
SEASON_MADE, SEASON_OPENED, SEASON_CLOSED = "season made", "season opened", "season closed"
SEASON_REOPENED, SEASON_DELETED, SEASON = "season reopened", "season deleted", "season"
HOUSE_RULES, STANDINGS_RULES, ADJUSTED = "house rules", "standings rules", "adjusted"
ADDED, ROLE, LEFT = "added", "role", "left"
FOUNDED, SETTINGS, SECOND_FACTOR = "founded", "settings", "second factor"


def _of(*kinds: ActKind) -> dict[str, StrOrPromise]:
    return {kind.value: kind.label for kind in kinds}


# By what they are about, as they are offered in the filter.
GROUPS: Final[tuple[tuple[StrOrPromise, dict[str, StrOrPromise]], ...]] = (
    (
        _("Results"),
        {
            ENTERED: _("Entered a deal"),
            CHECKED: _("Checked a deal"),
            CORRECTED: _("Corrected a deal"),
            VOIDED: _("Voided a deal"),
            TOTALS: _("Entered totals"),
            TOTALS_CORRECTED: _("Corrected totals"),
            SEATS: _("Changed who sat where"),
            CONTESTED: _("Contested a deal"),
            ANSWERED: _("Answered a contest"),
        },
    ),
    (
        _("Evenings"),
        {
            PLANNED: _("Planned an evening"),
            ADDED_EVENING: _("Added a past evening"),
            OPENED: _("Opened an evening"),
            **_of(ActKind.DRAWN),
            CAME: _("Checked in"),
            CAME_CHANGED: _("Changed a check-in"),
            CAME_NOT: _("Took back a check-in"),
            PAID: _("Took a fee"),
            PAID_BACK: _("Wrote a fee as not paid"),
            CLOSED: _("Closed an evening"),
            REOPENED: _("Reopened an evening"),
            CANCELLED: _("Cancelled an evening"),
            EVENING: _("Changed an evening"),
            EVENING_DELETED: _("Deleted an evening"),
        },
    ),
    (
        _("Seasons"),
        {
            SEASON_MADE: _("Set up a season"),
            SEASON_OPENED: _("Opened a season"),
            HOUSE_RULES: _("Changed the house rules"),
            STANDINGS_RULES: _("Changed the standings rules"),
            SEASON: _("Changed a season’s settings"),
            ADJUSTED: _("Gave or took points"),
            SEASON_CLOSED: _("Closed a season"),
            SEASON_REOPENED: _("Reopened a season"),
            SEASON_DELETED: _("Deleted a season"),
        },
    ),
    (
        _("People"),
        {
            **_of(ActKind.SIGNED_IN),
            ADDED: _("Put on the list"),
            ROLE: _("Gave a role"),
            LEFT: _("Took off the list"),
            **_of(ActKind.DETAILS, ActKind.INVITED, ActKind.AGREED, ActKind.MERGED, ActKind.PARTED),
            **_of(ActKind.ERASED, ActKind.ACCOUNT),
        },
    ),
    (
        _("Club"),
        {
            FOUNDED: _("Founded the club"),
            SETTINGS: _("Changed the club’s settings"),
            SECOND_FACTOR: _("Asked for a second factor, or no longer"),
            **_of(ActKind.EXPORTED, ActKind.TO_DELETE, ActKind.KEPT, ActKind.DELETED),
        },
    ),
)
KINDS: Final = {kind: label for _about, kinds in GROUPS for kind, label in kinds.items()}

# What the program writes where nobody gives a reason, in words; what people wrote stands as they wrote it.
REASONS: Final = {
    NO_REASON: _("two records of one person"),
    "a list of people": _("a list of people"),
    "a list of results": _("a list of results"),
    "erased": _("erased"),
    "erased before the restore": _("erased before a backup was restored"),
    "taken back": _("taken back"),
    "two people after all": _("two people after all"),
}
