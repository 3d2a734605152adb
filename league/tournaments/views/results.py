"""Pages of a tournament's results: entry of the results of a round, and the ranking with its files and papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.actions import totals, tournament_play
from league.actions.refusals import StaleVersion, WrongState
from league.imports.queries.spreadsheet_cells import Cell
from league.models import Evening, Finals, Round, Season, Tournament, TournamentClub, TournamentRank, TournamentUnit
from league.models.prize import WHOLE_UNIT
from league.models.tournament import RankedBy, TournamentState
from league.seasons.queries.season_game import game_of_season
from league.tournaments.forms.play import STALE_RESULT, ResultEntry, RoundResultsForm
from league.tournaments.queries.finals import read_finals
from league.tournaments.queries.finals_rows import FinalsRows, TableToReseat
from league.tournaments.queries.playing_units import PlayingUnits, playing_units, rounds_of
from league.tournaments.queries.ranking import (
    ChangedResult,
    RankedUnit,
    current_ranking,
    number_for_file,
    ranking,
    read_results,
    written_score,
)
from league.tournaments.queries.team_ranking import NamedTeam, RankedGroup, rank_clubs, rank_teams, team_for_viewer
from league.tournaments.queries.units import unit_count_words
from league.tournaments.views.play import day_round, tournament_rounds
from league.tournaments.views.ranking_cells import ranking_cells
from league.tournaments.views.tournaments import visitor_context
from league.web.exports import file_addresses, spreadsheet_response
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403, visible_or_404
from league.web.page_cache import cached_template
from league.web.page_etags import conditional_club_page
from league.web.printing import render_for_paper

FinalRanks = Mapping[tuple[int, int], int]  # rank by unit id and position of the player in the unit (0 for the unit)


class ChangedRank(NamedTuple):
    """A unit (player, pair or team), or a player of a team, whose rank changes by a correction of results."""

    title: str
    before: int
    after: int


@login_required
@allow_get_and_post
def round_results(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a form for the results of all tables of a round. A POST stores them.

    If a later round is drawn, a correction must be confirmed: the page first shows the changed ranks and matches.
    """
    row = recordable_or_403(tournament_rounds().accepted(), request.user, pk=pk)
    evening = row.evening
    season = evening.season
    tournament = season.tournament
    assert tournament is not None  # tournament_rounds() has no others
    context = club_context(season.club, request.user)
    playing, rounds = playing_units(tournament, evening), rounds_of(evening, with_players=True)
    tables = list(next(round_ for round_ in rounds if round_.pk == pk).tables.all())
    form = RoundResultsForm(
        request.POST if request.method == "POST" else None,
        tables=tables,
        by_player=playing.by_player,
        game=game_of_season(season),
        tournament=tournament,
        house_rules=evening.house_rules,
    )
    changed_ranks: list[ChangedRank] | None = None
    if request.method == "POST" and form.is_valid():
        if _must_confirm(form, rounds, row):
            changed_ranks = _changed_ranks(tournament, evening, playing, form)
            context["reseatings"] = _reseatings(tournament, season, form)
            form.set_hidden_values(confirmed=form.digest)
        elif _store_results(request, form):
            return redirect("league:tournament-results", pk)
    context |= {
        "tournament": tournament,
        "round": row,
        "form": form,
        "changed_ranks": changed_ranks,
        "can_write": tournament.state == TournamentState.RUNNING,
        "is_final": row.number > tournament.rounds and Finals.objects.filter(tournament=tournament).exists(),
    }
    status = 422 if form.errors or changed_ranks is not None else 200
    return render(request, "league/tournaments/results.html", context, status=status)


def _must_confirm(form: RoundResultsForm, rounds: Sequence[Round], row: Round) -> bool:
    """Return whether the user must first confirm the corrections in `form`, since a later round is drawn."""
    is_drawn = any(round_.number > row.number for round_ in rounds)
    return bool(is_drawn and form.corrections and form.cleaned_data["confirmed"] != form.digest)


def _changed_ranks(
    tournament: Tournament, evening: Evening, playing: PlayingUnits, form: RoundResultsForm
) -> list[ChangedRank]:
    """Return the units (players, pairs or teams) whose rank would change if the results in the form were stored."""
    season, results = evening.season, read_results(evening)
    before = {_row_key(row): row.rank for row in ranking(tournament, season, playing, results)}
    changes = {entry.sheet.table.pk: _changed_result(entry, season) for entry in form.entries}
    after = ranking(tournament, season, playing, results, changes)
    return [
        ChangedRank(_row_title(row), before[_row_key(row)], row.rank)
        for row in after
        if before[_row_key(row)] != row.rank
    ]


def _reseatings(tournament: Tournament, season: Season, form: RoundResultsForm) -> list[TableToReseat]:
    """Return the drawn matches of the finals whose players would change if the results in the form were stored."""
    state = read_finals(
        tournament, season, {entry.sheet.table.pk: _changed_result(entry, season) for entry in form.entries}
    )
    return [] if state is None else FinalsRows(state, season, shows_names=True).reseatings


