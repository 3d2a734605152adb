"""Actions on an evening that is played on another computer, the hall server, and comes back as a file.

The file is a club file, a zip of CSV files, with the rows of one evening. Players of the file are matched with players
of the club by the keys of their memberships. All points are computed again from the deals and totals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import pgtrigger
from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions import audit, deals, evenings, webhooks
from league.actions.club_file_rows import RowWriter, new_ids, store_rows, table_faults
from league.actions.clubs import lock_club
from league.actions.player_names import apply_club_name_defaults
from league.actions.refusals import WrongState
from league.actions.rests import update_rest_points
from league.evenings.queries.hall_export_state import (
    COMPARED_ATTENDANCE_FIELDS,
    check_in_changes_since,
    evening_export_state,
)
from league.evenings.queries.hall_rules import rule_differences
from league.imports.queries.club_file.parts import HALL_COPIES, Part, references
from league.imports.queries.club_file.reading import ClubFile, HistoryRow, Row, UnreadableFile
from league.imports.queries.club_file.row_checks import row_faults
from league.imports.queries.club_file.scope import EVENING_PARTS
from league.models import Attendance, Club, Evening, HallCopy, Membership, Rest, Season, Seat, Table
from league.models.audit_entry import AuditEvent
from league.models.evening import UNFINISHED_STATES, EveningState, HallState
from league.models.history import history_reason
from league.models.rights import Role
from league.models.season import SeasonState
from league.seasons.queries.season_game import game_of_season
from players.accounts import add_player
from players.dates import date_format
from players.models import Player

NEW_PERSON = "new"  # the user's answer for an UnknownPerson who is not in the club yet


@dataclass(frozen=True)
class UnknownPerson:
    """A person who was added on a hall server (a computer in the hall).

    `similar` are members and guests of the club with a similar name.
    """

    number: int  # of the person's row in the file
    name: str
    similar: Sequence[Player]


@dataclass
class ReturnedEvening:
    """The effects of storing the file of an evening that comes back from a hall server (a computer in the hall).

    `is_here_already`: the file was stored before, and nothing changes. `closes`: the evening is closed in the file, so
    it is closed on this site. `present` is the number of check-ins; `rounds`, `tables` and `deals` are numbers too.
    """

    is_here_already: bool = False
    closes: bool = False
    present: int = 0
    rounds: int = 0
    tables: int = 0
    deals: int = 0
    totals: int = 0  # number of complete tables without deals
    paid: int = 0  # sum of the fees that players paid, in cents
    unknown: Sequence[UnknownPerson] = ()  # people of the file who are not found in the club
    # Sentences about changes on this site since the evening was taken; the file replaces these changes.
    replaced_changes: Sequence[str] = ()
    differing_points: list[str] = field(default_factory=list)  # sentences about points that differ from the file


class AnswersMissing(ValueError):
    """The user must choose for some people of the file which player of the club they are. Nothing was stored.

    `numbers` are the row numbers of these people in the file.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(numbers)
        self.numbers = numbers


class CheckInsChanged(ValueError):
    """Check-ins were changed on this site since the evening was taken, and the user has not agreed to replace them."""


class _RolledBack(Exception):
    pass


@transaction.atomic
def mark_taken_to_hall(evening_id: int, *, now: datetime) -> HallCopy:
    """Mark an evening as played on a hall server (a computer in the hall), and return the HallCopy that was created.

    The key of the HallCopy identifies the evening's file. Raise WrongState, for example if the evening has an accepted
    round.
    """
    with evenings.lock_evening(evening_id) as evening:
        check_can_be_taken_to_hall(evening)
        copy = HallCopy.objects.create(evening=evening, taken_at=now, base=evening_export_state(evening))
        evening.hall, evening.hall_since = HallState.OUT, now
        evening.save(update_fields=["hall", "hall_since"])
        audit.log(AuditEvent.EVENING_TAKEN_OUT, evening)
        return copy


