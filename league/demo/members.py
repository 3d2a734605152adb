"""Other activity of the demo's members: forms of their names, answers whether they come, a contest and a correction.

A contest is a player's objection to a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Final
from uuid import UUID

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from league.actions import attendance, contests, notifications, player_names
from league.actions import deals as deals_actions
from league.models import Deal, Evening, Season
from league.models.evening import EveningState
from league.models.notification import NotificationKind
from players.models import Player, User
from players.naming import NameStyle
from scoring import registry

# By family name: form of the name for the public, form of the name for members, pseudonym.
CHOSEN_NAMES: Final = {
    "Perrin": (NameStyle.PSEUDONYM, NameStyle.FULL, "L’Excuse"),
    "Étienne": (NameStyle.INITIAL, NameStyle.INITIAL, ""),
}
NOTIFICATION_KINDS: Final = (NotificationKind.CORRECTED, NotificationKind.ANSWERED)  # chosen by the contesting member
TIME_UNTIL_MORNING: Final = timedelta(hours=10)  # from the end of an evening to the morning after it


def choose_names(players: Sequence[Player]) -> None:
    for player in players:
        if player.family_name in CHOSEN_NAMES:
            public, members, pseudonym = CHOSEN_NAMES[player.family_name]
            player_names.choose_naming(player.pk, public=public, members=members, pseudonym=pseudonym)


def announce_attendance(evening: Evening, players: Sequence[Player]) -> None:
    """Record for two of three players that they come, and for the others that they do not come."""
    for number, player in enumerate(players):
        attendance.record_intention(evening.pk, player.pk, comes=number % 3 != 0)


@transaction.atomic
def contest_deals(rng: Random, season: Season, member: Player, secretary: User) -> None:
    """Let the member object to two of their deals in the season: a deal of a closed evening and a deal of tonight.

    The secretary corrects the first deal and answers; the second objection waits for an answer. A deal that does not
    exist is left out.
    """
    assert member.user is not None
    notifications.store_notification_choices(member.user, NOTIFICATION_KINDS, NOTIFICATION_KINDS)
    first_deals = Deal.objects.filter(table__seats__player=member, table__round__evening__season=season, number=1)
    closed = first_deals.filter(table__round__evening__state=EveningState.CLOSED).with_table()
    deal = closed.order_by("-table__round__evening__date", "pk").first()
    if deal is not None:
        _contest_and_correct(rng, deal, member, secretary)
    tonight = first_deals.filter(table__round__evening__state=EveningState.OPEN, table__complete=True).with_table()
    waiting = tonight.order_by("pk").first()
    if waiting is not None:
        opened_at = waiting.table.round.evening.opened_at
        assert opened_at is not None
        contests.record_contest(waiting.pk, player_id=member.pk, reason=_("We noted other points."), now=opened_at)


def _contest_and_correct(rng: Random, deal: Deal, member: Player, secretary: User) -> None:
    evening, season = deal.table.round.evening, deal.table.round.evening.season
    assert evening.closed_at is not None
    morning = evening.closed_at + TIME_UNTIL_MORNING
    with pghistory.context(user=member.user_id):
        raised = contests.record_contest(
            deal.pk, player_id=member.pk, reason=_("That is another table’s deal."), now=morning
        )
    seats = deal.table.size - len(deal.rests)
    facts = registry.play(season.game)(rng, seats, [0.5] * seats, season.house_rules, []).facts
    with pghistory.context(user=secretary.pk):
        deals_actions.revise(
            deal.pk,
            facts,
            client_key=UUID(int=rng.getrandbits(128), version=4),
            seen_version=deal.version,
            now=morning,
            reason=_("Read from another table’s sheet"),
        )
        contests.answer_contest(raised.pk, answer=_("You are right: it is corrected."), by=secretary, now=morning)
