"""Import of a club from a club file, a zip of CSV files.

The file has all facts of the club. Points, standings and ratings are computed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pgtrigger
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from league.actions import audit, pending_recomputes
from league.actions.club_appearance import WEBP, is_reencoded_logo
from league.actions.club_file_rows import FieldValues, RowWriter, new_ids, store_rows, table_faults
from league.actions.clubs import new_slug
from league.actions.deals import score_all_deals
from league.actions.imports import ReportProgress, ignore_progress
from league.actions.player_names import apply_club_name_defaults
from league.actions.rests import update_rest_points
from league.imports.queries.club_file.parts import HALL_COPIES, KEY_OF_OLDER_MEMBERSHIPS, PARTS, Part
from league.imports.queries.club_file.reading import ClubFile, UnreadableFile
from league.imports.queries.club_file.row_checks import row_faults
from league.models import (
    Club,
    ClubMark,
    Evening,
    HallCopy,
    HouseRulesChange,
    ListColumns,
    Membership,
    PendingRecompute,
    Season,
    SeasonClosing,
    Standing,
    Table,
    Tournament,
    versions,
)
from league.models.audit_entry import AuditEvent
from league.models.evening import HallState
from league.models.finals import FinalsKind
from league.models.list_columns import are_valid_columns
from league.models.rights import Right, Role, roles_with_right
from league.models.season import MIN_RESTING_TABLE_SIZE, SeasonState
from league.models.standing import rows_digest
from league.models.tournament import has_readable_rules
from league.pairing.finals import ImpossibleFinals, check_plan
from league.seasons.queries.season_evenings import UnreadableRules, standings_rules_of
from league.seasons.queries.season_game import game_of_season
from league.seasons.queries.season_rankings import rank_season
from league.standings.rules import StandingsRules
from league.standings.words import WORDS
from league.tournaments.queries.finals import FINAL_TABLE_KEY, read_finals
from players.accounts import add_player
from players.derived_rows import differences
from players.models import Player, User
from players.names import normalize_spaces
from scoring import registry
from scoring.game import Game
from scoring.phrases import refusal_text
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message


class ClubAlreadyImported(ValueError):
    """The club of the file exists in this installation; an import would duplicate the club and its players."""


def check_not_imported(file: ClubFile) -> None:
    """Raise ClubAlreadyImported if a club with the founding time of the file's club exists in this installation."""
    [club] = file.rows["club"]
    if Club.objects.filter(founded_at=club.values["founded_at"]).exists():
        raise ClubAlreadyImported(club.values["name"])


@transaction.atomic
def import_club(file: ClubFile, *, now: datetime, report: ReportProgress = ignore_progress) -> Club:
    """Import a club with all its players, and return the club.

    `report` is called with the number of finished steps and the number of all steps. Raise UnreadableFile, and store
    nothing, if a row is invalid.
    """
    if faults := row_faults(file):
        raise UnreadableFile(faults)
    try:
        with transaction.atomic():
            club = _ClubWriter(file, report).write()
        audit.log_past_changes(club)
        audit.log(AuditEvent.CLUB_IMPORTED, club, name=club.name)
    except DatabaseError as error:
        raise UnreadableFile([_("It can't be stored: %(why)s") % {"why": _database_message(error)}]) from error
    for season in Season.objects.filter(club=club).order_by("pk"):
        pending_recomputes.mark_season_and_ratings(season, not_before=now, why=PendingRecompute.Reason.IMPORTED)
    return club


@transaction.atomic
def import_club_for_user(
    user: User,
    names: Mapping[str, str],
    file: ClubFile,
    *,
    now: datetime,
    allow_copy: bool = False,
    report: ReportProgress = ignore_progress,
) -> Club:
    """Import a club as a private club, and make the user its admin.

    If the user has no player, a new player gets the `names`. If the club exists in this installation and `allow_copy`
    is False, raise ClubAlreadyImported. Raise UnreadableFile for an invalid file.
    """
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    if not allow_copy:
        check_not_imported(file)
    club = import_club(file, now=now, report=report)
    admin = Player.objects.filter(user=user).first() or _link_user_to_player(user, club, names, file)
    if admin is None:
        admin = add_player(**names, user=user)
    club.memberships.update_or_create(player=admin, defaults={"role": Role.ADMIN})
    club.public = False
    club.save(update_fields=["public"])
    apply_club_name_defaults([admin.pk])
    return club


def _link_user_to_player(user: User, club: Club, names: Mapping[str, str], file: ClubFile) -> Player | None:
    """Link the user to the player with the same name who may record results, and return this player.

    Return None if not exactly one player matches, or if the file is not for a hall server (a computer in the hall). A
    new player would be a second record of the same secretary when the evening is sent back to the club's site.
    """
    if not file.rows[HALL_COPIES]:
        return None
    committee = Player.objects.filter(memberships__club=club, memberships__role__in=roles_with_right(Right.RECORD))
    same_names = [player for player in committee if (player.given_name, player.family_name) == _full_name(names)]
    if len(same_names) != 1:
        return None
    same_names[0].user = user
    same_names[0].save(update_fields=["user"])
    return same_names[0]


