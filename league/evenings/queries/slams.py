"""The slams (usually deals in which one side won all tricks) of the last two minutes, for the screen in the hall."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Prefetch

from league.models import Deal, Evening, Score
from league.seasons.queries.season_game import game_of_season
from scoring import registry
from scoring.phrases import message_text
from scoring.rules.errors import IllegalDeal

SLAM_DISPLAY_TIME: Final = timedelta(minutes=2)  # the screen polls every few seconds, so that it misses no slam


class Slam(NamedTuple):
    """A slam (usually all tricks for one side): the id of its deal, and a sentence with the players' names."""

    deal: int
    text: str


def recent_slams(evening: Evening, now: datetime) -> list[Slam]:
    """Return the slams that were recorded in the two minutes before `now`, in order of recording.

    Two queries, or one if no deal was recorded.
    """
    return list(_slams(evening, now))


def _slams(evening: Evening, now: datetime) -> Iterator[Slam]:
    game = game_of_season(evening.season)
    if not game.remarks.slams:
        return
    scores = Prefetch("scores", Score.objects.select_related("seat__player").order_by("seat__number"))
    recent = Deal.objects.not_voided().filter(table__round__evening=evening, recorded_at__gt=now - SLAM_DISPLAY_TIME)
    for deal in recent.order_by("recorded_at", "pk").prefetch_related(scores):
        names = [str(score.seat.player) for score in deal.scores.all()]
        try:
            [played] = registry.rules(evening.season.game).read_earlier(len(names), [deal.facts])
        except IllegalDeal:  # listed among the sheets
            continue
        for remark in game.remarks.find_remarks(played):
            if remark.code in game.remarks.slams:
                yield Slam(deal.pk, message_text(game, remark.code, remark.params, names))
