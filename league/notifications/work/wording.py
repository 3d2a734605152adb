"""What letters say, in the reader's language and the club's time; of what the reader may see now, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.evenings.queries.evening_ranking import ranking
from league.models import Club, Contest, Deal, Evening, Score
from league.models.notification import NotificationKind
from league.sheets.queries.deal_places import deal_place
from players.dates import date_format
from players.models import User
from scoring.numbers import localised, plural_number


class Wording(NamedTuple):
    """A letter's subject and what it tells, a paragraph each."""

    subject: str
    told: list[str]


def wording(kind: NotificationKind, club: Club, reader: User, subjects: Sequence[int], now: datetime) -> Wording | None:
    """Return what a letter says of these subjects; None where nothing is left that the reader may be told.

    Call it with the reader's language and the club's time zone.
    """
    told = _TOLD[kind](club, reader, subjects, now)
    if not told:
        return None
    said = {"club": club, "count": len(told)}
    return Wording(_subject(kind, len(told)) % said, told)


def _subject(kind: NotificationKind, count: int) -> str:
    match kind:
        case NotificationKind.PLANNED:
            return ngettext("%(club)s: an evening is planned", "%(club)s: %(count)s evenings are planned", count)
        case NotificationKind.RESULTS:
            return _("%(club)s: the results of the evening")
        case NotificationKind.CORRECTED:
            return ngettext(
                "%(club)s: a deal at your table was corrected",
                "%(club)s: %(count)s deals at your table were corrected",
                count,
            )
        case NotificationKind.ANSWERED:
            return _("%(club)s: the deal that you contested was answered")
        case NotificationKind.CONTESTED:
            return ngettext("%(club)s: a deal is contested", "%(club)s: %(count)s deals are contested", count)


def _planned(club: Club, reader: User, subjects: Sequence[int], now: datetime) -> list[str]:
    announced = Evening.objects.announced(timezone.localdate(now)).filter(pk__in=subjects, season__club=club)
    return [_evening_ahead(evening) for evening in announced.with_season()]


def _evening_ahead(evening: Evening) -> str:
    hour = date_format(evening.begins, "TIME_FORMAT") if evening.begins else ""
    when = [part for part in (_day(evening), hour, evening.where) if part]
    return "\n".join([", ".join(when), *_named(evening), _link(evening)])


def _results(club: Club, reader: User, subjects: Sequence[int], now: datetime) -> list[str]:
    closed = Evening.objects.closed().filter(pk__in=subjects, season__club=club).order_by("date", "pk")
    return [line for evening in closed.with_season() if (line := _own_result(evening, reader))]


def _own_result(evening: Evening, reader: User) -> str:
    """Return the reader's line of the ranking; nothing where he is not in it any more."""
    places = ranking(evening)
    own = next((place for place in places if place.player == reader.player.pk), None)
    if own is None:
        return ""
    line = ngettext(
        "Your place: %(rank)s of %(number)s, with %(points)s point.",
        "Your place: %(rank)s of %(number)s, with %(points)s points.",
        plural_number(own.points),
    ) % {
        "rank": own.rank,
        "number": len(places),
        "points": localised(own.points),
    }
    return "\n".join([_day(evening), *_named(evening), line, _link(evening)])


def _corrected(club: Club, reader: User, subjects: Sequence[int], now: datetime) -> list[str]:
    closed = Evening.objects.closed().filter(season__club=club)
    own = Deal.objects.filter(pk__in=subjects, table__in=reader.player.seats.values("table"))
    deals = own.filter(table__round__evening__in=closed).with_table().order_by("pk")
    scores = Score.objects.filter(deal__in=deals.order_by(), seat__player=reader.player)
    by_deal = dict(scores.values_list("deal", "points"))
    return ["\n".join([_where(deal), _now(deal, by_deal.get(deal.pk, 0)), _link(deal)]) for deal in deals]


def _now(deal: Deal, own: int) -> str:
    if deal.voided_at is not None:
        return _("It was voided, and counts for nothing.")
    text = ngettext("It gives you %(points)s point now.", "It gives you %(points)s points now.", plural_number(own))
    return text % {"points": f"{'+' if own > 0 else ''}{localised(own)}"}


def _answered(club: Club, reader: User, subjects: Sequence[int], now: datetime) -> list[str]:
    raised = Contest.objects.filter(pk__in=subjects, deal__table__round__evening__season__club=club)
    found = raised.raised_by(reader).exclude(answered_at=None).with_club()
    return [
        "\n".join(
            [
                _where(contest.deal),
                _("You wrote: %(reason)s") % {"reason": contest.reason},
                _("The answer: %(answer)s") % {"answer": contest.answer},
                _link(contest.deal),
            ]
        )
        for contest in found
    ]


def _contested(club: Club, reader: User, subjects: Sequence[int], now: datetime) -> list[str]:
    waiting = Contest.objects.waiting().filter(pk__in=subjects, deal__table__round__evening__season__club=club)
    return [
        "\n".join(
            [
                _where(contest.deal),
                _("%(player)s writes: %(reason)s") % {"player": contest.player, "reason": contest.reason},
                _("Answer: %(link)s") % {"link": absolute(reverse("league:contest-answer", args=[contest.pk]))},
            ]
        )
        for contest in waiting.with_club()
    ]


_TOLD: Final[Mapping[NotificationKind, Callable[[Club, User, Sequence[int], datetime], list[str]]]] = {
    NotificationKind.PLANNED: _planned,
    NotificationKind.RESULTS: _results,
    NotificationKind.CORRECTED: _corrected,
    NotificationKind.ANSWERED: _answered,
    NotificationKind.CONTESTED: _contested,
}


def _day(evening: Evening) -> str:
    return f"{date_format(evening.date, 'l')} {date_format(evening.date, 'DATE_FORMAT')}"


def _named(evening: Evening) -> list[str]:
    """Return the evening's season, with the evening's own name where it has one."""
    return [f"{evening.season}{_(': ')}{evening.name}" if evening.name else str(evening.season)]


def _where(deal: Deal) -> str:
    played = deal.table.round
    return deal_place(deal.number, deal.table.number, played.number, _day(played.evening))


def _link(page: Evening | Deal) -> str:
    return absolute(page.get_absolute_url())


def absolute(path: str) -> str:
    """Return where a page is, as far as the settings say; no request is there to know it."""
    return f"{settings.SITE_ADDRESS}{path}"
