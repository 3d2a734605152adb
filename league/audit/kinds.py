"""What an audit's line tells of: an act, or a change of a fact."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

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
