from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import merging
from league.messages import send_tick
from league.models import Club, Membership, Merge, visible
from league.people.forms.members import SamePersonForm
from league.people.views.members import current_user
from league.web.lookups import managed_or_403, visible_or_404
from league.web.password_again import ask_password_for_roles
from league.web.second_factor import check_second_factor
from players.models import Player


@login_required
def merge_players(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    player = get_object_or_404(Membership.objects.select_related("player"), club=club, pk=pk).player
    form = SamePersonForm(request.GET if "with" in request.GET else None, club=club, player=player)
    second: Player | None = form.cleaned_data["with"] if form.is_valid() else None
    if second is not None:
        _check_manages_all_clubs(request, player, second)  # the preview shows results in other clubs
        without_login = Membership.objects.filter(player__in=(player, second), player__user=None)
        # The login gets the roles of the other record.
        ask_password_for_roles(request, *without_login.values_list("role", flat=True))
    if second is not None and request.method == "POST" and _merge(request, club, player, second):
        return redirect("league:members", slug)
    context = {
        "club": club,
        "can_manage": True,
        "player": player,
        "form": form,
        "second": second,
        "counts": merging.compare_records(player, second) if second else [],
        "why_not": merging.merge_obstacle(player, second) if second else "",
        "merges": Merge.objects.filter(kept=player, undone_at=None).select_related("gone"),
    }
    return render(request, "league/people/merge.html", context)


def _merge(request: HttpRequest, club: Club, player: Player, second: Player) -> bool:
    """Merge the players, and return True. If they cannot be merged, add an error message and return False."""
    keeps_second = request.POST.get("keep") == str(second.pk)
    target, source = (second, player) if keeps_second else (player, second)
    try:
        merging.merge(target.pk, source.pk, by=current_user(request), now=timezone.now())
    except merging.CannotMerge as refused:
        messages.error(request, str(refused.message))
        return False
    text = _("%(gone)s is %(kept)s now.") % {"gone": source, "kept": target}
    address = reverse("league:merge", args=[club.slug, club.memberships.get(player=target).pk])
    messages.success(request, format_html('{} <a href="{}#joined">{}</a>', text, address, _("It can be undone.")))
    send_tick()
    return True


@login_required
@require_POST
def undo_merge(request: HttpRequest, pk: int) -> HttpResponse:
    record = visible_or_404(Merge.objects.select_related("kept", "gone"), request.user, pk=pk)
    _check_manages_all_clubs(request, record.kept, record.gone)
    try:
        merging.undo(pk, now=timezone.now())
    except merging.CannotMerge as refused:
        messages.error(request, str(refused.message))
        return redirect("league:player", record.kept.pk)
    send_tick()
    messages.success(request, _("%(gone)s and %(kept)s are two again.") % {"gone": record.gone, "kept": record.kept})
    return redirect("league:player", record.gone.pk)


def _check_manages_all_clubs(request: HttpRequest, *players: Player) -> None:
    """Raise PermissionDenied unless the user manages every club that shows one of the players, also in past results."""
    clubs = visible.clubs_with_rows_of(*players)
    if clubs.exclude(pk__in=Club.objects.managed_by(request.user).values("pk")).exists():
        raise PermissionDenied(_("Another club shows one of them, too. Ask the installation’s admin."))
    for club in clubs.filter(asks_second_factor=True):
        check_second_factor(request.user, club)
