"""The reasons why a page asks for the password again: a sentence per URL name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS_BY_VIEW: Final[Mapping[str, str | Promise]] = {
    "league:account-delete": _("To delete your account, confirm that it is you."),
    "league:club-delete": _("To delete the club, confirm that it is you."),
    "league:club-file": _("To download the whole club, confirm that it is you."),
    "league:committee": _("To hand the club over, confirm that it is you."),
    "league:evening-hall": _("To download the club for the hall, confirm that it is you."),
    "league:member-add": _("To add somebody who may do more than a member, confirm that it is you."),
    "league:member-role": _("To change what somebody may do in the club, confirm that it is you."),
    "league:member-end": _("To put out of the club somebody who may do more than a member, confirm that it is you."),
    "league:member-invite": _("To invite somebody who may do more than a member, confirm that it is you."),
    "league:member-send": _("To invite somebody who may do more than a member, confirm that it is you."),
    "league:members-invite": _("To invite somebody who may do more than a member, confirm that it is you."),
    "league:merge": _("To merge two records of one person, confirm that it is you."),
    "league:privacy": _("To download your data, confirm that it is you."),
    "league:second-factors": _("To ask no second factor any more, confirm that it is you."),
    "league:tokens": _("To make a token for programs, confirm that it is you."),
    "account_change_password": _("To change your password, confirm that it is you."),
    "account_email": _("To change your e-mail addresses, confirm that it is you."),
    "mfa_activate_totp": _("To set up an app for codes, confirm that it is you."),
    "mfa_deactivate_totp": _("To stop the app for codes, confirm that it is you."),
    "mfa_generate_recovery_codes": _("To make new recovery codes, confirm that it is you."),
    "mfa_view_recovery_codes": _("To see your recovery codes, confirm that it is you."),
    "mfa_download_recovery_codes": _("To see your recovery codes, confirm that it is you."),
    "mfa_add_webauthn": _("To add a passkey, confirm that it is you."),
    "mfa_remove_webauthn": _("To remove a passkey, confirm that it is you."),
}


def password_reason(request: HttpRequest) -> str | Promise:
    """Return the reason why the next page needs the password, or ""."""
    back = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME) or ""
    try:
        match = resolve(back.partition("?")[0])
    except Resolver404:
        return ""
    return REASONS_BY_VIEW.get(match.view_name, "")
