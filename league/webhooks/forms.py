from __future__ import annotations

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.models import Webhook
from league.models.webhook import WebhookEvent
from league.webhooks.queries.addresses import RefusedAddress, check_address


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=_("Address"),
        max_length=Webhook._meta.get_field("address").max_length,
        help_text=_("Of your own program, for example https://club.example/hook."),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Send a message when"), choices=WebhookEvent, widget=forms.CheckboxSelectMultiple
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            if any(letter.isspace() or not letter.isprintable() for letter in address):
                raise RefusedAddress
            check_address(address)
        except RefusedAddress:
            if settings.WEBHOOK_ALLOWED_HOSTS:
                hosts = ", ".join(settings.WEBHOOK_ALLOWED_HOSTS)
                words = _("This installation sends to these hosts only: %(hosts)s.") % {"hosts": hosts}
                raise ValidationError(words) from None
            raise ValidationError(
                _("Write an address that begins with https://, of a host on the public internet.")
            ) from None
        return address
