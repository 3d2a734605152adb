from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import audit, clubs, people, roles
from league.imports.queries.spreadsheet_cells import Cell
from league.models import Club, Membership, visible
from league.models.audit_entry import AuditEvent, ExportKind
from league.models.rights import Right, Role
from league.people.forms.members import NewMemberForm, RoleForm
from league.people.tables import ManagedMembersTable, MembersTable, NamesTable
from league.web.exports import export_addresses, spreadsheet_response
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403, recordable_or_403, visible_or_404
from league.web.password_again import ask_password_for_roles
from league.web.tables import paginate
from players.forms.search import SearchForm
from players.models import Player, User
from players.naming import Audience, name_sort_field, show_names_to

PAGE_SIZE = 100


def members(request: HttpRequest, slug: str) -> HttpResponse:
    club = visible_or_404(Club.objects, request.user, slug=slug)
    context = club_context(club, request.user)
    is_member = bool(context["can_read"])
    can_see_contacts = context["can_record"] and not context["lacks_second_factor"]
    if can_see_contacts:
        show_names_to(Audience.COMMITTEE)
    search = SearchForm(request.GET)
    typed = search.search_text
    table_class = ManagedMembersTable if context["can_manage"] else MembersTable if is_member else NamesTable
    table = table_class(_filter_memberships(club, typed, is_member=is_member))
    if not can_see_contacts and is_member:
        table.exclude = ("number", "contact")
    paginate(table, request, PAGE_SIZE)
    files = export_addresses(request, "members", club.slug) if can_see_contacts else {}
    context |= {"table": table, "search": search, "typed": typed, "roles": Role.choices, "files": files}
    if context["can_manage"]:
        unconfirmed = club.memberships.filter(login_unconfirmed=True, player__user__isnull=False)
        context["unconfirmed"] = unconfirmed.select_related("player")
    return render(request, "league/people/members.html", context, status=422 if search.errors else 200)


@login_required
@require_POST
def member_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    club = recordable_or_403(Club.objects, request.user, slug=slug)
    show_names_to(Audience.COMMITTEE)
    search = SearchForm(request.GET)
    if not search.is_valid():
        raise BadRequest
    audit.log(AuditEvent.EXPORTED, club, by=current_user(request), what=ExportKind.MEMBERS)
    typed = search.search_text
    people = _filter_memberships(club, typed, is_member=True).order_by(f"player__{name_sort_field()}", "pk")
    title = _("Members")
    response = spreadsheet_response(_file_rows(people), extension, title, f"{club} {title} {typed}".strip())
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _file_rows(memberships: Iterable[Membership]) -> Iterator[list[Cell]]:
    yield [_("Given name"), _("Family name"), _("Member number"), _("E-mail"), _("Telephone")]
    for membership in memberships:
        player = membership.player
        yield [player.given_name, player.family_name, membership.number, membership.email, membership.phone]


def _filter_memberships(club: Club, search_text: str, *, is_member: bool) -> QuerySet[Membership]:
    people = visible.memberships_of(club, with_guests=is_member).filter(player__in=Player.objects.search(search_text))
    # Sorted from the role with most rights, which is the last of `Role`.
    weight = Case(
        *(When(role=role, then=Value(-index)) for index, role in enumerate(Role)), output_field=IntegerField()
    )
    return people.select_related("club").annotate(has_login=Q(player__user__isnull=False), weight=weight)


@login_required
def add_member(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    form = NewMemberForm(request.POST or None, club=club)
    player = _add_member(request, club, form) if request.method == "POST" else None
    if player is not None:
        messages.success(request, _("%(player)s is on the list.") % {"player": player})
        return redirect("league:members", club.slug)
    context = {"club": club, "can_manage": True, "form": form}
    return render(request, "league/people/member_add.html", context, status=422 if form.errors else 200)


def _add_member(request: HttpRequest, club: Club, form: NewMemberForm) -> Player | None:
    """Add the member. Return None if the form is invalid."""
    with clubs.lock_club(club):
        if not form.is_valid():
            return None
        cleaned_data = form.cleaned_data
        ask_password_for_roles(request, cleaned_data["role"])
        return people.add_person(
            club, cleaned_data["given_name"], cleaned_data["family_name"], Role(cleaned_data["role"])
        )


@login_required
@allow_get_and_post
def change_role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club, membership = managed_membership(request, slug, pk)
    if request.method != "POST":
        return redirect("league:members", club.slug)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles."))
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role, form.cleaned_data["role"])
    try:
        membership = roles.change_role(membership.pk, Role(form.cleaned_data["role"]), by=current_user(request))
    except roles.NoAdminLeft:
        messages.error(request, _last_admin_message(membership.player))
    else:
        names = {"player": membership.player, "role": membership.get_role_display()}
        messages.success(request, _("%(player)s: %(role)s.") % names)
    return redirect("league:members", club.slug)


@login_required
@require_POST
def accept_login(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club, membership = managed_membership(request, slug, pk)
    roles.confirm_login(membership.pk, by=current_user(request))
    messages.success(request, _("%(player)s: the login reads the club now.") % {"player": membership.player})
    return redirect("league:members", club.slug)


@login_required
def end_membership(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club, membership = managed_membership(request, slug, pk)
    player = membership.player
    ask_password_for_roles(request, membership.role)
    if request.method != "POST":
        context = {"club": club, "can_manage": True, "player": player}
        return render(request, "league/people/member_end.html", context)
    try:
        roles.end_membership(membership.pk, by=current_user(request))
    except roles.NoAdminLeft:
        messages.error(request, _last_admin_message(player))
    else:
        messages.success(
            request, _("%(player)s is no longer in the club. Old links no longer work.") % {"player": player}
        )
    if Right.MANAGE in club.rights_of(request.user):
        return redirect("league:members", club.slug)
    return redirect("league:home")  # the user has ended their own membership


def managed_membership(request: HttpRequest, slug: str, pk: int) -> tuple[Club, Membership]:
    """Return the club and the membership. Raise PermissionDenied or Http404 unless the user manages the club."""
    club = managed_or_403(Club.objects, request.user, slug=slug)
    return club, get_object_or_404(club.memberships.select_related("player"), pk=pk)


def current_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # login_required
    return request.user


def _last_admin_message(player: Player) -> str:
    refusal = _("%(player)s is the club's last admin with a login. Make another person with a login an admin first.")
    return refusal % {"player": player}
