from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from league.actions import email_events as events
from league.actions import notifications
from league.models.notification import wanted_kinds
from league.notifications.forms import NotificationsForm
from league.notifications.work import provider_events
from league.notifications.work.unsubscribe_links import UnreadableLink, read_link
from league.web.http_methods import allow_get_and_post
from players.models import User


@login_required
@allow_get_and_post
def notification_settings(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if request.method == "POST" and "resume" in request.POST:
        events.resume_emails(request.user)
        messages.success(request, _("Your e-mails are switched on again."))
        return redirect("league:letters")
    form = NotificationsForm(request.POST if request.method == "POST" else None, user=request.user)
    if request.method == "POST" and form.is_valid():
        notifications.store_notification_choices(request.user, form.wanted_kinds, form.offered_kinds)
        messages.success(request, _("Your choice is kept."))
        return redirect("league:letters")
    return render(request, "league/notifications/letters.html", {"form": form}, status=422 if form.errors else 200)


# A mail program sends a POST without a session and without an earlier GET (RFC 8058). The link is signed and can only
# stop emails. A GET, for example by a mail scanner, stops no emails.
@csrf_exempt
@allow_get_and_post
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask, then stop the emails of one kind. The signed link is enough: the user need not be signed in."""
    try:
        link = read_link(token)
    except UnreadableLink:
        raise Http404 from None
    recipient = get_object_or_404(User, pk=link.user)
    if recipient.language:
        translation.activate(recipient.language)
    if request.method == "POST":
        notifications.store_notification_choices(recipient, (), [link.kind])
    context = {"kind": link.kind.label, "stopped": link.kind not in wanted_kinds(recipient)}
    return render(request, "league/notifications/stop.html", context)


@csrf_exempt  # the provider signs its requests
@require_POST
def email_events(request: HttpRequest) -> HttpResponse:
    """Record returned emails and complaints of recipients, as the mail provider reports them."""
    try:
        reported = provider_events.read_events(request)
    except provider_events.UnreadableEvents:
        return HttpResponseBadRequest()
    for event in reported:
        if event.is_complaint:
            events.record_spam_complaint(event.address)
        else:
            events.record_returned_email(event.address, now=timezone.now())
    return HttpResponse(status=204)
