"""The open tournament of the demo: full, with a waiting list, a player without a partner, and prizes."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from uuid import UUID

from league.actions import prizes, registrations, tournaments
from league.actions.prizes import PrizeLine
from league.actions.registrations import PlayerEntry, Registration
from league.models import Club, Tournament
from league.models.prize import TiedPrizes
from league.tournaments.queries.presets import presets

DAYS_AHEAD: Final = 24  # days from today until the tournament
OPENED_BEFORE: Final = timedelta(days=10)  # registration opened this long before today
TOURNAMENT_NAME: Final = "Grand concours du club"
PLACE_COUNT: Final = 12
# The last two are on the waiting list, because all places are taken.
PAIR_NAMES: Final = (
    ("Mireille Aubert", "Gérard Aubert"),
    ("Sylvie Bonnet", "Patrick Caron"),
    ("Colette Dumas", "Jeanne Ferrand"),
    ("Michel Giraud", "Alain Hervé"),
    ("Nicole Imbert", "Roger Jacquet"),
    ("Odile Klein", "Fabien Lambert"),
    ("Danielle Mercier", "Serge Michel"),
    ("Brigitte Noël", "Yves Ollivier"),
    ("Hélène Picard", "Guy Rey"),
    ("Martine Salmon", "Joël Tessier"),
    ("Annick Vidal", "Robert Weber"),
    ("Solange Zimmer", "Noël Arnoux"),
    ("Ginette Blin", "Lucien Chauvin"),
    ("Renée Delmas", "André Euvrard"),
)
SINGLE_PLAYER_NAME: Final = "Paulette Fournier"
PAYMENT_KINDS: Final[dict[int, str]] = {0: "transfer", 1: "transfer", 4: "cash"}  # kind by the number of the pair

PRIZES: Final = (
    PrizeLine("", False, 1, 1, 8_000, "", 0),
    PrizeLine("", False, 2, 2, 5_000, "", 0),
    PrizeLine("", False, 3, 3, 3_000, "", 0),
    PrizeLine("", False, 4, 6, 0, "Jambon", 2_500),
    PrizeLine("Meilleure paire féminine", False, 1, 1, 2_000, "", 0),
    PrizeLine("", True, 1, 1, 0, "Poireaux pour la soupe", 200),
)


def make_open_tournament(club: Club, today: date) -> Tournament:
    """Create the open tournament by the normal actions. The players have no email addresses, so no email is sent."""
    day = today + timedelta(days=DAYS_AHEAD)
    begin = datetime.combine(day, time(14), club.zone)
    opened = datetime.combine(today, time(9), club.zone) - OPENED_BEFORE
    fields = {"name": TOURNAMENT_NAME, "date": day, "begins_at": time(14), "closes_at": begin - timedelta(days=1)}
    offered = presets()
    of_pairs = [row for row in offered if row.values["unit_size"] == 2 and not row.values.get("plays_apart")]
    fields |= {**(of_pairs or offered)[0].values, "unit_size": 2, "places": PLACE_COUNT, "fee": 800}
    tournament, _is_new = tournaments.create(club, fields)
    tournaments.open_registration(tournament.pk, now=opened)
    for number, names in enumerate([*PAIR_NAMES, (SINGLE_PLAYER_NAME,)]):
        registration = Registration(
            [PlayerEntry(name) for name in names],
            names_public=number % 3 != 0,
            seeks_partner=len(names) == 1,
            language=club.language,
        )
        now = opened + timedelta(hours=number)
        unit = registrations.register(tournament.pk, registration, client_key=UUID(int=number + 1, version=4), now=now)
        if number in PAYMENT_KINDS:
            registrations.record_payment(unit.pk, cents=1600, kind=PAYMENT_KINDS[number])
    prizes.store_prizes(tournament.pk, PRIZES, ties=TiedPrizes.SHARED, seen_version=0)
    return tournament
