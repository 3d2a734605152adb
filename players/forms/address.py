from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from django.http import HttpRequest


class AddressForm(AddEmailForm):
    """Adds an email address to the account, and notifies the owner at the primary address.

    The notice is needed because each address of an account can be used to reset the password.
    """

    def save(self, request: HttpRequest) -> Any:
        address = super().save(request)
        if address.pk and self.user:
            context = {"added_email": address.email}
            get_adapter().send_notification_mail("account/email/address_added", self.user, context)
        return address
