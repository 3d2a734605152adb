"""The state of an evening when it was taken to the hall, and the changes since."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from league.models import Attendance, Evening
from players.models import Player

FIELDS: Final = ("standing", "from_round", "to_round", "fee", "paid", "fixed_table", "partner_id")


def evening_base(evening: Evening) -> dict[str, Any]:
    """Return JSON: the keys of the club's memberships, and the fields of each attendance by the player's id."""
    keys = evening.season.club.memberships.order_by("pk").values_list("key", flat=True)
    return {"people": [str(key) for key in keys], "attendances": attendance_fields(evening)}


def attendance_fields(evening: Evening) -> dict[str, list[Any]]:
    rows = Attendance.objects.filter(evening=evening).order_by("pk").values_list("player_id", *FIELDS)
    return {str(player): list(values) for player, *values in rows}


def changes_since(evening: Evening, base: dict[str, Any]) -> list[str]:
    """Return the check-ins that differ from the base, each as a sentence."""
    before, now = base["attendances"], attendance_fields(evening)
    changed = {player for player in before.keys() | now.keys() if before.get(player) != now.get(player)}
    sentences = []
    for player in Player.objects.filter(pk__in=map(int, changed)):
        if str(player.pk) not in before:
            text = _("%(player)s was checked in here.")
        elif str(player.pk) not in now:
            text = _("The check-in of %(player)s was taken back here.")
        else:
            text = _("The check-in or the fee of %(player)s was changed here.")
        sentences.append(text % {"player": player})
    return sentences
