"""The text of emails about the reader's account, in the reader's language and a club's time."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import ApiToken, Notification
from league.models.notification import AccountNotificationKind
from league.notifications.work.wording import Wording, absolute
from players.dates import date_format


def account_wording(kind: AccountNotificationKind, notifications: Sequence[Notification]) -> Wording:
    match kind:
        case AccountNotificationKind.TOKEN:
            return _tokens(notifications)


def _tokens(notifications: Sequence[Notification]) -> Wording:
    tokens = ApiToken.objects.in_bulk([letter.subject for letter in notifications])
    lines = [_token(letter, tokens.get(letter.subject)) for letter in notifications]
    return Wording(
        _("A token for programs was made for your account"),
        [
            *lines,
            _("Whoever has a token reads what you may see, and changes nothing. Yours: %(tokens)s")
            % {"tokens": absolute(reverse("league:tokens"))},
            _("If it was not you, revoke it there and choose another password: %(password)s")
            % {"password": absolute(reverse("account_change_password"))},
        ],
    )


def _token(notification: Notification, token: ApiToken | None) -> str:
    """The token may be revoked meanwhile."""
    time = date_format(timezone.localtime(notification.written_at), "DATETIME_FORMAT")
    if token is None:
        return _("%(at)s: a token, which was revoked since") % {"at": time}
    return _("%(at)s: the token “%(name)s”") % {"at": time, "name": token}
