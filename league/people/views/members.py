"""A club's people: who they are, their roles, and how they are invited."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.actions import acts, clubs, letters, people, roles
from league.models import Club, Membership, visible
from league.models.act import ActKind
from league.models.rights import Right, Role
from league.people.forms import MemberForm, RoleForm
from league.people.invitations import Invitation, token
from league.people.member_file import rows
from league.people.tables import ManagedMembersTable, MembersTable, NamesTable
from league.web.exports import shown_files, spreadsheet
from league.web.finding import frame, managed, recordable, seen
from league.web.password_again import ask_password_for_roles
from league.web.tables import paged
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
    typed = request.GET.get("q", "").strip()
    table_class = ManagedMembersTable if context["can_manage"] else MembersTable if inside else NamesTable
    table = table_class(_people(club, typed, inside=inside))
    if not records and inside:
        table.exclude = ("number", "contact")
    paged(table, request, PAGE)
    files = shown_files(request, "members", club.slug) if records else {}
    context |= {"table": table, "typed": typed, "roles": Role.choices, "files": files}
    return render(request, "league/people/members.html", context)


@login_required
@require_POST
def member_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    """The same people with their numbers and addresses as a file, which comes in again as a list."""
    club = recordable(Club.objects, request.user, slug=slug)
    show(Readers.WORK)
    acts.note(ActKind.EXPORTED, acting_user(request), club=club, about="members")
    typed = request.GET.get("q", "").strip()
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


@login_required
def invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """The link by which anyone who holds it joins the club."""
    club = managed(Club.objects, request.user, slug=slug)
    return render(
        request,
        "league/people/invitation.html",
        {"club": club, "can_manage": True, "link": invitation_link(request, club)},
    )


@login_required
@require_POST
def renew(request: HttpRequest, slug: str) -> HttpResponse:
    """End every link of the club that was given out."""
    club = managed(Club.objects, request.user, slug=slug)
    clubs.renew_invitations(club)
    messages.success(request, _("All links given out before no longer work. Here is a new one."))
    return redirect("league:invitation", club.slug)


@login_required
def invite(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The link by which one person gets a login for the record that the club has of them."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    if membership.player.user_id is not None:
        messages.info(request, _("%(player)s has a login already.") % {"player": membership.player})
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role)
    link = invitation_link(request, club, membership.player)
    context = {"club": club, "can_manage": True, "player": membership.player, "link": link, "membership": membership}
    return render(request, "league/people/invitation.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def send(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send a person's own link to the address that the club has of them; sent again it is a fresh one."""
    club = managed(Club.objects, request.user, slug=slug)
    membership = get_object_or_404(club.memberships.select_related("player"), pk=pk)
    if request.method != "POST":
        return redirect("league:members", club.slug)
    ask_password_for_roles(request, membership.role)
    if membership.player.user_id is None and membership.email:
        link, not_sent = invitation_link(request, club, membership.player), list[Player]()
        letters.invitation(club, membership.player, membership.email, link, not_sent)
        if not_sent:
            messages.error(request, not_invited(not_sent))
            return redirect("league:member-invite", club.slug, pk)
        acts.note(ActKind.INVITED, acting_user(request), club=club, player=membership.player)
        messages.success(request, _("The link is on its way to %(email)s.") % {"email": membership.email})
    else:
        messages.error(request, _("%(player)s has a login already, or no e-mail here.") % {"player": membership.player})
    return redirect("league:members", club.slug)


def not_invited(people: list[Player]) -> str:
    """Return what a page says of invitations that could not go out, which are not sent again by themselves."""
    said = _(
        "The invitation could not go out to %(people)s. Send it again in a few minutes, or pass the link on yourself."
    )
    return said % {"people": ", ".join(str(player) for player in people)}


def invitation_link(request: HttpRequest, club: Club, player: Player | None = None) -> str:
    """The whole address of an invitation by the reader."""
    own = getattr(request.user, "player", None)
    said = Invitation(
        club=club.pk, key=club.invite_key, by=own.pk if own else None, player=player.pk if player else None
    )
    return request.build_absolute_uri(reverse("league:join", args=[token(said)]))
