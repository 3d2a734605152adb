"""Choosing the equation by which a game is rated."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from league.actions import audit, due
from league.actions.due import next_night
from league.models import Due, Evening
from league.models.audit_entry import AuditEvent
from players.models import RatingRules


@transaction.atomic
def choose(game: str, rules: str, *, now: datetime) -> RatingRules:
    """Rate the game by these rules; in the next night from its first evening on, unless they were chosen before.

    Raises IntegrityError for rules that there aren't.
    """
    chosen, new = RatingRules.objects.select_for_update().get_or_create(game=game, defaults={"rules": rules})
    if new or chosen.rules != rules:
        chosen.rules = rules
        chosen.save()
        audit.log(AuditEvent.RATING_RULES_CHOSEN, game=game)
        first = Evening.objects.filter(season__game=game).order_by("date").values_list("date", flat=True).first()
        if first:
            due.mark_game(game, first, not_before=next_night(now), why=Due.Why.RATING_RULES)
    return chosen
