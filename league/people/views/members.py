"""A club's people: who they are, their roles, and how they are invited."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.actions import audit, clubs, people, roles
from league.models import Club, Membership, visible
from league.models.audit_entry import AuditEvent, Export
from league.models.rights import Right, Role
from league.people.forms.members import MemberForm, RoleForm
from league.people.tables import ManagedMembersTable, MembersTable, NamesTable
from league.people.views.member_file import rows
from league.web.exports import shown_files, spreadsheet
from league.web.finding import frame, managed, recordable, seen
from league.web.password_again import ask_password_for_roles
from league.web.tables import paged
from players.forms.search import SearchForm
from players.models import Player, User
from players.naming import Readers, show, sort_key

PAGE = 100


def members(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's people, as much of them as the reader may see."""
    club = seen(Club.objects, request.user, slug=slug)
    context = frame(club, request.user)
    inside = bool(context["can_read"])
    records = context["can_record"] and not context["lacks_second_factor"]
    if records:
        show(Readers.WORK)
    search = SearchForm(request.GET)
    typed = search.typed
    table_class = ManagedMembersTable if context["can_manage"] else MembersTable if inside else NamesTable
    table = table_class(_people(club, typed, inside=inside))
    if not records and inside:
        table.exclude = ("number", "contact")
    paged(table, request, PAGE)
    files = shown_files(request, "members", club.slug) if records else {}
    context |= {"table": table, "search": search, "typed": typed, "roles": Role.choices, "files": files}
    if context["can_manage"]:
        waiting = club.memberships.filter(login_unconfirmed=True, player__user__isnull=False)
        context["unconfirmed"] = waiting.select_related("player")
    return render(request, "league/people/members.html", context, status=422 if search.errors else 200)


@login_required
@require_POST
def member_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    """The same people with their numbers and addresses as a file, which comes in again as a list."""
    club = recordable(Club.objects, request.user, slug=slug)
    show(Readers.WORK)
    search = SearchForm(request.GET)
    if not search.is_valid():
        raise BadRequest
    audit.log(AuditEvent.EXPORTED, club, by=acting_user(request), what=Export.MEMBERS)
    typed = search.typed
    people = _people(club, typed, inside=True).order_by(f"player__{sort_key()}", "pk")
    title = _("Members")
    answer = spreadsheet(rows(people), extension, title, f"{club} {title} {typed}".strip())
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _people(club: Club, typed: str, *, inside: bool) -> QuerySet[Membership]:
    """Memberships whose player the typed words find."""
    people = visible.memberships_of(club, inside=inside).filter(player__in=Player.objects.found_by(typed))
    # Sorted by role is as the roles are listed, the last first.
    weight = Case(*(When(role=role, then=Value(-at)) for at, role in enumerate(Role)), output_field=IntegerField())
    return people.select_related("club").annotate(has_login=Q(player__user__isnull=False), weight=weight)


@login_required
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a new person on the club's list; a similar name is asked about first."""
    club = managed(Club.objects, request.user, slug=slug)
    form = MemberForm(request.POST or None, club=club)
    player = _added(request, club, form) if request.method == "POST" else None
    if player is not None:
        messages.success(request, _("%(player)s is on the list.") % {"player": player})
        return redirect("league:members", club.slug)
    return render(request, "league/people/member_add.html", {"club": club, "can_manage": True, "form": form})


def _added(request: HttpRequest, club: Club, form: MemberForm) -> Player | None:
    """The new person, or None with the form's errors."""
    with clubs.locked(club):
        if not form.is_valid():
            return None
        facts = form.cleaned_data
        ask_password_for_roles(request, facts["role"])
        return people.add(club, facts["given_name"], facts["family_name"], Role(facts["role"]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change a member's role, on the page of all."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    if request.method != "POST":
        return redirect("league:members", club.slug)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles."))
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role, form.cleaned_data["role"])
    try:
        changed = roles.change_role(membership.pk, Role(form.cleaned_data["role"]), by=acting_user(request))
    except roles.LastAdmin:
        messages.error(request, _last_admin(membership.player))
    else:
        names = {"player": changed.player, "role": changed.get_role_display()}
        messages.success(request, _("%(player)s: %(role)s.") % names)
    return redirect("league:members", club.slug)


@login_required
@require_POST
def agree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let a member's login that another club gave read this club."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    roles.agree_to_login(membership.pk, by=acting_user(request))
    messages.success(request, _("%(player)s: the login reads the club now.") % {"player": membership.player})
    return redirect("league:members", club.slug)


@login_required
def end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Put somebody out of the club, after a question."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    player = membership.player
    ask_password_for_roles(request, membership.role)
    if request.method != "POST":
        context = {"club": club, "can_manage": True, "player": player}
        return render(request, "league/people/member_end.html", context)
    try:
        roles.end_membership(membership.pk, by=acting_user(request))
    except roles.LastAdmin:
        messages.error(request, _last_admin(player))
    else:
        messages.success(
            request, _("%(player)s is no longer in the club. Old links no longer work.") % {"player": player}
        )
    if Right.MANAGE in club.rights_of(request.user):
        return redirect("league:members", club.slug)
    return redirect("league:home")  # it was the reader's own


def acting_user(request: HttpRequest) -> User:
    """Return the user of a view that asks for a login."""
    assert isinstance(request.user, User)  # login_required
    return request.user


def _last_admin(player: Player) -> str:
    refusal = _("%(player)s is the club's last admin with a login. Make another person with a login an admin first.")
    return refusal % {"player": player}
