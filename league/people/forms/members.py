from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.actions import invitations
from league.imports.queries.listed_people import CONTACT_FIELDS, ListedPerson
from league.imports.queries.member_list import MAX_LINES, check_phone, read_people, unknown_columns
from league.models import Club, Membership, visible
from league.models.rights import Role
from league.web.forms import NewPersonForm
from league.web.list_form import PastedListForm
from league.web.lost_updates import FormAgainstLostUpdates
from players.forms.names import NameField
from players.models import Player


class NewMemberForm(NewPersonForm):
    given_name = NameField(label=_("Given name"), max_length=60)
    family_name = NameField(label=_("Family name"), max_length=60, required=False)
    role = forms.ChoiceField(label=_("Role"), choices=Role, initial=Role.MEMBER)

    name_field = "given_name"
    field_order = ("given_name", "family_name", "role", "another")

    def clean(self) -> None:
        given_name = self.cleaned_data.get("given_name", "")
        self.refuse_similar(f"{given_name} {self.cleaned_data.get('family_name', '')}".strip() if given_name else "")


class MemberListForm(PastedListForm):
    """A pasted or uploaded list of members."""

    max_lines = MAX_LINES
    people: list[ListedPerson]
    unknown_columns: Sequence[str] = ()  # names of the columns that are ignored

    def parse_text(self, text: str) -> None:
        self.people, self.unknown_columns = read_people(text), unknown_columns(text)


class MemberDetailsForm(FormAgainstLostUpdates, forms.Form):
    """A member's details in one club.

    With `can_rename` False the names are read-only, because another club shows them, too.
    """

    given_name = NameField(label=_("Given name"), max_length=60)
    family_name = NameField(label=_("Family name"), max_length=60, required=False)
    number = NameField(
        label=_("Member number"),
        max_length=20,
        required=False,
        help_text=_("Or licence: the next list finds the person by it."),
    )
    email = forms.EmailField(label=_("E-mail"), required=False, help_text=_("Seen by secretaries and admins alone."))
    phone = NameField(label=_("Telephone"), max_length=30, required=False, validators=[check_phone])

    def __init__(self, *args: Any, membership: Membership, can_rename: bool, **kwargs: Any) -> None:
        player = membership.player
        initial = {name: getattr(membership, name) for name in CONTACT_FIELDS}
        initial |= {"given_name": player.given_name, "family_name": player.family_name}
        super().__init__(*args, **{**kwargs, "initial": initial})
        self.membership = membership
        for name in ("given_name", "family_name"):
            self.fields[name].disabled = not can_rename
        if not can_rename:
            self.fields["given_name"].help_text = _(
                "Another club shows this person, too: the installation’s admin corrects the name."
            )

    def clean_number(self) -> str:
        number: str = self.cleaned_data["number"]
        members = Membership.objects.filter(club=self.membership.club_id).exclude(pk=self.membership.pk)
        if number and (holder := members.filter(number__iexact=number).select_related("player").first()):
            raise forms.ValidationError(
                _("The number %(number)s is %(player)s’s."), params={"number": number, "player": holder.player}
            )
        return number


class InvitedMembersField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Membership) -> str:
        return f"{obj.player}, {obj.email}"


class InviteForm(forms.Form):
    """The form lists the members who may receive a personal invitation link. Other members are in `left_out`, by
    reason.

    `limit` is the number of invitations that may still be sent today. `selected` are membership ids from the list of
    members: only these are ticked or listed in `left_out`. If it is empty, all members are.
    """

    people = InvitedMembersField(
        Membership.objects.none(),
        label=_("Send an invitation to"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick at least one person.")},
    )

    def __init__(self, *args: Any, club: Club, limit: int, selected: Collection[str] = (), **kwargs: Any) -> None:
        memberships = club.memberships.select_related("player").order_by("player__committee_key", "pk")
        selected_first = sorted(memberships, key=lambda membership: str(membership.pk) not in selected)
        ready: list[Membership] = []
        ticked: list[Membership] = []
        self.left_out: dict[str, list[Player]] = {}
        for membership in selected_first:
            reason = invitations.recipient_obstacle(membership) or (
                "" if len(ready) < limit else invitations.daily_limit_message()
            )
            is_selected = not selected or str(membership.pk) in selected
            if not reason:
                ready.append(membership)
                ticked += [membership] if is_selected else []
            elif is_selected:
                self.left_out.setdefault(reason, []).append(membership.player)
        super().__init__(*args, **{**kwargs, "initial": {"people": ticked}})
        people = cast("InvitedMembersField", self.fields["people"])
        people.queryset = memberships.filter(pk__in=[membership.pk for membership in ready])


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role)


class SeparationForm(forms.Form):
    first = forms.ModelChoiceField(Player.objects.none(), label=_("This player"), empty_label="–")
    second = forms.ModelChoiceField(Player.objects.none(), label=_("never with"), empty_label="–")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = cast("forms.ModelChoiceField[Player]", self.fields[name])
            field.queryset = visible.players_of(club).order_by("committee_key", "pk")

    def clean(self) -> None:
        first = self.cleaned_data.get("first")
        if first and first == self.cleaned_data.get("second"):
            self.add_error("second", _("Choose another player than the first."))


class SamePersonForm(forms.Form):
    """The form for the second of two records that belong to the same person."""

    def __init__(self, *args: Any, club: Club, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = visible.players_of(club).exclude(pk=player.pk).order_by("committee_key", "pk")
        self.fields["with"] = forms.ModelChoiceField(players, label=_("is the same person as"), empty_label="–")
