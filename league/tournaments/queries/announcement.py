"""The announcement of a tournament, for its page and for the page that other sites embed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.formats import time_format

from league.models import Tournament
from league.seasons.queries.house_rules_sentence import house_rules_sentence
from league.tournaments.queries.units import (
    count_units,
    fee_words,
    format_words,
    public_names,
    rest_score_words,
    tie_break_words,
    unit_count_words,
)
from players.dates import date_format
from scoring import registry
from scoring.game import find_game


def date_and_place(tournament: Tournament) -> str:
    """Return date, time and place in words, "Saturday 3 May 2026, 2 p.m., Town hall". The club must be fetched."""
    day = f"{date_format(tournament.date, 'l')} {date_format(tournament.date, 'DATE_FORMAT')}"
    hour = time_format(tournament.begins_at, "TIME_FORMAT") if tournament.begins_at else ""
    return ", ".join(filter(None, (day, hour, tournament.where)))


def house_rules_words(tournament: Tournament) -> str:
    """Return the tournament's house rules in one sentence; "" for a game by totals, or without a game."""
    if tournament.game not in registry.slugs():
        return ""
    return house_rules_sentence(find_game(tournament.game), tournament.house_rules)


def announcement_context(tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Return the context of the template `league/tournaments/_facts.html`; three queries."""
    counts = count_units(tournament)
    return {
        "tournament": tournament,
        "organiser": tournament.club,
        "counts": counts,
        "registered": unit_count_words(tournament, counts.registered),
        "places": unit_count_words(tournament, tournament.places),
        "when": date_and_place(tournament),
        "format": format_words(tournament),
        "rest_score": rest_score_words(tournament),
        "tie_breaks": tie_break_words(tournament),
        "fee": fee_words(tournament),
        "game": find_game(tournament.game).name if tournament.game in registry.slugs() else "",
        "house_rules": house_rules_words(tournament),
        "names": public_names(tournament),
        "accepts": tournament.accepts_registrations(now),
    }
