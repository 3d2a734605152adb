"""Another e-mail address of one's account."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from django.http import HttpRequest


class AddressForm(AddEmailForm):
    """allauth's, which tells the owner at his main address: a password can be reset by any of them."""

    def save(self, request: HttpRequest) -> Any:
        """Add the address, and tell."""
        address = super().save(request)
        if address.pk and self.user:
            context = {"added_email": address.email}
            get_adapter().send_notification_mail("account/email/address_added", self.user, context)
        return address
