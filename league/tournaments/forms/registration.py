"""Forms for a registration for a tournament: one for visitors, one for the organisers at the desk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.actions.registrations import PlayerEntry, Registration
from league.imports.queries.listed_people import name_key
from league.imports.queries.member_list import check_phone
from league.models import Tournament, TournamentClub, TournamentUnit
from league.models.tournament import PaymentKind
from league.tournaments.queries.member_names import full_name, players_by_name
from league.web.fields import MoneyField
from players.forms.names import NameField
from players.models import Player

COMPLETE, SEEKING = "complete", "seeking"  # the values of the field `kind`
MAX_NAME_LENGTH: Final = 80
NO_NAME: Final = _("Enter the name.")


class UnitForm(forms.Form):
    """Base of both forms for a registration: a name for each player, the kind of registration, club, team name."""

    at_desk = False
    names_public = forms.BooleanField(
        label=_("Our names may stand on the public list of those registered"), required=False
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        size = tournament.unit_size
        if size > 1:
            self.fields["kind"] = forms.ChoiceField(
                label=_("How you register"),
                choices=_kind_choices(tournament),
                initial=COMPLETE,
                widget=forms.RadioSelect,
            )
        for number in self.player_numbers:
            label = _("First name and family name") if size == 1 else _("Player %(number)s") % {"number": number}
            self.fields[f"name_{number}"] = NameField(label=label, max_length=MAX_NAME_LENGTH, required=number == 1)
            if number > 1:
                self.fields[f"name_{number}"].help_text = _("Empty only if you look for a partner.")
        if clubs := self._selectable_clubs():
            self.fields["plays_for"] = forms.TypedChoiceField(
                label=_("Club"),
                coerce=int,
                empty_value=None,
                required=False,
                choices=[("", _("none of these clubs")), *((club.pk, club.name) for club in clubs)],
            )
        if tournament.plays_apart or size > 2:
            self.fields["name"] = NameField(label=_("Name of the team"), max_length=60, required=False)
        if size == 1:
            self.fields["names_public"].label = _("My name may stand on the public list of those registered")

    def _selectable_clubs(self) -> list[TournamentClub]:
        """Return the clubs that can be chosen. Visitors see a private club only if it has registered members."""
        clubs = self.tournament.clubs.order_by("name", "pk")
        return list(clubs if self.at_desk else clubs.shown_to_visitors())

    @property
    def player_numbers(self) -> range:
        return range(1, self.tournament.unit_size + 1)

    @property
    def seeks_partner(self) -> bool:
        return bool(self.cleaned_data.get("kind") == SEEKING)

    def clean(self) -> None:
        names = [self.cleaned_data.get(f"name_{number}", "") for number in self.player_numbers]
        if self.seeks_partner:
            if all(names):
                self.add_error("kind", _("All players are named: then you are complete."))
            return
        for number, name in zip(self.player_numbers, names, strict=True):
            if not name and f"name_{number}" not in self.errors:
                self.add_error(f"name_{number}", NO_NAME)

    def _numbered_names(self) -> Iterator[tuple[int, str]]:
        """Yield the number (from 1) and the name of each player whose name is filled in."""
        for number in self.player_numbers:
            if name := self.cleaned_data.get(f"name_{number}"):
                yield number, name

    def _build_registration(self, entries: list[PlayerEntry], language: str = "") -> Registration:
        return Registration(
            entries=entries,
            name=self.cleaned_data.get("name", ""),
            names_public=self.cleaned_data["names_public"],
            seeks_partner=self.seeks_partner,
            language=language,
            club_id=self.cleaned_data.get("plays_for"),
        )


def _kind_choices(tournament: Tournament) -> list[tuple[str, Any]]:
    if tournament.unit_size == 2 and not tournament.plays_apart:
        return [(COMPLETE, _("as a pair")), (SEEKING, _("alone: I look for a partner"))]
    return [(COMPLETE, _("as a team")), (SEEKING, _("we still look for team mates"))]


def _desk_kind_choices(tournament: Tournament) -> list[tuple[str, Any]]:
    if tournament.unit_size == 2 and not tournament.plays_apart:
        return [(COMPLETE, _("as a pair")), (SEEKING, _("alone, looking for a partner"))]
    return [(COMPLETE, _("as a team")), (SEEKING, _("still looking for team mates"))]


class RegistrationForm(UnitForm):
    """A visitor's registration. The field `website` is hidden from people: a program that fills it in is refused."""

    email = forms.EmailField(
        label=_("E-mail"),
        max_length=254,
        help_text=_("For the confirmation. Only the organisers see it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    phone = NameField(
        label=_("Telephone"),
        max_length=30,
        required=False,
        validators=[check_phone],
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
    )
    consent = forms.BooleanField(
        label=_("I agree that the club stores these data for the tournament"),
        error_messages={"required": _("Without your agreement the club may not store your registration.")},
    )
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, *args: Any, tournament: Tournament, player: Player | None = None, **kwargs: Any) -> None:
        """`player` is the signed-in user's player in the club, or None."""
        super().__init__(*args, tournament=tournament, **kwargs)
        self.player = player
        self.fields["name_1"].widget.attrs["autocomplete"] = "name"
        if player is not None and player.user is not None:
            self.initial = {**self.initial, "name_1": full_name(player), "email": player.user.email}
        last = ["email", "phone", "names_public", "consent", "website", "key"]
        self.order_fields([name for name in self.fields if name not in last] + last)

    @property
    def shown_fields(self) -> list[forms.BoundField]:
        """The fields above the privacy notice."""
        return [field for field in self if field.name not in ("consent", "website", "key")]

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise forms.ValidationError(_("This field stays empty. Remove what stands in it and send the form again."))
        return ""

    def registration(self) -> Registration:
        """Return the content of the registration; the first player gets the email address and the phone number.

        The form must be valid.
        """
        contact = {"email": self.cleaned_data["email"], "phone": self.cleaned_data["phone"]}
        entries = [PlayerEntry(name, **(contact if number == 1 else {})) for number, name in self._numbered_names()]
        if self.player is not None and name_key(entries[0].name) == name_key(full_name(self.player)):
            entries[0] = entries[0]._replace(player_id=self.player.pk)
        return self._build_registration(entries, get_language() or "")


