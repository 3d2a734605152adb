from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import club_deletion
from league.models import Club
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403
from league.web.password_again import ask_password
from players.models import User


@login_required
@allow_get_and_post
def request_deletion(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    if request.method != "POST":
        context = club_context(club, request.user) | {"days": club_deletion.DELETION_DELAY.days}
        return render(request, "league/clubs/club_delete.html", context)
    ask_password(request)
    assert isinstance(request.user, User)  # login_required
    club_deletion.request_deletion(club, by=request.user, now=timezone.now())
    messages.success(request, _("%(club)s will be deleted. Until then its admins can take it back.") % {"club": club})
    return redirect("league:club-delete", club.slug)


@login_required
@require_POST
def cancel_deletion(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    assert isinstance(request.user, User)  # login_required
    club_deletion.cancel_deletion(club, by=request.user)
    messages.success(request, _("%(club)s stays. Everybody sees it again as before.") % {"club": club})
    return redirect(club)