def check_can_be_taken_to_hall(evening: Evening) -> None:
    if evening.season.tournament_id is not None:
        raise WrongState(_("A tournament is played here: only evenings of a season are taken to the hall."))
    if evening.hall == HallState.HERE:
        raise WrongState(_("This is the copy on the hall server. Take the evening from the club’s site."))
    _check_not_played_here(evening)
    if evening.hall_copies.exclude(returned_at=None).exists():
        raise WrongState(_("The evening has come back from the hall already."))


def _check_not_played_here(evening: Evening) -> None:
    """Raise WrongState unless the season is open, and the evening is planned or open without an accepted round."""
    if evening.season.state != SeasonState.OPEN:
        raise WrongState(
            _("The season is %(state)s: it has to be open.") % {"state": evening.season.get_state_display().lower()}
        )
    if evening.state not in UNFINISHED_STATES:
        raise WrongState(
            _("The evening is %(state)s here: it has to be planned or open.")
            % {"state": evening.get_state_display().lower()}
        )
    if number := evening.rounds.accepted().count():
        text = ngettext(
            "The evening has %(number)s round here. It can be played in the hall only if no round is accepted here.",
            "The evening has %(number)s rounds here. It can be played in the hall only if no round is accepted here.",
            number,
        )
        raise WrongState(text % {"number": number})


@transaction.atomic
def withdraw_from_hall(evening_id: int) -> None:
    """Mark an evening as played on this site again.

    Its files from hall servers (computers in the hall) can no longer be stored.
    """
    with evenings.lock_evening(evening_id) as evening:
        if evening.hall == HallState.OUT:
            evening.hall_copies.filter(returned_at=None).delete()
            _clear_hall_state(evening)
            audit.log(AuditEvent.EVENING_NOT_TAKEN, evening)


def _clear_hall_state(evening: Evening) -> None:
    evening.hall, evening.hall_since = HallState.NONE, None
    evening.save(update_fields=["hall", "hall_since"])


def preview_return(evening: Evening, file: ClubFile, digest: str, *, now: datetime) -> ReturnedEvening:
    """Return the changes that `store_return` would make; the file is stored in a transaction that is rolled back.

    `digest` identifies the file. People of the file who are not found in the club count as new. Raise UnreadableFile or
    WrongState.
    """
    returned = ReturnedEvening()
    try:
        with transaction.atomic():
            returned = _store_return(evening, file, digest, {}, now=now, is_trial=True, replaces=True)
            raise _RolledBack
    except _RolledBack:
        return returned


@transaction.atomic
def store_return(
    evening: Evening, file: ClubFile, digest: str, answers: Mapping[int, str], *, replaces: bool, now: datetime
) -> ReturnedEvening:
    """Store an evening that was played on a hall server (a computer in the hall), and return the changes.

    The same file again changes nothing. `answers` maps the row number of a person in the file to the id of a player of
    the club, or to NEW_PERSON. `digest` identifies the file. With `replaces`, changes of check-ins on this site are
    replaced; else they raise CheckInsChanged. Raise UnreadableFile, WrongState or AnswersMissing.
    """
    return _store_return(evening, file, digest, answers, now=now, is_trial=False, replaces=replaces)


