"""The home page, and a club's own: its home, founding it, its settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import clubs
from league.clubs.forms.clubs import ClubForm
from league.clubs.queries.club_home import TopPlace, club_evenings, tops
from league.clubs.queries.member_cards import MemberHome, member_home
from league.models import Club, Contest, Evening, Membership, Table
from league.models.club import role_of
from league.models.due import is_due
from league.models.rights import RIGHTS, Right
from league.models.season import SeasonState
from league.seasons.queries.rules_summary import tie_break_words
from league.sheets.queries.missing_deals import missing
from league.web.board_tags import board_of, board_of_all
from league.web.finding import frame, managed, seen
from league.web.founder_form import FounderForm
from players.models import User
from players.naming import Audience, show_names_to

PAGE = 50
NEWS = timedelta(days=14)  # for so many whole days an answer to a contest stands on the home page


@board_of_all
def home(request: HttpRequest) -> HttpResponse:
    """For who is signed in: where he stands, what waits for him, when they play again; for others what this is."""
    user = request.user
    if not user.is_authenticated:
        return render(request, "league/clubs/welcome.html", _clubs(request))
    everywhere = list(_memberships(user))
    agreed = [each for each in everywhere if not each.login_unconfirmed]
    memberships = [each for each in agreed if each.club.delete_at is None or Right.MANAGE in RIGHTS[each.role]]
    own = [each.club for each in memberships if Right.READ in RIGHTS[each.role] or each.club.public]
    recorded = [each.club for each in memberships if Right.RECORD in RIGHTS[each.role]]
    unconfirmed = len(everywhere) - len(agreed)
    if not unconfirmed and all(Right.READ in RIGHTS[each.role] for each in memberships):
        show_names_to(Audience.MEMBERS)
    now = timezone.now()
    player = getattr(user, "player", None)
    mine = member_home(player, own, now=now) if player and own else MemberHome((), ())
    contests = list(Contest.objects.concerning(user, own, recorded, _since(now)).with_club())
    context = {
        "memberships": memberships,
        "unconfirmed": unconfirmed,
        "to_be_deleted": [(each.club, each in memberships) for each in agreed if each.club.delete_at],
        "guest_of": [each.club for each in memberships if each.club not in own],
        "cards": mine.cards,
        "tonight": mine.tonight,
        "contested": _contested(recorded, contests),
        "own_contests": [each for each in contests if each.player.user_id == user.pk],
    }
    return render(request, "league/clubs/home.html", context)


def _memberships(user: User) -> QuerySet[Membership]:
    """Return where the user belongs, also to clubs that will be deleted and that he doesn't see any more."""
    return Membership.objects.filter(player__user=user).select_related("club").order_by("club__name")


def _since(now: datetime) -> datetime:
    """Return when a day began, so that the page changes with the date, as its tag does."""
    return datetime.combine(now.astimezone(UTC).date() - NEWS, time(), UTC)


@board_of_all
def directory(request: HttpRequest) -> HttpResponse:
    """The clubs that the reader may see, each with its next evening."""
    return render(request, "league/clubs/directory.html", _clubs(request))


def _clubs(request: HttpRequest) -> dict[str, object]:
    page = Paginator(Club.objects.visible_to(request.user), PAGE).get_page(request.GET.get("page"))
    clubs = list(page.object_list)
    coming = {each.season.club_id: each for each in Evening.objects.next_of(clubs, timezone.localdate())}
    return {"page": page, "clubs": [(club, coming.get(club.pk)) for club in clubs]}


def _contested(clubs: list[Club], contests: list[Contest]) -> list[tuple[Club, int]]:
    """The clubs with contested deals that wait for an answer, and how many."""
    waiting = Counter(each.deal.table.round.evening.season.club_id for each in contests if each.answered_at is None)
    return [(club, waiting[club.pk]) for club in clubs if waiting[club.pk]]


@board_of(Club, club="pk")
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """What was last and what comes next, who leads, and what is on tonight."""
    club: Any = seen(Club.objects.annotate(own_role=role_of(request.user, "pk")), request.user, slug=slug)
    rights = frame(club, request.user, club.own_role)
    player = getattr(request.user, "player", None)
    seasons = list(club.seasons.annotate(is_due=is_due()))
    open_seasons = [season for season in seasons if season.state == SeasonState.OPEN]
    evenings = club_evenings(club, player, timezone.localdate(timezone=club.zone))
    context = {
        **rights,
        "seasons": seasons,
        "other_seasons": [season for season in seasons if season not in open_seasons],
        "games": {season.game: season.game_title for season in seasons},
        "tonight": evenings.tonight,
        "sheets": _missing_sheets(evenings.tonight) if rights["can_record"] else [],
        "tops": [(season, [_named(place) for place in places]) for season, places in tops(open_seasons, player)],
        "last": evenings.last,
        "next": evenings.next,
    }
    return render(request, "league/clubs/club.html", context)


def _missing_sheets(evenings: Sequence[Evening]) -> list[tuple[Table, str]]:
    """The tables of which something is still expected, and what."""
    tables = Table.objects.of_evenings(evenings).incomplete()
    return [(table, missing(table, table.round.evening.season)) for table in tables]


def _named(place: TopPlace) -> TopPlace:
    """Return the place with its tie-break in words."""
    return place._replace(tie_break=tie_break_words(place.tie_break)) if place.tie_break else place


@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Found a club; whoever founds it is its admin."""
    user = request.user
    assert user.is_authenticated  # login_required
    form = ClubForm(request.POST or None, user=user)
    founder = None if hasattr(user, "player") else FounderForm(request.POST or None)
    refused = False
    if request.method == "POST" and form.is_valid() and (founder is None or founder.is_valid()):
        if consume(request, action="found_club"):
            facts = form.cleaned_data | {"publish_once_confirmed": form.publish_once_confirmed}
            club = clubs.found_by(user, founder.cleaned_data if founder else {}, **facts)
            messages.success(request, _("%(club)s is founded. You are its admin.") % {"club": club})
            return redirect(club)
        form.add_error(None, _("So many clubs in a day can't be right. Try again tomorrow."))
        refused = True
    context = {"form": form, "founder": founder}
    return render(request, "league/clubs/club_found.html", context, status=429 if refused else 200)


@login_required
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what a club is."""
    club = managed(Club.objects, request.user, slug=slug)
    assert isinstance(request.user, User)  # login_required
    form = ClubForm(instance=club, user=request.user)
    if request.method == "POST":
        with clubs.locked(club) as now:
            form = ClubForm(request.POST, instance=now, user=request.user)
            if form.is_valid():
                names = list(form.changed_data)
                if form.was_waiting:
                    now.publish_once_confirmed = form.publish_once_confirmed
                    names += ["public", "publish_once_confirmed"]
                clubs.change(now, names)
        if form.is_valid():
            messages.success(request, _("The settings are saved."))
            return redirect(club)
    return render(request, "league/clubs/club_settings.html", {"form": form, **frame(club, request.user)})
