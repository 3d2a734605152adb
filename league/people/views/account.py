from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.actions.account_deletion import clubs_without_other_admin, delete_account
from league.people.views.members import current_user
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.password_again import ask_password


@login_required
@never_cache
@allow_get_and_post
def delete_own_account(request: HttpRequest) -> HttpResponse:
    user = current_user(request)
    if request.method != "POST":
        return render(request, "league/people/account_delete.html", {"needing": clubs_without_other_admin(user)})
    if not clubs_without_other_admin(user):
        ask_password(request)
    if not run_action(request, lambda: delete_account(user.pk)):
        return redirect("league:account-delete")
    logout(request)
    messages.success(request, _("Your account is deleted. An e-mail says so, too."))
    return redirect("league:home")