def _store_return(
    evening_before: Evening,
    file: ClubFile,
    digest: str,
    answers: Mapping[int, str],
    *,
    now: datetime,
    is_trial: bool,
    replaces: bool,
) -> ReturnedEvening:
    reason = _("played on a hall server")
    with (
        lock_club(evening_before.season.club) as club,
        history_reason(reason),
        evenings.lock_evening(evening_before.pk) as evening,
    ):
        copy, came_back = _find_hall_copy(evening, club, file, digest)
        if came_back:
            return ReturnedEvening(is_here_already=True)
        _check_not_played_here(evening)
        _check_file(evening, file)
        people = _People(evening, copy, file, answers, is_trial=is_trial)
        replaced = check_in_changes_since(evening, copy.base)
        if replaced and not replaces:
            raise CheckInsChanged
        returned = ReturnedEvening(unknown=people.unknown, replaced_changes=replaced)
        try:
            with transaction.atomic():
                _EveningWriter(file, evening, people.add_new_people(), copy.base["attendances"]).write()
                _check_and_score(evening)
                with connection.cursor() as cursor:
                    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except DatabaseError as error:
            raise UnreadableFile([_("The file contains rows that contradict each other.")]) from error
        _fill_returned_evening(returned, evening, file)
        copy.returned_at, copy.digest = now, digest
        copy.save(update_fields=["returned_at", "digest"])
        evening.hall_copies.update(base={})
        _clear_hall_state(evening)
        audit.log(AuditEvent.EVENING_RETURNED, evening, count=returned.tables, guests=len(people.new))
        if returned.closes:
            webhooks.record_evening_closed(evenings.store_closed(evening.pk, now=now), now=now)
        return returned


def _find_hall_copy(evening: Evening, club: Club, file: ClubFile, digest: str) -> tuple[HallCopy, bool]:
    """Return the HallCopy whose key is in the file, and whether the file is stored already.

    Raise UnreadableFile or WrongState.
    """
    copies, rows = file.rows[HALL_COPIES], file.rows["evenings"]
    if not copies or len(rows) != 1 or len(file.rows["seasons"]) != 1:
        raise UnreadableFile(
            [_("This is no file of one evening. On the hall server, open the evening and download it there.")]
        )
    [club_row] = file.rows["club"]
    if club_row.values["founded_at"] != club.founded_at:
        text = _("The file is of the club %(given)s, and this is %(here)s.")
        raise UnreadableFile([text % {"given": club_row.values["name"], "here": club.name}])
    keys = [row.values["key"] for row in copies]
    returned = evening.hall_copies.exclude(returned_at=None).first()
    if returned is not None and returned.digest == digest and returned.key in keys:
        return returned, True
    copy: HallCopy | None = evening.hall_copies.filter(key__in=keys).first()
    if copy is None:
        words = {
            "given": _evening_label(rows[0].values["date"], file.rows["seasons"][0].values["name"]),
            "here": _evening_label(evening.date, evening.season.name),
        }
        copied_evening = HallCopy.objects.filter(key__in=keys, evening__season__club=club).first()
        if copied_evening is not None:
            raise UnreadableFile([_("The file is of %(given)s, and this is %(here)s.") % words])
        text = _("The file of %(given)s was not taken from here, or it was withdrawn: it can’t be stored.")
        raise UnreadableFile([text % words])
    if returned is not None and returned.returned_at is not None:
        when = date_format(returned.returned_at.astimezone(club.zone), "DATETIME_FORMAT")
        text = _("The evening came back on %(when)s, from another file. Correct it here.")
        raise WrongState(text % {"when": when})
    return copy, False


def _evening_label(day: Any, season: str) -> str:
    return f"{date_format(day, 'DATE_FORMAT')} ({season})"


def _check_file(evening: Evening, file: ClubFile) -> None:
    if faults := row_faults(file):
        raise UnreadableFile(faults)
    [season], [row] = file.rows["seasons"], file.rows["evenings"]
    if row.values["state"] not in (EveningState.OPEN, EveningState.CLOSED):
        state = EveningState(row.values["state"]).label.lower()
        text = _("On the hall server the evening is %(state)s: it has to be open or closed there.")
        raise UnreadableFile([text % {"state": state}])
    if row.values["date"] != evening.date:
        words = {
            "given": date_format(row.values["date"], "DATE_FORMAT"),
            "here": date_format(evening.date, "DATE_FORMAT"),
        }
        text = _("The evening is dated %(given)s in the file, and %(here)s here. Change its date here first.")
        raise UnreadableFile([text % words])
    if differences := rule_differences(evening, season.values, row.values["kept_house_rules"]):
        raise UnreadableFile(differences)


