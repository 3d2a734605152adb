from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions import clubs, people
from league.imports.queries.list_file import MAX_UPLOADED
from league.imports.queries.listed_people import PersonOutcome, PlannedPerson, compare_people
from league.models import Club, Membership, visible
from league.models.rights import Role
from league.people.forms.members import MemberDetailsForm, MemberListForm
from league.people.views.members import managed_membership
from league.web.list_form import answers_by_line
from league.web.lookups import managed_or_403
from league.web.request_body import accept_file


@login_required
def edit_details(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club, membership = managed_membership(request, slug, pk)
    can_rename = (
        not visible.clubs_with_rows_of(membership.player).exclude(pk__in=Club.objects.managed_by(request.user)).exists()
    )
    form = MemberDetailsForm(membership=membership, can_rename=can_rename)
    if request.method == "POST":
        with clubs.lock_club(club):
            membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
            form = MemberDetailsForm(request.POST, membership=membership, can_rename=can_rename)
            if form.is_valid():
                membership = _change_details(form, can_rename=can_rename)
        if form.is_valid():
            messages.success(request, _("%(player)s: the details are changed.") % {"player": membership.player})
            return redirect("league:members", club.slug)
    context = {"club": club, "can_manage": True, "player": membership.player, "form": form}
    context |= {"record": membership, "roles": Role.choices}
    return render(request, "league/people/member_edit.html", context, status=422 if form.errors else 200)


def _change_details(form: MemberDetailsForm, *, can_rename: bool) -> Membership:
    cleaned_data = form.cleaned_data
    names = (cleaned_data["given_name"], cleaned_data["family_name"]) if can_rename else None
    return people.change_details(
        form.membership.pk,
        names=names,
        number=cleaned_data["number"],
        email=cleaned_data["email"],
        phone=cleaned_data["phone"],
    )


@login_required
@accept_file(MAX_UPLOADED)
def import_people(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    form = MemberListForm(request.POST, request.FILES) if request.method == "POST" else MemberListForm()
    lines: Sequence[PlannedPerson] = []
    if request.method == "POST" and form.is_valid():
        answers = answers_by_line(request.POST)
        if "store" not in request.POST:
            lines = compare_people(club, form.people, answers)
        else:
            try:
                imported = people.import_people(club, form.people, answers)
            except people.AnswersMissing as unanswered:
                lines = unanswered.lines
                messages.error(request, _("Nothing was imported yet: some lines ask who is meant."))
            else:
                messages.success(request, _import_summary(imported))
                return redirect("league:members", club.slug)
    counts = Counter(line.outcome for line in lines)
    context = {"club": club, "can_manage": True, "form": form, "lines": lines, "counts": counts}
    context["same"] = [line for line in lines if line.outcome is PersonOutcome.SAME and not line.similar]
    context["others"] = [line for line in lines if line.outcome is not PersonOutcome.SAME or line.similar]
    context["comes_in"] = counts[PersonOutcome.NEW] + counts[PersonOutcome.UPDATED] + counts[PersonOutcome.UNANSWERED]
    return render(request, "league/people/import_people.html", context, status=422 if form.errors else 200)


def _import_summary(lines: Sequence[PlannedPerson]) -> str:
    count = Counter(line.outcome for line in lines)
    new, updated, wrong = count[PersonOutcome.NEW], count[PersonOutcome.UPDATED], count[PersonOutcome.WRONG]
    sentences = [
        ngettext("%(count)s person is new.", "%(count)s people are new.", new) % {"count": new},
        ngettext("%(count)s was changed.", "%(count)s were changed.", updated) % {"count": updated},
    ]
    if wrong:
        sentences.append(
            ngettext("%(count)s line was left out.", "%(count)s lines were left out.", wrong) % {"count": wrong}
        )
    return " ".join(sentences)
