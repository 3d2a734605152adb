from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.actions import clubs
from league.clubs.forms.clubs import ClubForm
from league.clubs.queries.club_home import LeadingRow, PublicExample, club_evenings, example_for_visitors, leaders
from league.clubs.queries.member_cards import MemberHome, member_home
from league.clubs.queries.tonight import tonight_cards
from league.evenings.queries.own_seats import own_seats
from league.models import Club, Contest, Evening, Membership, Tournament
from league.models.club import role_expression
from league.models.pending_recompute import pending_work_exists
from league.models.rights import RIGHTS, Right
from league.models.season import SeasonState
from league.models.tournament import TournamentState
from league.seasons.queries.rules_summary import tie_break_text
from league.tournaments.queries.invitations import invitations
from league.web.forms import FounderForm
from league.web.lookups import club_context, managed_or_403, visible_or_404
from league.web.page_cache import cached_template, club_viewer_kind
from league.web.page_etags import conditional_club_page, conditional_page_of_all_clubs
from players.models import User
from players.naming import Audience, show_names_to

PAGE_SIZE = 50
LISTED_TOURNAMENTS = 5  # on a club's page
ANSWER_DISPLAY_TIME = timedelta(days=14)  # how long the home page shows the answer to a contest


@conditional_page_of_all_clubs
def home(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not user.is_authenticated:
        context = _directory_context(request) | {"example": _example()}
        return render(request, "league/clubs/welcome.html", context)
    # Clubs that wait for their deletion are hidden, but included here.
    all_memberships = list(Membership.objects.filter(player__user=user).select_related("club").order_by("club__name"))
    confirmed = [membership for membership in all_memberships if not membership.login_unconfirmed]
    memberships = [
        membership
        for membership in confirmed
        if membership.club.delete_at is None or Right.MANAGE in RIGHTS[membership.role]
    ]
    readable = [
        membership.club for membership in memberships if Right.READ in RIGHTS[membership.role] or membership.club.public
    ]
    recordable = [membership.club for membership in memberships if Right.RECORD in RIGHTS[membership.role]]
    unconfirmed = len(all_memberships) - len(confirmed)
    if not unconfirmed and all(Right.READ in RIGHTS[membership.role] for membership in memberships):
        show_names_to(Audience.MEMBERS)
    now = timezone.now()
    player = getattr(user, "player", None)
    own_home = member_home(player, readable, now=now) if player and readable else MemberHome((), ())
    contests = list(Contest.objects.for_home_page(user, readable, recordable, _answers_shown_since(now)).with_club())
    context = {
        "memberships": memberships,
        "unconfirmed": unconfirmed,
        "to_be_deleted": [
            (membership.club, membership in memberships) for membership in confirmed if membership.club.delete_at
        ],
        "guest_of": [membership.club for membership in memberships if membership.club not in readable],
        "cards": own_home.cards,
        "tonight": own_home.tonight,
        "own_seats": own_seats(own_home.tonight, player),
        "contested": _contest_counts(recordable, contests),
        "own_contests": [contest for contest in contests if contest.player.user_id == user.pk],
    }
    return render(request, "league/clubs/home.html", context)


def _answers_shown_since(now: datetime) -> datetime:
    return datetime.combine(now.astimezone(UTC).date() - ANSWER_DISPLAY_TIME, time(), UTC)


@conditional_page_of_all_clubs
def directory(request: HttpRequest) -> HttpResponse:
    return render(request, "league/clubs/directory.html", _directory_context(request))


def _directory_context(request: HttpRequest) -> dict[str, object]:
    page = Paginator(Club.objects.visible_to(request.user), PAGE_SIZE).get_page(request.GET.get("page"))
    clubs = list(page.object_list)
    upcoming = {
        evening.season.club_id: evening for evening in Evening.objects.next_of_each_club(clubs, timezone.localdate())
    }
    return {"page": page, "clubs": [(club, upcoming.get(club.pk)) for club in clubs]}


def _contest_counts(clubs: list[Club], contests: list[Contest]) -> list[tuple[Club, int]]:
    unanswered = Counter(
        contest.deal.table.round.evening.season.club_id for contest in contests if contest.answered_at is None
    )
    return [(club, unanswered[club.pk]) for club in clubs if unanswered[club.pk]]


@conditional_club_page(Club, club="pk")
def club(request: HttpRequest, slug: str) -> HttpResponse:
    club: Any = visible_or_404(
        Club.objects.annotate(own_role=role_expression(request.user, "pk")), request.user, slug=slug
    )
    rights = club_context(club, request.user, club.own_role)
    kind = club_viewer_kind(request, rights)

    @cache
    def context() -> dict[str, Any]:
        return rights | _club_page_context(request, club, can_record=bool(rights["can_record"]))

    parts = {
        "head": cached_template(request, "league/clubs/_club_head.html", kind, context),
        "content": cached_template(request, "league/clubs/_club.html", kind, context),
    }
    return render(request, "league/clubs/club.html", rights | parts)


def _club_page_context(request: HttpRequest, club: Any, *, can_record: bool) -> dict[str, Any]:
    player = getattr(request.user, "player", None)
    seasons = list(
        club.seasons.without_tournaments().select_related("club_game").annotate(is_due=pending_work_exists())
    )
    open_seasons = [season for season in seasons if season.state == SeasonState.OPEN]
    today = timezone.localdate(timezone=club.zone)
    evenings = club_evenings(club, player, today)
    return {
        "seasons": seasons,
        "other_seasons": [season for season in seasons if season not in open_seasons],
        "games": {season.game_key: season.game_title for season in seasons},
        "tonight": evenings.tonight,
        "own_seats": own_seats(evenings.tonight, player),
        "cards": tonight_cards(evenings.tonight) if can_record else [],
        "tops": [
            (season, [_with_tie_break_text(row) for row in rows]) for season, rows in leaders(open_seasons, player)
        ],
        "last": evenings.last,
        "next": evenings.next,
        "tournaments": _coming_tournaments(request, club, today),
        "invitations": invitations(club, request.user, since=today) if can_record else [],
    }


def _coming_tournaments(request: HttpRequest, club: Club, today: date) -> QuerySet[Tournament]:
    """Return the next tournaments that the user may see. A running tournament is among the open evenings."""
    visible_rows = Tournament.objects.visible_to(request.user).filter(club=club).exclude(state=TournamentState.RUNNING)
    return visible_rows.with_club().coming(today)[:LISTED_TOURNAMENTS]


def _example() -> PublicExample | None:
    example = example_for_visitors()
    return example and example._replace(rows=[_with_tie_break_text(row) for row in example.rows])


def _with_tie_break_text(leading_row: LeadingRow) -> LeadingRow:
    if not leading_row.tie_break:
        return leading_row
    return leading_row._replace(tie_break=tie_break_text(leading_row.tie_break))


@login_required
def create_club(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert user.is_authenticated  # login_required
    form = ClubForm(request.POST or None, user=user, initial={"language": get_language()})
    founder = None if hasattr(user, "player") else FounderForm(request.POST or None)
    over_limit = False
    if request.method == "POST" and form.is_valid() and (founder is None or founder.is_valid()):
        if consume(request, action="found_club"):
            cleaned_data = form.cleaned_data | {"publish_once_confirmed": form.publish_once_confirmed}
            club = clubs.create_club_for_user(user, founder.cleaned_data if founder else {}, **cleaned_data)
            messages.success(request, _("%(club)s is founded. You are its admin.") % {"club": club})
            return redirect(club)
        form.add_error(None, _("So many clubs in a day can't be right. Try again tomorrow."))
        over_limit = True
    has_errors = bool(form.errors or (founder is not None and founder.errors))
    status = 429 if over_limit else 422 if has_errors else 200
    return render(request, "league/clubs/club_found.html", {"form": form, "founder": founder}, status=status)


@login_required
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    assert isinstance(request.user, User)  # login_required
    form = ClubForm(instance=club, user=request.user)
    if request.method == "POST":
        with clubs.lock_club(club) as current:
            form = ClubForm(request.POST, instance=current, user=request.user)
            if form.is_valid():
                names = list(form.changed_data)
                if form.waits_for_confirmation:
                    current.publish_once_confirmed = form.publish_once_confirmed
                    names += ["public", "publish_once_confirmed"]
                clubs.change(current, names)
        if form.is_valid():
            messages.success(request, _("The settings are saved."))
            return redirect(club)
    context = {"form": form, **club_context(club, request.user)}
    return render(request, "league/clubs/club_settings.html", context, status=422 if form.errors else 200)
