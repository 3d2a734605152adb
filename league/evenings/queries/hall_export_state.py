"""Changes of an evening on this server since its export to a hall server.

A hall server is a computer in the hall on which the evening is played.
"""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from league.models import Attendance, Evening
from players.models import Player

COMPARED_ATTENDANCE_FIELDS: Final = ("standing", "from_round", "to_round", "fee", "paid", "fixed_table", "partner_id")


def evening_export_state(evening: Evening) -> dict[str, Any]:
    """Return the state of the evening at its export to a hall server, as a dict for JSON.

    `people` is the list of the club's membership keys. `attendances` is the result of `attendance_values`.
    """
    keys = evening.season.club.memberships.order_by("pk").values_list("key", flat=True)
    return {"people": [str(key) for key in keys], "attendances": attendance_values(evening)}


def attendance_values(evening: Evening) -> dict[str, list[Any]]:
    """Return {player id as text: values of COMPARED_ATTENDANCE_FIELDS} of all attendances of the evening."""
    rows = (
        Attendance.objects.filter(evening=evening).order_by("pk").values_list("player_id", *COMPARED_ATTENDANCE_FIELDS)
    )
    return {str(player): list(values) for player, *values in rows}


def check_in_changes_since(evening: Evening, base: dict[str, Any]) -> list[str]:
    """Return one sentence per check-in that differs from `base`, a result of `evening_export_state`."""
    before, now = base["attendances"], attendance_values(evening)
    changed_players = {player for player in before.keys() | now.keys() if before.get(player) != now.get(player)}
    sentences = []
    for player in Player.objects.filter(pk__in=map(int, changed_players)):
        if str(player.pk) not in before:
            text = _("%(player)s was checked in here.")
        elif str(player.pk) not in now:
            text = _("The check-in of %(player)s was taken back here.")
        else:
            text = _("The check-in or the fee of %(player)s was changed here.")
        sentences.append(text % {"player": player})
    return sentences