def _full_name(names: Mapping[str, str]) -> tuple[str, str]:
    return normalize_spaces(names.get("given_name", "")), normalize_spaces(names.get("family_name", ""))


def _database_message(error: DatabaseError) -> str:
    """Return PostgreSQL's own message, which names the wrong value."""
    details = getattr(error.__cause__, "diag", None)
    return " · ".join(filter(None, (details.message_primary, details.message_detail))) if details else str(error)


class _ClubWriter(RowWriter):
    """Stores the rows of a club file as a new club."""

    def __init__(self, file: ClubFile, report: ReportProgress) -> None:
        super().__init__(file)
        self.report = report
        [club] = file.rows["club"]
        self.slug = new_slug(club.values["name"])

    def write(self) -> Club:
        """Store all rows and their history, compute the points, and return the club. Raise UnreadableFile."""
        stored = [part for part in PARTS if not part.is_computed]
        own_history = [f"{part.model._meta.label}:insert_insert" for part in stored if part.history]
        with pgtrigger.ignore(*own_history), transaction.atomic():
            for number, part in enumerate(stored):
                self.report(number, len(stored) + len(self.file.rows["seasons"]))
                self._write_part(part)
        acts = self.write_acts()
        self.assign_ids_to_deleted_rows(PARTS)
        for part in PARTS:
            if part.history:
                self.store_history_rows(part, self.file.history[part.name], acts)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        club = Club.objects.get(pk__in=self.ids[Club].values())
        for copy in HallCopy.objects.filter(evening__season__club=club):
            Evening.objects.filter(pk=copy.evening_id).update(hall=HallState.HERE, hall_since=copy.taken_at)
        seasons = list(club.seasons.select_related("club_game").order_by("pk"))
        for number, season in enumerate(seasons, len(stored)):
            self.report(number, len(stored) + len(seasons))
            _check_and_score(season)
        for tournament in club.tournaments.order_by("pk"):
            if faults := list(_tournament_faults(tournament)):
                raise UnreadableFile([f"{tournament}: {fault}" for fault in faults])
        apply_club_name_defaults(club.memberships.values_list("player", flat=True))
        return club

    def _write_part(self, part: Part) -> None:
        rows = self.file.rows[part.name]
        if part.model is Standing:  # the standings of open seasons are computed again
            closed = {row.values["season"] for row in self.file.rows["closings"]}
            rows = [row for row in rows if row.values["season"] in closed]
        own_ids = not part.model._meta.pk.is_relation
        if not own_ids and len(rows) > 1:
            words = _("%(name)s.csv has %(number)s rows: a club has one at most.")
            raise UnreadableFile([words % {"name": part.name, "number": len(rows)}])
        ids = new_ids(part.model, len(rows)) if own_ids else list(self.ids[Club].values())[: len(rows)]
        self.ids[part.model] = dict(zip((row.number for row in rows), ids, strict=True))
        key = part.model._meta.pk.attname
        filled: list[dict[str, Any]] = []
        for row, pk in zip(rows, ids, strict=True):
            values = self.column_values(part, part.fields, row.values)
            filled.append({key: pk, **values, **self.derived_values(part.model, values)})
        store_rows(part.model, filled)

    def derived_values(self, model: type[Model], values: FieldValues) -> dict[str, Any]:
        if model is Club:
            mark = [row.values["data"] for row in self.file.rows["mark"]]
            return {"slug": self.slug, "mark": sha256(mark[0]).hexdigest() if mark else ""}
        if model is ClubMark:
            if values["content_type"] != WEBP or not is_reencoded_logo(values["data"]):
                raise UnreadableFile([_("mark.csv has no picture that can be kept: a WebP of 64 kB at most.")])
            return {"digest": sha256(values["data"]).hexdigest()}
        if model is ListColumns and not are_valid_columns(values["columns"]):
            raise UnreadableFile([_("list_columns.csv has what is no list of columns.")])
        if model is Player:
            return Player(**values).derived_names()
        if model is Membership and values.get("key") == KEY_OF_OLDER_MEMBERSHIPS:
            return {"key": uuid4()}
        if model is SeasonClosing:
            return {"digest": rows_digest(Standing.objects.filter(season=values["season_id"]))}
        return super().derived_values(model, values)


