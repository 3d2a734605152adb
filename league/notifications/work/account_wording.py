"""What letters about a person's own account say, in the reader's language and the time of a club of his."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import ApiToken, Notification
from league.models.notification import AccountNotificationKind
from league.notifications.work.wording import Wording, absolute
from players.dates import date_format


def notice(kind: AccountNotificationKind, letters: Sequence[Notification]) -> Wording:
    """Return what letters of one kind to one reader say."""
    match kind:
        case AccountNotificationKind.TOKEN:
            return _tokens(letters)


def _tokens(letters: Sequence[Notification]) -> Wording:
    there = ApiToken.objects.in_bulk([letter.subject for letter in letters])
    made = [_token(letter, there.get(letter.subject)) for letter in letters]
    return Wording(
        _("A token for programs was made for your account"),
        [
            *made,
            _("Whoever has a token reads what you may see, and changes nothing. Yours: %(tokens)s")
            % {"tokens": absolute(reverse("league:tokens"))},
            _("If it was not you, revoke it there and choose another password: %(password)s")
            % {"password": absolute(reverse("account_change_password"))},
        ],
    )


def _token(letter: Notification, token: ApiToken | None) -> str:
    """Return which token it is; one that was revoked meanwhile is told of as well."""
    at = date_format(timezone.localtime(letter.written_at), "DATETIME_FORMAT")
    if token is None:
        return _("%(at)s: a token, which was revoked since") % {"at": at}
    return _("%(at)s: the token “%(name)s”") % {"at": at, "name": token}
