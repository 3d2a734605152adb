"""What an audit's line tells of: an act, or a change of a fact."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.actions.merging import NO_REASON
from league.models.act import ActKind

ENTERED, CHECKED, CORRECTED, VOIDED = "entered", "checked", "corrected", "voided"
TOTALS, ADDED, ROLE, LEFT = "totals", "added", "role", "left"
CLOSED, REOPENED, ADJUSTED, SEASON, SETTINGS = "closed", "reopened", "adjusted", "season", "settings"

KINDS = {
    ActKind.SIGNED_IN.value: ActKind.SIGNED_IN.label,
    ENTERED: _("Entered a deal"),
    CHECKED: _("Checked a deal"),
    CORRECTED: _("Corrected a deal"),
    VOIDED: _("Voided a deal"),
    TOTALS: _("Entered totals"),
    CLOSED: _("Closed an evening"),
    REOPENED: _("Reopened an evening"),
    ADJUSTED: _("Gave or took points"),
    SEASON: _("Changed a season"),
    ADDED: _("Put on the list"),
    ROLE: _("Gave a role"),
    LEFT: _("Took off the list"),
    **{kind.value: kind.label for kind in ActKind if kind != ActKind.SIGNED_IN},
    SETTINGS: _("Changed the club’s settings"),
}

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
