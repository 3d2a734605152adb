from __future__ import annotations

from datetime import datetime

from django.db import transaction

from league.actions import audit, pending_recomputes
from league.actions.pending_recomputes import next_nightly_run
from league.models import Evening, PendingRecompute
from league.models.audit_entry import AuditEvent
from players.models import RatingRules


@transaction.atomic
def choose_rules(game: str, rules: str, *, now: datetime) -> RatingRules:
    """Store the name of the rating rules for a game. Raise IntegrityError for an unknown name.

    If the rules have changed, the next nightly run computes all ratings of the game again.
    """
    rating_rules, new = RatingRules.objects.select_for_update().get_or_create(game=game, defaults={"rules": rules})
    if new or rating_rules.rules != rules:
        rating_rules.rules = rules
        rating_rules.save()
        audit.log(AuditEvent.RATING_RULES_CHOSEN, game=game)
        first = Evening.objects.filter(season__game=game).order_by("date").values_list("date", flat=True).first()
        if first:
            pending_recomputes.mark_game(
                game, first, not_before=next_nightly_run(now), why=PendingRecompute.Reason.RATING_RULES
            )
    return rating_rules