class _People:
    """The people of a file from a hall server (a computer in the hall), matched with players of the club.

    People are matched by the keys of their memberships. `ids` maps the row number of a person in the file to the id of
    a player. `new` are the row numbers of new people.
    """

    def __init__(
        self, evening: Evening, copy: HallCopy, file: ClubFile, answers: Mapping[int, str], *, is_trial: bool
    ) -> None:
        self.club = evening.season.club
        self.names = {row.number: row.values for row in file.rows["people"]}
        self.memberships = {row.values["player"]: row.values for row in file.rows["memberships"]}
        player_ids = dict(self.club.memberships.values_list("key", "player_id"))
        self.ids = {
            number: player_ids[row["key"]] for number, row in self.memberships.items() if row["key"] in player_ids
        }
        unmatched = sorted(_used_people(file) - self.ids.keys())
        keys_then = set(copy.base["people"])
        gone = [number for number in unmatched if not self._was_added_in_hall(number, keys_then)]
        if gone:
            text = _(
                "%(player)s is not on the club’s list any more: taken off, erased, or merged with another record since "
                "the evening was taken. On the hall server, give the seats and the check-in to another person, and "
                "download the evening again."
            )
            raise UnreadableFile([text % {"player": self._display_name(number)} for number in gone])
        self.unknown = [
            UnknownPerson(number, self._display_name(number), self._similar_members(self._display_name(number)))
            for number in unmatched
        ]
        self.new = unmatched if is_trial else self._new_people(answers)
        self._check_no_player_twice(_used_people(file))

    def _was_added_in_hall(self, number: int, keys_then: set[str]) -> bool:
        """Return whether the person was added on the hall server.

        `keys_then` are the keys of the club's memberships at the time when the evening was taken.
        """
        return number in self.memberships and str(self.memberships[number]["key"]) not in keys_then

    def _display_name(self, number: int) -> str:
        return str(self.names[number]["display_name"])

    def _similar_members(self, name: str) -> list[Player]:
        other_members = Player.objects.filter(memberships__club=self.club).exclude(pk__in=self.ids.values())
        return list(other_members.similar_to(name)[:10])

    def _new_people(self, answers: Mapping[int, str]) -> list[int]:
        """Return the row numbers of people who are new in the club. Raise AnswersMissing.

        People whom the user identified with a player are added to `ids`.
        """
        missing, new = [], []
        for person in self.unknown:
            answer = answers.get(person.number, "" if person.similar else NEW_PERSON)
            if answer == NEW_PERSON:
                new.append(person.number)
            elif answer in {str(player.pk) for player in person.similar}:
                self.ids[person.number] = int(answer)
            else:
                missing.append(person.number)
        if missing:
            raise AnswersMissing(missing)
        return new

    def _check_no_player_twice(self, used: set[int]) -> None:
        """Raise UnreadableFile if two people of the file are the same player here."""
        by_player: dict[int, list[str]] = {}
        for number in used & self.ids.keys():
            by_player.setdefault(self.ids[number], []).append(self._display_name(number))
        doubles = [" · ".join(sorted(names)) for names in by_player.values() if len(names) > 1]
        if doubles:
            raise UnreadableFile([_("Two people of the file are one person here: %(names)s.") % {"names": doubles[0]}])

    def add_new_people(self) -> dict[int, int]:
        """Add the new people to the club; return the ids of all players by their row numbers in the file."""
        for number in self.new:
            names, membership = self.names[number], self.memberships[number]
            player = add_player(names["given_name"], names["family_name"], display_name=names["display_name"])
            role = Role.GUEST if membership["role"] == Role.GUEST else Role.MEMBER
            Membership.objects.create(club=self.club, player=player, role=role, key=_as_uuid(membership["key"]))
            self.ids[number] = player.pk
        apply_club_name_defaults(self.ids[number] for number in self.new)
        return self.ids


def _as_uuid(key: Any) -> UUID:
    return key if isinstance(key, UUID) else UUID(str(key))