def _changed_result(entry: ResultEntry, season: Season) -> ChangedResult:
    if entry.totals is None:
        return ChangedResult(None, entry.absent_unit_ids)
    points = {seat: season.convert_points(sums.points) for seat, sums in entry.totals.items()}
    return ChangedResult(points, entry.absent_unit_ids)


def _row_title(row: RankedUnit) -> str:
    return f"{row.unit.number}. {row.unit_player or row.unit.title}"


def _store_results(request: HttpRequest, form: RoundResultsForm) -> bool:
    """Store all changed results, or none; return whether they were stored.

    If another user has changed a table meanwhile, its row gets an error.
    """
    try:
        with transaction.atomic():
            for entry in form.entries:
                _store_entry(form, entry)
    except WrongState as refusal:
        form.add_error(None, str(refusal))
    except _StaleEntry as stale:
        form.add_error(stale.entry.sheet.sides[0].field, STALE_RESULT)
    else:
        count = len(form.entries)
        text = ngettext("%(count)s table is stored.", "%(count)s tables are stored.", count)
        messages.success(request, text % {"count": count})
        return True
    return False


class _StaleEntry(Exception):
    """Another user has changed the table of `entry` since the page was shown."""

    def __init__(self, entry: ResultEntry) -> None:
        super().__init__(entry)
        self.entry = entry


def _store_entry(form: RoundResultsForm, entry: ResultEntry) -> None:
    if set(entry.absent_unit_ids) != set(entry.sheet.absent_unit_ids):
        tournament_play.set_forfeits(entry.sheet.table.pk, entry.absent_unit_ids)
    if entry.totals is not None:
        try:
            totals.record(
                entry.sheet.table.pk,
                entry.totals,
                client_key=form.table_client_key(entry.sheet),
                seen_version=entry.seen_version,
                now=timezone.now(),
            )
        except StaleVersion as stale:
            raise _StaleEntry(entry) from stale


@login_required
@require_safe
def round_paper(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the printable list of a round's tables, for the wall and the announcer, and a slip for each player, pair or
    team.
    """
    row = recordable_or_403(tournament_rounds(), request.user, pk=pk)
    tournament = row.evening.season.tournament
    assert tournament is not None  # tournament_rounds() has no others

    def context() -> dict[str, Any]:
        playing = playing_units(tournament, row.evening)
        drawn = next(round_ for round_ in rounds_of(row.evening) if round_.pk == pk)
        return {"tournament": tournament, "row": day_round(drawn, playing)}

    return render_for_paper(
        request, row.evening.season.club, "league/tournaments/round_paper.html", context, in_hall=True
    )


@conditional_club_page(Tournament, club="club")
@require_safe
def tournament_ranking(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the tournament's ranking, with a column for each round."""
    row, context = _visible_tournament(request, pk)
    rights = {"can_read": context["can_read"], "can_record": context["can_record"]}

    def rows() -> dict[str, Any]:
        return {
            **rights,
            **_ranking_context(row, shows_all_names=context["can_read"], final_ranks=_final_ranks(row)),
            "tournament": row,
            "files": file_addresses("tournament-ranking", pk),
            "team_files": file_addresses("tournament-teams", pk),
            "club_files": file_addresses("tournament-club-ranking", pk),
            "has_finals": Finals.objects.filter(tournament=row).exists(),
        }

    kind = tuple(rights.values())
    context["board"] = cached_template(request, "league/tournaments/_ranking_board.html", kind, rows)
    return render(request, "league/tournaments/ranking.html", context)


@require_safe
def ranking_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    row, context = _visible_tournament(request, pk)
    title = _("Ranking")
    rows = _file_rows(_ranking_context(row, shows_all_names=context["can_read"], final_ranks=_final_ranks(row)))
    return spreadsheet_response(rows, extension, title, f"{row} {row.date.isoformat()} {title}")


@require_safe
def team_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    """Export the ranking of teams as a spreadsheet; without teams, only the header."""
    row, context = _visible_tournament(request, pk)
    title = _("Teams")
    rows = _team_file_rows(row, _ranking_context(row, shows_all_names=context["can_read"])["teams"])
    return spreadsheet_response(rows, extension, title, f"{row} {row.date.isoformat()} {title}")


@require_safe
def club_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    """Export the ranking of clubs as a spreadsheet; without clubs, only the header."""
    row, context = _visible_tournament(request, pk)
    title = _("Clubs")
    rows = _club_file_rows(row, _ranking_context(row, shows_all_names=context["can_read"])["club_rows"])
    return spreadsheet_response(rows, extension, title, f"{row} {row.date.isoformat()} {title}")


@login_required
@require_safe
def ranking_paper(request: HttpRequest, pk: int) -> HttpResponse:
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)

    def context() -> dict[str, Any]:
        return {"tournament": row, **_ranking_context(row, shows_all_names=True, final_ranks=_final_ranks(row))}

    return render_for_paper(request, row.club, "league/tournaments/ranking_paper.html", context)


def _visible_tournament(request: HttpRequest, pk: int) -> tuple[Tournament, dict[str, Any]]:
    row = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    return row, visitor_context(request, row)