def _season_faults(season: Season) -> Iterator[str]:
    """Yield a sentence for each error in the season that no database constraint finds."""
    if season.game not in (*registry.slugs(), registry.TOTALS):
        yield _("there is no game %(game)s here") % {"game": season.game}
        return
    game = game_of_season(season)
    rules = game.rules
    if season.club_game and season.house_rules != season.club_game.options:
        yield _("its house rules are not those of its game")
    evenings = season.evenings.exclude(kept_house_rules=None).values_list("kept_house_rules", flat=True)
    try:
        standings_rules_of(season)
        for house_rules in (season.house_rules, *evenings):
            rules.read_options(house_rules)
    except UnreadableRules as unreadable:
        yield str(unreadable)
    except IllegalDeal as illegal:
        yield f"{illegal.field}: {refusal_text(game, illegal, ())}"
    yield from _rules_faults(season, game)
    if (season.state == SeasonState.CLOSED) != SeasonClosing.objects.filter(season=season).exists():
        yield _("a season is in closings.csv if it is closed, and only then")
    yield from table_faults(game, Table.objects.filter(round__evening__season=season))


def _rules_faults(season: Season, game: Game) -> Iterator[str]:
    sizes = season.table_sizes
    if not sizes or len(set(sizes)) < len(sizes) or not set(sizes) <= set(game.sizes):
        allowed = ", ".join(map(str, game.sizes))
        yield _("table sizes are some of %(allowed)s, each once (%(given)s)") % {"allowed": allowed, "given": sizes}
    if season.fifth_rests and not (game.may_rest and max(sizes or [0]) >= MIN_RESTING_TABLE_SIZE):
        yield _("nobody rests at tables of this game or of these sizes")
    if season.typing and season.typing not in game.typing_variants:
        yield _("deals of this game are not typed that way: %(given)s") % {"given": season.typing}
    evenings = set(season.evenings.values_list("pk", flat=True))
    for row in HouseRulesChange.objects.filter(season=season):
        if row.since_id is not None and row.since_id not in evenings:
            yield _("its house rules change with an evening of another season")
        for house_rules in (row.before, row.after):
            try:
                game.rules.read_options(house_rules)
            except IllegalDeal as illegal:
                yield f"{illegal.field}: {refusal_text(game, illegal, ())}"
    for draft in season.rules_drafts.all():
        try:
            StandingsRules.from_json(draft.rules)
        except IllegalDeal as illegal:
            yield f"{draft}: {illegal.field}: {format_message(WORDS, illegal.code, illegal.params)}"
    for standing in season.standings.all():
        if not {*standing.counted, *standing.dropped, *map(int, standing.worth)} <= evenings:
            yield _("its standings name evenings of other seasons")


def _check_and_score(season: Season) -> None:
    """Compute all points of the season. Raise UnreadableFile if the season has an error that no constraint finds."""
    if faults := list(_season_faults(season)):
        raise UnreadableFile([f"{season}: {fault}" for fault in faults])
    score_all_deals(season)
    update_rest_points(round__evening__season=season)
    if faults := list(_standing_faults(season)):
        raise UnreadableFile([f"{season}: {fault}" for fault in faults])


def _tournament_faults(tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for an error in the tournament that no database constraint finds, such as impossible finals."""
    if not has_readable_rules(tournament.game, tournament.house_rules):
        yield _("its house rules are not those of its game")
        return
    season: Season | None = Season.objects.filter(tournament=tournament).first()
    if (season is not None) != tournament.has_started or (season and season.evenings.count() != 1):
        yield _("a tournament that was started has a season with one evening, and no other has")
        return
    if tournament.units.exclude(plays_for=None).exclude(plays_for__tournament=tournament).exists():
        yield _("a unit plays for a club of its tournament")
    finals = read_finals(tournament, season) if season else None
    if finals is None:
        return
    if sorted(finals.units) != list(range(1, len(finals.units) + 1)):
        yield _("the units of finals are numbered from 1, without a gap")
        return
    is_table = finals.finals.form == FinalsKind.TABLE
    try:
        if not is_table:
            check_plan(finals.plan)
    except ImpossibleFinals:
        yield _("these finals can’t be played by so many units")
        return
    keys = {FINAL_TABLE_KEY} if is_table else {match.key for match in finals.matches}
    if any(key not in keys or len(game.seeds) < 2 for key, games in finals.games.items() for game in games):
        yield _("a table of the finals has a match of their plan, and their units")


def _standing_faults(season: Season) -> Iterator[str]:
    """Yield a sentence for each stored standing of a closed season that differs from the computed standing.

    Standings that another version of the program computed are not compared.
    """
    rows = list(season.standings.select_related("player"))
    if season.state == SeasonState.CLOSED and all(row.arithmetic == versions.STANDINGS for row in rows):
        fresh = [Standing.from_row(season.pk, row, versions.STANDINGS) for row in rank_season(season)]
        for difference in differences(rows, fresh, Standing.KEY, Standing.DERIVED):
            yield _("its standings do not follow from its results: %(difference)s") % {"difference": difference}
