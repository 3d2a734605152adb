from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, notifications
from league.actions.refusals import WrongState, check_not_closed
from league.models import Contest, Deal
from league.models.audit_entry import AuditEvent
from players.models import User


@transaction.atomic
def record_contest(deal_id: int, *, player_id: int, reason: str, now: datetime) -> Contest:
    """Store a player's objection to a deal, and email the users who record results.

    If the player has an unanswered objection to this deal, return it unchanged. Raise WrongState if the deal is voided,
    its evening's results are final, or its season is closed.
    """
    # The second of two simultaneous requests waits, and then finds the contest of the first. The primary key is not
    # locked: new rows may refer to the deal.
    locked = Deal.objects.select_for_update(of=("self",), no_key=True)
    deal = locked.select_related("table__round__evening__season").get(pk=deal_id)
    waiting: Contest | None = Contest.objects.filter(deal=deal, player=player_id, answered_at=None).first()
    if waiting is not None:
        return waiting
    evening = deal.table.round.evening
    if deal.voided_at is not None:
        raise WrongState(_("The deal is voided: it counts for nothing."))
    check_not_closed(evening.season)
    if not evening.is_contestable(now):
        raise WrongState(_("The evening's results are final: its deals can no longer be contested."))
    new_contest: Contest = Contest.objects.create(deal=deal, player_id=player_id, reason=reason.strip(), raised_at=now)
    audit.log(AuditEvent.DEAL_CONTESTED, new_contest, author=player_id, reason=reason)
    notifications.notify_contest(new_contest)
    return new_contest


@transaction.atomic
def answer_contest(contest_id: int, *, answer: str, by: User, now: datetime) -> Contest:
    """Store the `answer` to a player's objection, and email the player. A repeated request does nothing.

    Raise WrongState if another user has given a different answer meanwhile.
    """
    locked = Contest.objects.select_for_update(of=("self",), no_key=True)
    pending: Contest = locked.select_related("deal__table__round__evening__season").get(pk=contest_id)
    if pending.answered_at is not None:
        if pending.answer == answer.strip():
            return pending
        raise WrongState(_("This was answered meanwhile: %(answer)s") % {"answer": pending.answer})
    pending.answer, pending.answered_at, pending.answered_by = answer.strip(), now, by
    pending.save(update_fields=["answer", "answered_at", "answered_by"])
    audit.log(AuditEvent.CONTEST_ANSWERED, pending, by=by, reason=answer)
    notifications.notify_contest_answer(pending)
    return pending
