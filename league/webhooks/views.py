"""Pages of a club's webhooks, for its admins. A new secret is shown once, in the response to the form."""

from __future__ import annotations

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.actions import webhooks as actions
from league.actions.refusals import StaleVersion, WrongState
from league.models import Club, Webhook
from league.models.webhook import MAX_WEBHOOKS
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403
from league.web.numbers import parse_number
from league.webhooks.forms import WebhookForm

DELIVERIES_LISTED = 20  # number of latest deliveries on a webhook's page


@login_required
@allow_get_and_post
@never_cache
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """List the club's webhooks, with a form for a new one."""
    club = managed_or_403(Club.objects, request.user, slug=slug)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            webhook = actions.add_webhook(club, **form.cleaned_data, now=timezone.now())
        except actions.AddressTaken:
            form.add_error("address", _("The club has this address already."))
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            return _render_webhook(request, webhook, new_secret=webhook.secret)
    context = {
        **club_context(club, request.user),
        "webhooks": list(club.webhooks.all()),
        "most": MAX_WEBHOOKS,
        "form": form,
    }
    return render(request, "league/webhooks/webhooks.html", context, status=422 if form.errors else 200)


@login_required
@allow_get_and_post
@never_cache
def webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a webhook with its latest deliveries. A POST changes its URL and events."""
    row = _webhook_or_403(request, pk)
    if request.method != "POST":
        return _render_webhook(request, row)
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            actions.change_webhook(row, **form.cleaned_data)
        except actions.AddressTaken:
            form.add_error("address", _("The club has this address already."))
        else:
            messages.success(request, _("The webhook is changed."))
            return redirect(row)
    return _render_webhook(request, row, form)


def _render_webhook(
    request: HttpRequest, row: Webhook, form: WebhookForm | None = None, *, new_secret: str = ""
) -> HttpResponse:
    """Render the page of a webhook. `new_secret` is shown once."""
    form = form or WebhookForm(initial={"address": row.address, "events": row.events})
    context = {
        **club_context(row.club, request.user),
        "webhook": row,
        "form": form,
        "new_secret": new_secret,
        "now": timezone.now(),
        "deliveries": list(row.deliveries.all()[:DELIVERIES_LISTED]),
    }
    return render(request, "league/webhooks/webhook.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def send_test(request: HttpRequest, pk: int) -> HttpResponse:
    row = _webhook_or_403(request, pk)
    if consume(request, action="test_webhook"):
        actions.send_test(row, now=timezone.now())
        messages.success(request, _("The test is on its way. Load this page again to see the answer."))
    else:
        messages.error(request, _("So many tests in an hour can’t be right. Try again later."))
    return redirect(row)


@login_required
@allow_get_and_post
@never_cache
def rotate_secret(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then create a new secret. The form's `seen` is the number of the secret that the page showed."""
    row = _webhook_or_403(request, pk)
    if request.method == "POST":
        number = parse_number(request.POST.get("seen", ""), max_digits=9) or 0
        try:
            row = actions.rotate_secret(row, seen_number=number, now=timezone.now())
        except StaleVersion:
            messages.error(request, _("The secret was replaced meanwhile. It is shown only once."))
            return redirect(row)
        return _render_webhook(request, row, new_secret=row.secret)
    return render(request, "league/webhooks/secret.html", {**club_context(row.club, request.user), "webhook": row})


@login_required
@require_POST
def pause(request: HttpRequest, pk: int) -> HttpResponse:
    row = _webhook_or_403(request, pk)
    actions.pause(row)
    messages.success(request, _("The webhook is paused."))
    return redirect(row)


@login_required
@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    row = _webhook_or_403(request, pk)
    actions.resume(row)
    messages.success(request, _("The webhook gets messages again."))
    return redirect(row)


@login_required
@allow_get_and_post
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    row = _webhook_or_403(request, pk)
    if request.method == "POST":
        actions.delete_webhook(row)
        messages.success(request, _("The webhook is deleted."))
        return redirect("league:webhooks", row.club.slug)
    return render(request, "league/webhooks/delete.html", {**club_context(row.club, request.user), "webhook": row})


def _webhook_or_403(request: HttpRequest, pk: int) -> Webhook:
    return managed_or_403(Webhook.objects.select_related("club"), request.user, pk=pk)
