"""What tells a deal that is sent again from another one that comes by the same client key. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models.evening import WrongState

if TYPE_CHECKING:
    from league.models.deal import Deal


class SentBefore(WrongState):
    """The client key was used for another deal: a form that was sent, gone back to and filled in anew."""

    def __init__(self, deal: Deal) -> None:
        """`deal` is what was sent by the key before."""
        if deal.voided_at is None:
            text = _(
                "What you sent here before is deal %(number)s; this is not the same. Send it again if it is one more "
                "deal. To correct deal %(number)s, open that one."
            )
        else:
            text = _("What you sent here before was recorded, and voided since. Send this again if it is another deal.")
        super().__init__(text % {"number": deal.number})


def any_says(rows: QuerySet[Any], facts: Mapping[str, Any], rests: Sequence[int] | None) -> bool:
    """Whether a row, of a deal or of its history, has these facts; and these rests, unless they go by turns."""
    same = rows.filter(facts=facts)
    return (same if rests is None else same.filter(rests=sorted(rests))).exists()