class NamedRow(NamedTuple):
    """A row of the ranking, with the name that the viewer may see, or a number.

    `final_rank` is the rank after the finals; None without finals, or before the end of the tournament.
    """

    row: RankedUnit
    name: str
    final_rank: int | None = None

    @property
    def score(self) -> str:
        return written_score(self.row.score)

    @property
    def cells(self) -> SafeString:
        return ranking_cells(self.row.cells, links_sheets=False)

    @property
    def linked_cells(self) -> SafeString:
        return ranking_cells(self.row.cells, links_sheets=True)


def _ranking_context(
    tournament: Tournament, *, shows_all_names: bool, final_ranks: FinalRanks | None = None
) -> dict[str, Any]:
    """Return the context for the rankings of units (players, pairs or teams), of teams and of clubs.

    If `final_ranks` is not empty, the rows of the first ranking are in this order.
    """
    rows: list[RankedUnit] = []
    teams: list[RankedGroup[TournamentUnit]] = []
    club_rows: list[RankedGroup[TournamentClub]] = []
    rounds = 0
    if tournament.has_started:
        season, rows = current_ranking(tournament)
        rounds = len(rows[0].cells) if rows else 0
        teams = rank_teams(tournament, season, rows)
        club_rows = rank_clubs(tournament, season, rows)
    named_rows = [
        NamedRow(row, _visible_name(row, shows_all_names=shows_all_names), (final_ranks or {}).get(_row_key(row)))
        for row in rows
    ]
    if final_ranks:
        named_rows.sort(key=lambda named_row: named_row.final_rank or len(rows))
    return {
        "shows_final_ranks": bool(final_ranks),
        "club_rows": club_rows,
        "teams": [team_for_viewer(team, shows_all_names=shows_all_names) for team in teams],
        "rows": named_rows,
        "round_numbers": range(1, rounds + 1),
        "by_points": tournament.ranked_by == RankedBy.POINTS,
        "score_title": tournament.get_ranked_by_display(),
        "units": unit_count_words(tournament, len({row.unit.pk for row in rows})),
    }


def _visible_name(row: RankedUnit, *, shows_all_names: bool) -> str:
    if shows_all_names or row.unit.names_public:
        return str(row.unit_player or row.unit.title)
    return _("Number %(number)s") % {"number": row.unit.number}


def _row_key(row: RankedUnit) -> tuple[int, int]:
    """Return the id of the unit (player, pair or team) and the player's position in it: the key in FinalRanks."""
    return row.unit.pk, row.unit_player.position if row.unit_player else WHOLE_UNIT


def _final_ranks(tournament: Tournament) -> FinalRanks:
    """Return the stored ranks after the finals; {} without finals, or before the end of the tournament."""
    if tournament.state != TournamentState.FINISHED or not Finals.objects.filter(tournament=tournament).exists():
        return {}
    ranks = TournamentRank.objects.filter(tournament=tournament).order_by()
    return {(unit, position): rank for unit, position, rank in ranks.values_list("unit", "position", "rank")}


def _file_rows(context: dict[str, Any]) -> Iterator[list[Cell]]:
    titles: list[Cell] = [_("Rank after the finals")] if context["shows_final_ranks"] else []
    titles += [_("Rank"), _("Number"), _("Name")]
    titles += [_("Round %(number)s") % {"number": number} for number in context["round_numbers"]]
    yield [*titles, _("Points"), _("Against"), _("Won"), _("Lost")]
    for row, name, rank in context["rows"]:
        final_rank: list[Cell] = [rank or ""] if context["shows_final_ranks"] else []
        points = [cell.points if cell else None for cell in row.cells]
        cells: list[Cell] = ["" if number is None else number for number in points]
        won, lost = number_for_file(row.won), number_for_file(row.lost)
        yield [*final_rank, row.rank, row.unit.number, name, *cells, row.points, row.against, won, lost]


def _team_file_rows(tournament: Tournament, teams: Sequence[NamedTeam]) -> Iterator[list[Cell]]:
    """Yield the header of the spreadsheet, then a row for each team, with a column for each player.

    The best player is first. The names of players whose score does not count are in brackets.
    """
    places = range(1, tournament.unit_size + 1)
    titles: list[Cell] = [_("Rank"), _("Number"), _("Team")]
    titles += [_("Player %(number)s") % {"number": number} for number in places]
    yield [*titles, str(tournament.get_ranked_by_display()), _("Points")]
    for team, name, players in teams:
        names: list[Cell] = [player.name if player.counts else f"({player.name})" for player in players]
        names += [""] * (tournament.unit_size - len(names))
        yield [team.rank, team.group.number or "", name, *names, number_for_file(team.score), team.points]


def _club_file_rows(tournament: Tournament, rows: Sequence[RankedGroup[TournamentClub]]) -> Iterator[list[Cell]]:
    yield [*(_("Rank"), _("Club"), _("Counted"), _("Results"), str(tournament.get_ranked_by_display()), _("Points"))]
    for row in rows:
        yield [row.rank, row.group.name, row.counted, len(row.members), number_for_file(row.score), row.points]
