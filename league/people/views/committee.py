from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions import roles
from league.actions.invitations import UnsentInvitation
from league.actions.refusals import StaleVersion
from league.models import Club
from league.models.rights import Right
from league.people.forms.committee import NO_ADMIN_MESSAGE, CommitteeForm
from league.people.views.invitations import invitation_link, show_unsent_invitations
from league.people.views.members import current_user
from league.web.http_methods import allow_get_and_post
from league.web.lookups import managed_or_403
from league.web.password_again import ask_password


@login_required
@allow_get_and_post
def committee(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    form = CommitteeForm(request.POST if request.method == "POST" else None, club=club)
    is_valid = form.is_bound and form.is_valid()
    if is_valid and "hand_over" in request.POST:
        if response := _change_roles(request, club, form):
            return response
    elif is_valid and not form.changes:
        form.add_error(None, _("Nothing changes."))
    context = {
        "club": club,
        "can_manage": True,
        "form": form,
        "changes": form.changes if is_valid and not form.errors else [],
    }
    return render(request, "league/people/committee.html", context, status=422 if form.errors else 200)


def _change_roles(request: HttpRequest, club: Club, form: CommitteeForm) -> HttpResponse | None:
    """Change the roles and send invitations. If the club would have no admin, add an error to the form, return None."""
    ask_password(request)
    invitation = partial(invitation_link, request) if form.cleaned_data["invite"] else None
    not_sent: list[UnsentInvitation] = []
    try:
        is_changed = roles.change_roles(
            club, form.role_changes, by=current_user(request), invitation=invitation, not_sent=not_sent
        )
    except StaleVersion:
        messages.error(request, _("Somebody else changed a role meanwhile. Look at what stands now."))
        return redirect("league:committee", club.slug)
    except roles.NoAdminLeft:
        form.add_error(None, NO_ADMIN_MESSAGE)
        return None
    text = ngettext("%(count)s role is changed.", "%(count)s roles are changed.", len(is_changed))
    messages.success(request, text % {"count": len(is_changed)})
    if not_sent:
        show_unsent_invitations(request, not_sent)
    if Right.MANAGE in club.rights_of(request.user):
        return redirect("league:committee", club.slug)
    return redirect(club)  # the user is no longer admin