def _player_fields(part: Part) -> list[str]:
    return [name for name, parent in references(part).items() if parent.model is Player]


def _used_people(file: ClubFile) -> set[int]:
    """Return the row numbers of the people who occur in the evening's rows. People only in its history are left out."""
    return {
        row.values[name]
        for part in EVENING_PARTS
        for row in file.rows[part.name]
        for name in _player_fields(part)
        if row.values[name] is not None
    }


class _EveningWriter(RowWriter):
    """Stores the rows of a file from a hall server (a computer in the hall) as the rows of an evening that exists here.

    `people` maps the row numbers of people to ids of players. `base` maps ids of players to the values of their
    check-ins at the time when the evening was taken.
    """

    def __init__(self, file: ClubFile, evening: Evening, people: Mapping[int, int], base: Mapping[str, Any]) -> None:
        history_rows = {
            part.name: [
                row
                for row in file.history[part.name]
                if all(row.values.get(name) in (None, *people) for name in _player_fields(part))
            ]
            for part in EVENING_PARTS
            if part.history
        }
        super().__init__(file._replace(history=history_rows))
        self.evening = evening
        self.base = base
        [evening_row] = file.rows["evenings"]
        [season_row] = file.rows["seasons"]
        self.ids = {
            Club: {1: evening.season.club_id},
            Season: {season_row.number: evening.season_id},
            Evening: {evening_row.number: evening.pk},
            Player: dict(people),
        }
        self.opened_at = evening_row.values["opened_at"]

    def write(self) -> None:
        self.evening.rounds.planned().delete()
        if self.evening.state == EveningState.PLANNED:
            self.evening.state = EveningState.OPEN
        self.evening.opened_at = self.opened_at or self.evening.opened_at
        self.evening.save(update_fields=["state", "opened_at"])
        self._restore_attendances()
        tracked_parts = [part for part in EVENING_PARTS if part.history]
        insert_triggers = [f"{part.model._meta.label}:insert_insert" for part in tracked_parts]
        with pgtrigger.ignore(*insert_triggers, "league.Attendance:update_update"), transaction.atomic():
            for part in EVENING_PARTS:
                if part.model is Attendance:
                    self._write_attendances(part)
                else:
                    self._write_part(part)
        acts = self.write_acts()
        self.assign_ids_to_deleted_rows(tracked_parts)
        for part in tracked_parts:
            self.store_history_rows(part, self._history_rows_to_store(part), acts)

    def _history_rows_to_store(self, part: Part) -> list[HistoryRow]:
        rows = self.file.history[part.name]
        if part.model is Attendance:  # the triggers log the deletion of a check-in that was here
            return [row for row in rows if row.row_number in self.stored or row.row_number not in self.deleted]
        return rows

    def _write_part(self, part: Part) -> None:
        rows = self.file.rows[part.name]
        ids = new_ids(part.model, len(rows))
        self.ids[part.model] = {row.number: pk for row, pk in zip(rows, ids, strict=True)}
        store_rows(part.model, [self._row_columns(part, row, pk) for row, pk in zip(rows, ids, strict=True)])

    def _row_columns(self, part: Part, row: Row, pk: int) -> dict[str, Any]:
        values = self.column_values(part, part.fields, row.values)
        return {"id": pk, **values, **self.derived_values(part.model, values)}

    def _restore_attendances(self) -> None:
        """Restore the check-ins that the evening had when it was taken: the file's history begins with them."""
        stored = {row.player_id: row for row in self.evening.attendances.all()}
        base = {
            int(player): dict(zip(COMPARED_ATTENDANCE_FIELDS, values, strict=True))
            for player, values in self.base.items()
        }
        for player, row in stored.items():
            if player not in base:
                row.delete()
            elif any(getattr(row, name) != value for name, value in base[player].items()):
                for name, value in base[player].items():
                    setattr(row, name, value)
                row.save(update_fields=COMPARED_ATTENDANCE_FIELDS)
        for player in base.keys() - stored.keys():
            Attendance.objects.create(evening=self.evening, player_id=player, **base[player])

    def _write_attendances(self, part: Part) -> None:
        """Make the evening's check-ins equal to the file's: update, add and delete rows, matched by player."""
        before = dict(self.evening.attendances.values_list("player_id", "pk"))
        rows = self.file.rows[part.name]
        players = {row.number: self.ids[Player][row.values["player"]] for row in rows}
        new = [row for row in rows if players[row.number] not in before]
        ids = dict(zip((row.number for row in new), new_ids(Attendance, len(new)), strict=True))
        self.stored = set(players)
        self.ids[Attendance] = {number: ids.get(number) or before[player] for number, player in players.items()}
        gone = before.keys() - set(players.values())
        self.deleted = self._match_deleted_rows({player: before[player] for player in gone})
        self.evening.attendances.filter(player__in=gone).delete()
        for row in rows:
            if row.number not in ids:
                values = self.column_values(part, part.fields, row.values)
                Attendance.objects.filter(pk=self.ids[Attendance][row.number]).update(**values)
        store_rows(Attendance, [self._row_columns(part, row, ids[row.number]) for row in new])

    def _match_deleted_rows(self, check_in_ids: Mapping[int, int]) -> set[int]:
        """Match check-ins that are only in the file's history with check-ins that are deleted here, by player.

        `check_in_ids` maps the id of a player to the id of the deleted check-in. The matched check-ins of the file get
        these ids. Return the row numbers of the matched check-ins in the file.
        """
        numbers = {
            row.row_number: self.ids[Player][row.values["player"]]
            for row in self.file.history["attendances"]
            if row.row_number not in self.ids[Attendance]
        }
        matched = {number: player for number, player in numbers.items() if player in check_in_ids}
        self.ids[Attendance].update({number: check_in_ids[player] for number, player in matched.items()})
        return set(matched)


