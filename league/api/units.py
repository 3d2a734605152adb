"""Endpoints that register, cancel and check in units of a tournament: players, pairs or teams."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from ninja import Field, Router, Schema, Status

from league.actions import registrations, tournament_play
from league.actions.registrations import PlayerEntry, Registration
from league.api.forms import TeamNameForm, UnitPlayerForm
from league.api.problems import RequestError, RequestRefused
from league.api.writing import IdempotencyKey, WriteRequest, WriteToken, recordable_row, write_for_token
from league.imports.queries.listed_people import name_key
from league.models import Tournament, TournamentUnit
from league.models.api_token import Scope
from league.tournaments.queries.member_names import players_by_name

router = Router(tags=["tournaments"])
REGISTER_AUTH = WriteToken(Scope.REGISTER)

MAX_PLAYERS = 20  # largest number of players in a request; a unit has fewer


class UnitPlayer(Schema):
    """A player of a unit. If exactly one member of the club has this name, the player is linked to the member."""

    name: str = Field(max_length=80)
    email: str = Field("", max_length=254)
    phone: str = Field("", max_length=30)


class NewUnit(Schema):
    """A unit (player, pair or team) to register in a tournament. With `seeks_partner` the unit is incomplete.

    `names_public`: the players allow the public list to show their names. Players with an email address get a
    confirmation. `club` is the name of the club for which the unit plays, as written on the tournament's page; empty
    if the unit plays for none of these clubs.
    """

    players: list[UnitPlayer] = Field(min_length=1, max_length=MAX_PLAYERS)
    seeks_partner: bool = False
    names_public: bool = False
    team_name: str = Field("", max_length=60)
    club: str = Field("", max_length=80)


class EmptyBody(Schema):
    """The body of a request without fields: an empty JSON object."""


class StoredUnitOut(Schema):
    """The unit as stored by the write. `state` is "waiting" if it has no place. `number` is null until check-in."""

    id: int
    tournament: int
    state: str
    number: int | None
    page: str


@router.post(
    "/tournaments/{int:tournament_id}/units",
    response={201: StoredUnitOut},
    auth=REGISTER_AUTH,
    summary=_("Register a unit in a tournament"),
    url_name="units",
)
def register(request: WriteRequest, tournament_id: int, body: NewUnit, key: IdempotencyKey) -> Status[dict[str, Any]]:
    tournament = recordable_row(request, Tournament.objects.with_club(), pk=tournament_id)

    def write(_client_key: UUID) -> dict[str, Any]:
        registration = _registration(tournament, body)
        return _unit_answer(registrations.register_at_desk(tournament.pk, registration, now=timezone.now()))

    return Status(HTTPStatus.CREATED, write_for_token(request, key, write))


@router.post(
    "/units/{int:unit_id}/cancel",
    response=StoredUnitOut,
    auth=REGISTER_AUTH,
    summary=_("Cancel a unit’s registration"),
    url_name="unit-cancel",
)
def cancel(request: WriteRequest, unit_id: int, body: EmptyBody, key: IdempotencyKey) -> dict[str, Any]:
    unit = recordable_row(request, TournamentUnit.objects.select_related("tournament__club"), pk=unit_id)

    def write(_client_key: UUID) -> dict[str, Any]:
        return _unit_answer(registrations.cancel(unit.pk, now=timezone.now()))

    return write_for_token(request, key, write)


@router.post(
    "/units/{int:unit_id}/check-in",
    response=StoredUnitOut,
    auth=REGISTER_AUTH,
    summary=_("Check a unit in"),
    url_name="unit-check-in",
)
def check_in(request: WriteRequest, unit_id: int, body: EmptyBody, key: IdempotencyKey) -> dict[str, Any]:
    unit = recordable_row(request, TournamentUnit.objects.select_related("tournament__club"), pk=unit_id)

    def write(_client_key: UUID) -> dict[str, Any]:
        tournament_play.check_in(unit.tournament_id, [unit.pk])
        return _unit_answer(TournamentUnit.objects.get(pk=unit.pk))

    return write_for_token(request, key, write)


def _registration(tournament: Tournament, body: NewUnit) -> Registration:
    """Return the registration in the body of a request, checked like those typed at the desk. Raise RequestRefused."""
    errors: list[RequestError] = []
    values = []
    for index, player in enumerate(body.players):
        form = UnitPlayerForm(player.dict())
        errors += _form_errors(form, f"players.{index}.")
        values.append(form.cleaned_data)
    team_form = TeamNameForm({"team_name": body.team_name})
    errors += _form_errors(team_form)
    allowed = [tournament.unit_size]
    if body.seeks_partner:
        allowed = list(range(1, tournament.unit_size))
    if len(body.players) not in allowed:
        detail = gettext("A complete unit has all its players; one that seeks a partner has fewer.")
        sizes = ", ".join(map(str, allowed))
        errors.append(RequestError(name="players", detail=detail, given=str(len(body.players)), allowed=sizes))
    if body.team_name and not (tournament.plays_apart or tournament.unit_size > 2):
        errors.append(RequestError(name="team_name", detail=gettext("Only teams have a name."), given=body.team_name))
    clubs = {club.name: club.pk for club in tournament.clubs.all()} if body.club else {}
    if body.club and body.club not in clubs:
        detail = gettext("This club does not take part in the tournament.")
        errors.append(RequestError(name="club", detail=detail, given=body.club, allowed=", ".join(clubs)))
    if errors:
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, errors=errors)
    members = players_by_name(tournament, [value["name"] for value in values])
    entries = [PlayerEntry(**value, player_id=members.get(name_key(value["name"]))) for value in values]
    ids = [entry.player_id for entry in entries if entry.player_id]
    if len(set(ids)) < len(ids):  # two players have the same name: only one of them can be the member
        entries = [entry._replace(player_id=None) for entry in entries]
    return Registration(
        entries=entries,
        name=team_form.cleaned_data["team_name"],
        names_public=body.names_public,
        seeks_partner=body.seeks_partner,
        club_id=clubs.get(body.club),
    )


def _form_errors(form: forms.Form, prefix: str = "") -> Iterator[RequestError]:
    for name, messages in form.errors.items():
        for message in messages:
            yield RequestError(name=f"{prefix}{name}", detail=str(message), given=str(form[name].value()))


def _unit_answer(unit: TournamentUnit) -> dict[str, Any]:
    """Return the response to a write. It contains no names, because it is stored for repeated requests."""
    page = reverse("league:tournament-desk", args=[unit.tournament_id])
    return {
        "id": unit.pk,
        "tournament": unit.tournament_id,
        "state": unit.state,
        "number": unit.number,
        "page": page,
    }