class DeskForm(UnitForm):
    """A registration by the organisers, with email and phone of each player. Names of members are recognised."""

    NAME_LIST = "proposed-names"  # HTML id of the <datalist> of names
    at_desk = True

    def __init__(self, *args: Any, tournament: Tournament, unit: TournamentUnit | None = None, **kwargs: Any) -> None:
        self.members = unit.members if unit is not None else []
        initial: dict[str, Any] = {}
        if unit is not None:
            initial = {"name": unit.name, "names_public": unit.names_public, "plays_for": unit.plays_for_id}
        for number, member in enumerate(self.members, 1):
            initial |= {f"{field}_{number}": getattr(member, field) for field in ("name", "email", "phone")}
        kwargs["initial"] = initial
        super().__init__(*args, tournament=tournament, **kwargs)
        if unit is not None and unit.by_club and "plays_for" in self.fields:
            self.fields["plays_for"].disabled = True
        if unit is not None and len(self.members) < tournament.unit_size:
            self.initial["kind"] = SEEKING
        for number in self.player_numbers:
            params = {"number": number}
            self.fields[f"name_{number}"].widget.attrs |= {"list": self.NAME_LIST, "autocomplete": "off"}
            self.fields[f"email_{number}"] = forms.EmailField(
                label=_("E-mail of player %(number)s") % params, required=False, max_length=254
            )
            self.fields[f"phone_{number}"] = NameField(
                label=_("Telephone of player %(number)s") % params,
                max_length=30,
                required=False,
                validators=[check_phone],
            )
        self.fields["names_public"].label = _("They agree to be named on the public list of those registered")
        if tournament.unit_size > 1:
            self.fields["kind"] = forms.ChoiceField(
                label=_("They register"),
                choices=_desk_kind_choices(tournament),
                initial=COMPLETE,
                widget=forms.RadioSelect,
            )
            for number in self.player_numbers[1:]:
                self.fields[f"name_{number}"].help_text = ""
        if unit is None:
            self.fields["name_1"].widget.attrs["autofocus"] = True
        self.order_fields([name for name in self.fields if name != "names_public"])

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith(("email_", "phone_"))]

    @property
    def contact_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith(("email_", "phone_"))]

    @property
    def has_contact(self) -> bool:
        """Whether a contact field has a value or an error."""
        return any(field.value() or field.errors for field in self.contact_fields)

    def registration(self) -> Registration:
        """Return the content of the registration. A name that exactly one member has is linked to this member.

        One query. The form must be valid.
        """
        players = players_by_name(self.tournament, [name for _number, name in self._numbered_names()])
        earlier = {name_key(member.name): member.player_id for member in self.members}
        unchanged = {(number, name_key(member.name)): member.player_id for number, member in enumerate(self.members, 1)}
        entries = [
            PlayerEntry(
                name,
                self.cleaned_data[f"email_{number}"],
                self.cleaned_data[f"phone_{number}"],
                unchanged.get((number, name_key(name))) or earlier.get(name_key(name)) or players.get(name_key(name)),
            )
            for number, name in self._numbered_names()
        ]
        player_ids = [entry.player_id for entry in entries if entry.player_id]
        if len(set(player_ids)) < len(player_ids):  # two players have one name: only one can be the member
            entries = [entry._replace(player_id=None) for entry in entries]
        return self._build_registration(entries)


class PaymentForm(forms.Form):
    """The sum of all payments of a registered unit (player, pair or team), and the kind of payment.

    `fee`, the unit's fee in cents, is proposed if the unit has paid nothing.
    """

    amount = MoneyField(label=_("Paid"), required=False)
    kind = forms.ChoiceField(label=_("Paid by"), choices=PaymentKind, initial=PaymentKind.CASH)

    def __init__(self, *args: Any, unit: TournamentUnit, fee: int, **kwargs: Any) -> None:
        self.unit = unit
        kwargs["initial"] = {"amount": unit.paid or fee, "kind": unit.payment_kind or PaymentKind.CASH}
        super().__init__(*args, **kwargs)

    def clean_amount(self) -> int:
        amount = int(self.cleaned_data["amount"])
        if amount < self.unit.returned:
            raise forms.ValidationError(_("More than this amount was returned already."))
        return amount