def _check_and_score(evening: Evening) -> None:
    """Compute the points of the evening's tables and rests. Raise UnreadableFile for an invalid table or deal."""
    season = evening.season
    if faults := list(table_faults(game_of_season(season), Table.objects.filter(round__evening=evening))):
        raise UnreadableFile(faults)
    deals.score_all_deals(season, round__evening=evening)
    update_rest_points(round__evening=evening)


def _fill_returned_evening(returned: ReturnedEvening, evening: Evening, file: ClubFile) -> None:
    """Set the fields of `returned` that follow from the stored evening and the file."""
    [row] = file.rows["evenings"]
    returned.closes = row.values["state"] == EveningState.CLOSED
    attendances = file.rows["attendances"]
    returned.present, returned.paid = len(attendances), sum(row.values["paid"] for row in attendances)
    returned.rounds, returned.tables = len(file.rows["rounds"]), len(file.rows["tables"])
    returned.deals = sum(row.values["voided_at"] is None for row in file.rows["deals"])
    returned.totals = Table.objects.filter(round__evening=evening, complete=True, recorded=0).count()
    returned.differing_points = list(_point_differences(evening, file))


def _point_differences(evening: Evening, file: ClubFile) -> Iterator[str]:
    """Yield a sentence for each seat, or round sat out, whose computed points differ from the points in the file.

    The rows were stored in the order of the file.
    """
    seats = list(Seat.objects.filter(round__evening=evening).select_related("round", "player").order_by("pk"))
    rests = list(Rest.objects.filter(round__evening=evening).select_related("round", "player").order_by("pk"))
    stored: list[Seat | Rest] = [*seats, *rests]
    for row, received in zip(stored, [*file.rows["seats"], *file.rows["rests"]], strict=True):
        if row.points != received.values["points"]:
            words = {"round": row.round, "player": row.player, "given": received.values["points"], "here": row.points}
            yield _("%(round)s, %(player)s: %(given)s in the file, %(here)s here.") % words
