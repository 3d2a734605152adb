"""The content of the screen in the hall of a tournament: the tables of the current round, and the rankings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from django.utils.translation import gettext as _

from league.evenings.queries.seat_plan import PlanTable, seat_plan
from league.models import Evening, Round, Tournament, TournamentUnit
from league.models.round import RoundState
from league.models.tournament import TournamentState
from league.tournaments.queries.final_ranks import FinalRank, final_ranks
from league.tournaments.queries.playing_units import (
    PlayingUnits,
    is_decided,
    playing_units,
    resting_units,
    rounds_of,
)
from league.tournaments.queries.ranking import ranking, read_results
from league.tournaments.queries.team_ranking import rank_clubs, rank_teams
from league.tournaments.queries.units import round_end_words

ROWS_PER_COLUMN: Final = 10  # rows of a ranking in each of two columns, so that they are readable across a hall
TABLES_PER_PAGE: Final = 6  # tables of a round on one page, in two columns

T = TypeVar("T")


class HallRow(NamedTuple):
    """A row of a ranking of players, pairs, teams or clubs. A club has no `number`."""

    rank: int
    number: int | None
    name: str
    points: int


class HallPage(NamedTuple):
    """A page of the hall's screen: a ranking in two columns, or the tables of a round and the players who rest."""

    key: str  # the same after a reload, so that the screen stays on its page
    title: str
    part: str  # "1 of 3"; "" if there is only one page
    name_title: str = ""  # heading of the column of names
    columns: Sequence[Sequence[HallRow]] = ()
    tables: Sequence[PlanTable] = ()
    resting: Sequence[TournamentUnit] = ()
    limits: str = ""  # of the round, in words


def hall_pages(evening: Evening) -> list[HallPage]:
    """Return the pages of the hall's screen for a tournament; [] before the first round begins.

    First the tables of the last round, until all have a result; then the rankings of units (players, pairs or teams),
    of teams and of clubs. After the tournament, units have their final ranks.
    """
    tournament = evening.season.tournament
    assert tournament is not None  # the caller checks it
    playing, rounds = playing_units(tournament, evening), rounds_of(evening, with_players=True)
    accepted_rounds = [round_ for round_ in rounds if round_.state == RoundState.ACCEPTED]
    rows = ranking(tournament, evening.season, playing, read_results(evening))
    title = _("Ranking") if tournament.state == TournamentState.FINISHED else _("Ranking so far")
    teams = rank_teams(tournament, evening.season, rows)
    clubs = rank_clubs(tournament, evening.season, rows)
    ranks = [FinalRank(row.rank, row) for row in rows]
    if tournament.state == TournamentState.FINISHED:
        ranks = final_ranks(tournament, evening.season, rows)
    unit_rows = [
        HallRow(rank, row.unit.number, str(row.unit_player or row.unit.title), row.points) for rank, row in ranks
    ]
    team_rows = [HallRow(team.rank, team.group.number, team.group.title, team.points) for team in teams]
    club_rows = [HallRow(club.rank, None, str(club.group), club.points) for club in clubs]
    ranking_pages = [
        *_ranking_pages("ranking", title, _("Name"), unit_rows),
        *_ranking_pages("teams", _("Teams"), _("Team"), team_rows),
        *_ranking_pages("clubs", _("Clubs"), _("Club"), club_rows),
    ]
    return [*_table_pages(accepted_rounds, playing, tournament), *(ranking_pages if accepted_rounds else ())]


def _ranking_pages(key: str, title: str, name_title: str, rows: Sequence[HallRow]) -> Iterator[HallPage]:
    parts = split_evenly(rows, 2 * ROWS_PER_COLUMN)
    for number, part in enumerate(parts, 1):
        words = part_words(number, len(parts))
        yield HallPage(f"{key}-{number}", title, words, name_title, split_evenly(part, ROWS_PER_COLUMN))


def _table_pages(accepted_rounds: Sequence[Round], playing: PlayingUnits, tournament: Tournament) -> Iterator[HallPage]:
    if not accepted_rounds or all(is_decided(table) for table in accepted_rounds[-1].tables.all()):
        return
    round_ = accepted_rounds[-1]
    parts = split_evenly(seat_plan(round_.tables.all(), units=playing.labels), TABLES_PER_PAGE)
    title = _("Finals") if round_.number > tournament.rounds else str(round_)
    limits = round_end_words(tournament)
    for number, part in enumerate(parts, 1):
        resting = resting_units(round_, playing.by_player) if number == len(parts) else ()
        words = part_words(number, len(parts))
        yield HallPage(f"round-{round_.number}-{number}", title, words, tables=part, resting=resting, limits=limits)


def split_evenly(sequence: Sequence[T], max_length: int) -> list[tuple[T, ...]]:
    """Return consecutive parts of nearly the same length, each at most `max_length`."""
    count = -(-len(sequence) // max_length)
    size = -(-len(sequence) // count) if count else 1
    return [tuple(sequence[start : start + size]) for start in range(0, len(sequence), size)]


def part_words(number: int, count: int) -> str:
    return _("%(number)s of %(count)s") % {"number": number, "count": count} if count > 1 else ""
