"""The JSON body of a webhook's message: ids, URLs, and the first ranks with the names that the public may see.

docs/webhooks.md describes each field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from league.actions.club_emails import absolute_address
from league.evenings.queries.evening_ranking import ranking
from league.models import Club, Evening, Season, Tournament, WebhookDelivery
from league.models.tournament import TournamentState
from league.models.webhook import TEST_EVENT, WebhookEvent
from league.seasons.queries.season_standings import stored_standings
from league.tournaments.queries.tournament_results import winners
from players.naming import Audience, names_shown_to
from scoring.numbers import round_to_decimals

LAST_LISTED_RANK: Final = 3  # in a message


def message_body(delivery: WebhookDelivery) -> str | None:
    """Return the JSON text of a message; None if its subject no longer exists or has left the state of the event."""
    club = delivery.webhook.club
    with names_shown_to(Audience.PUBLIC):
        data = _DATA_BY_EVENT[delivery.event](club, delivery.subject or 0)
    if data is None:
        return None
    message = {
        "type": delivery.event,
        "timestamp": _utc_text(delivery.created_at),
        "data": {"club": _club_fields(club), **data},
    }
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _test_data(_club: Club, _subject: int) -> dict[str, Any]:
    return {}


def _evening_closed_data(club: Club, subject: int) -> dict[str, Any] | None:
    evenings = Evening.objects.closed().filter(pk=subject, season__club=club)
    evening: Evening | None = evenings.with_season().first()
    if evening is None:
        return None
    first = [row for row in ranking(evening) if row.rank <= LAST_LISTED_RANK] if club.public else []
    return {
        "season": _season_fields(evening.season),
        "evening": {
            "id": evening.pk,
            "date": evening.date.isoformat(),
            "name": evening.name,
            **_page_and_api_urls(evening.get_absolute_url(), "api:evening-ranking", evening.pk),
        },
        "ranking": [
            {
                "rank": row.rank,
                "player": {"id": row.player, "name": str(row.name)},
                "points": row.points,
            }
            for row in first
        ],
    }


def _standings_changed_data(club: Club, subject: int) -> dict[str, Any] | None:
    season: Season | None = Season.objects.without_tournaments().with_club().filter(pk=subject, club=club).first()
    if season is None:
        return None
    first = stored_standings(season).filter(rank__lte=LAST_LISTED_RANK) if club.public else []
    return {
        "season": {
            **_season_fields(season),
            **_page_and_api_urls(season.get_absolute_url(), "api:standings", season.pk),
        },
        "standings": [
            {
                "rank": row.rank,
                "player": {"id": row.player_id, "name": str(row.player)},
                "points": float(round_to_decimals(Fraction(row.written_total))),
            }
            for row in first
        ],
    }


def _results_published_data(club: Club, subject: int) -> dict[str, Any] | None:
    finished = Tournament.objects.filter(pk=subject, club=club, state=TournamentState.FINISHED)
    tournament: Tournament | None = finished.with_club().first()
    if tournament is None:
        return None
    visitor = AnonymousUser()
    is_visible = Tournament.objects.visible_to(visitor).filter(pk=tournament.pk).exists()
    ranks = winners([tournament.pk], visitor).get(tournament.pk, []) if is_visible else []
    return {
        "tournament": {
            "id": tournament.pk,
            "date": tournament.date.isoformat(),
            "name": tournament.name,
            "game": tournament.game,
            **_page_and_api_urls(tournament.get_absolute_url(), "api:tournament", tournament.pk),
        },
        "winners": [{"number": rank.unit.number, "name": rank.visible_title} for rank in ranks],
    }


# By event: a function that takes the club and the id of the event's subject (evening, season or tournament). It returns
# the field `data` of the message; None if the subject no longer exists or has left the state of the event.
_DATA_BY_EVENT: Final[Mapping[str, Callable[[Club, int], dict[str, Any] | None]]] = {
    TEST_EVENT: _test_data,
    WebhookEvent.EVENING_CLOSED: _evening_closed_data,
    WebhookEvent.STANDINGS_CHANGED: _standings_changed_data,
    WebhookEvent.RESULTS_PUBLISHED: _results_published_data,
}


def _club_fields(club: Club) -> dict[str, Any]:
    return {
        "slug": club.slug,
        "name": club.name,
        "public": club.public,
        **_page_and_api_urls(club.get_absolute_url(), "api:club", club.slug),
    }


def _season_fields(season: Season) -> dict[str, Any]:
    return {"id": season.pk, "name": season.name, "game": season.game_key}


def _page_and_api_urls(page: str, endpoint: str, *arguments: object) -> dict[str, str]:
    """Return the URLs of a page and of the same row in the API."""
    return {"page": absolute_address(page), "api": absolute_address(reverse(endpoint, args=arguments))}


def _utc_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
