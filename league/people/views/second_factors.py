"""A page where a club requires a second factor of its committee, and sees which committee members have one."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.actions import clubs
from league.models import Club
from league.models.rights import Right, roles_with_right
from league.people.views.members import current_user
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403
from league.web.password_again import ask_password


@login_required
@allow_get_and_post
def second_factors(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    if request.method == "POST":
        return _change_requirement(request, club)
    factors = Authenticator.objects.filter(user=OuterRef("player__user"))
    committee = club.memberships.filter(role__in=roles_with_right(Right.RECORD))
    context = club_context(club, request.user) | {
        "committee": committee.select_related("player").annotate(has_factor=Exists(factors)),
        "has_own": Authenticator.objects.filter(user=current_user(request)).exists(),
    }
    return render(request, "league/people/second_factors.html", context)


def _change_requirement(request: HttpRequest, club: Club) -> HttpResponse:
    answer = request.POST.get("asked")
    if answer not in ("yes", "no"):
        messages.error(request, _("Choose whether the club asks for it."))
        return redirect("league:second-factors", club.slug)
    if answer == "no":
        ask_password(request)
    is_required, user = answer == "yes", current_user(request)
    message = (
        _("The club asks for a second factor.") if is_required else _("The club no longer asks for a second factor.")
    )
    run_action(request, lambda: clubs.require_second_factor(club, is_required, by=user), message)
    return redirect("league:second-factors", club.slug)
