"""The text of notifications, in the recipient's language and the club's time zone.

All queries here are limited to rows that the recipient may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions.club_emails import absolute_address
from league.evenings.queries.evening_ranking import ranking
from league.models import ApiToken, Club, Contest, Deal, Evening, Notification, Score
from league.models.notification import AccountNotificationKind, NotificationKind
from league.sheets.queries.deal_labels import deal_label
from players.dates import date_format
from players.models import User
from scoring.numbers import localise, plural_number


class NotificationText(NamedTuple):
    """Subject and paragraphs of an email."""

    subject: str
    paragraphs: list[str]


def notification_text(
    kind: NotificationKind, club: Club, recipient: User, subjects: Sequence[int], now: datetime
) -> NotificationText | None:
    """Return subject and text of an email; None if the recipient may no longer see any of its subjects.

    `subjects` are the ids of evenings, deals or contests, by `kind`. Call it with the recipient's language and the
    club's time zone active.
    """
    paragraphs = _PARAGRAPHS_BY_KIND[kind](club, recipient, subjects, now)
    if not paragraphs:
        return None
    params = {"club": club, "count": len(paragraphs)}
    return NotificationText(_subject(kind, len(paragraphs)) % params, paragraphs)


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


def _planned_paragraphs(club: Club, recipient: User, subjects: Sequence[int], now: datetime) -> list[str]:
    announced = Evening.objects.announced(timezone.localdate(now)).filter(pk__in=subjects, season__club=club)
    return [_planned_evening_paragraph(evening) for evening in announced.with_season()]


def _planned_evening_paragraph(evening: Evening) -> str:
    hour = date_format(evening.begins, "TIME_FORMAT") if evening.begins else ""
    parts = [part for part in (_day_text(evening), hour, evening.where) if part]
    return "\n".join([", ".join(parts), _season_line(evening), _page_address(evening)])


def _result_paragraphs(club: Club, recipient: User, subjects: Sequence[int], now: datetime) -> list[str]:
    closed = Evening.objects.closed().filter(pk__in=subjects, season__club=club).order_by("date", "pk")
    return [line for evening in closed.with_season() if (line := _result_paragraph(evening, recipient))]


def _result_paragraph(evening: Evening, recipient: User) -> str:
    """Return the recipient's own result of the evening, or "" if the recipient is not in its ranking."""
    rows = ranking(evening)
    own_row = next((row for row in rows if row.player == recipient.player.pk), None)
    if own_row is None:
        return ""
    line = ngettext(
        "Your place: %(rank)s of %(number)s, with %(points)s point.",
        "Your place: %(rank)s of %(number)s, with %(points)s points.",
        plural_number(own_row.points),
    ) % {
        "rank": own_row.rank,
        "number": len(rows),
        "points": localise(own_row.points),
    }
    return "\n".join([_day_text(evening), _season_line(evening), line, _page_address(evening)])


def _correction_paragraphs(club: Club, recipient: User, subjects: Sequence[int], now: datetime) -> list[str]:
    closed = Evening.objects.closed().filter(season__club=club)
    own_deals = Deal.objects.filter(pk__in=subjects, table__in=recipient.player.seats.values("table"))
    deals = own_deals.filter(table__round__evening__in=closed).with_table().order_by("pk")
    scores = Score.objects.filter(deal__in=deals.order_by(), seat__player=recipient.player)
    by_deal = dict(scores.values_list("deal", "points"))
    return [
        "\n".join([_deal_heading(deal), _deal_points_sentence(deal, by_deal.get(deal.pk, 0)), _page_address(deal)])
        for deal in deals
    ]


def _deal_points_sentence(deal: Deal, points: int) -> str:
    if deal.voided_at is not None:
        return _("It was voided, and counts for nothing.")
    text = ngettext("It gives you %(points)s point now.", "It gives you %(points)s points now.", plural_number(points))
    return text % {"points": f"{'+' if points > 0 else ''}{localise(points)}"}


def _answer_paragraphs(club: Club, recipient: User, subjects: Sequence[int], now: datetime) -> list[str]:
    raised = Contest.objects.filter(pk__in=subjects, deal__table__round__evening__season__club=club)
    contests = raised.raised_by(recipient).exclude(answered_at=None).with_club()
    return [
        "\n".join(
            [
                _deal_heading(contest.deal),
                _("You wrote: %(reason)s") % {"reason": contest.reason},
                _("The answer: %(answer)s") % {"answer": contest.answer},
                _page_address(contest.deal),
            ]
        )
        for contest in contests
    ]


def _contest_paragraphs(club: Club, recipient: User, subjects: Sequence[int], now: datetime) -> list[str]:
    waiting = Contest.objects.unanswered().filter(pk__in=subjects, deal__table__round__evening__season__club=club)
    return [
        "\n".join(
            [
                _deal_heading(contest.deal),
                _("%(player)s writes: %(reason)s") % {"player": contest.player, "reason": contest.reason},
                _("Answer: %(link)s") % {"link": absolute_address(reverse("league:contest-answer", args=[contest.pk]))},
            ]
        )
        for contest in waiting.with_club()
    ]


# By kind: a function that returns the paragraphs of an email, at most one for each subject (id).
_PARAGRAPHS_BY_KIND: Final[Mapping[NotificationKind, Callable[[Club, User, Sequence[int], datetime], list[str]]]] = {
    NotificationKind.PLANNED: _planned_paragraphs,
    NotificationKind.RESULTS: _result_paragraphs,
    NotificationKind.CORRECTED: _correction_paragraphs,
    NotificationKind.ANSWERED: _answer_paragraphs,
    NotificationKind.CONTESTED: _contest_paragraphs,
}


def _day_text(evening: Evening) -> str:
    return f"{date_format(evening.date, 'l')} {date_format(evening.date, 'DATE_FORMAT')}"


def _season_line(evening: Evening) -> str:
    return f"{evening.season}{_(': ')}{evening.name}" if evening.name else str(evening.season)


def _deal_heading(deal: Deal) -> str:
    played = deal.table.round
    return deal_label(deal.number, deal.table.number, played.number, _day_text(played.evening))


def _page_address(page: Evening | Deal) -> str:
    return absolute_address(page.get_absolute_url())


def account_notification_text(kind: AccountNotificationKind, notifications: Sequence[Notification]) -> NotificationText:
    """Return subject and text of an email about the user's account. Call it with the user's language active."""
    match kind:
        case AccountNotificationKind.TOKEN:
            return _token_text(notifications)


def _token_text(notifications: Sequence[Notification]) -> NotificationText:
    tokens = ApiToken.objects.in_bulk([notification.subject for notification in notifications])
    lines = [_token_line(notification, tokens.get(notification.subject)) for notification in notifications]
    return NotificationText(
        _("A token for programs was made for your account"),
        [
            *lines,
            _("Whoever has a token reads what you may see, and does what you allowed with it. Yours: %(tokens)s")
            % {"tokens": absolute_address(reverse("league:tokens"))},
            _("If it was not you, revoke it there and choose another password: %(password)s")
            % {"password": absolute_address(reverse("account_change_password"))},
        ],
    )


def _token_line(notification: Notification, token: ApiToken | None) -> str:
    time = date_format(timezone.localtime(notification.written_at), "DATETIME_FORMAT")
    if token is None:
        return _("%(at)s: a token, which was revoked since") % {"at": time}
    if token.scopes:
        return _("%(at)s: the token “%(name)s”, which also writes") % {"at": time, "name": token}
    return _("%(at)s: the token “%(name)s”") % {"at": time, "name": token}
