from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.actions.roles import RoleChange
from league.models import Club, Membership
from league.models.rights import RIGHTS, Right, Role

NO_ADMIN_MESSAGE = _("Somebody with a login must be admin: else nobody could change anything here.")
NEW_MEMBER_ROWS = 5  # for new members of the committee
RIGHT_LABELS: Mapping[Right, str | Promise] = {
    Right.READ: _("reads the club's pages"),
    Right.COLLECT: _("takes entry fees"),
    Right.RECORD: _("runs evenings and enters results"),
    Right.MANAGE: _("sets up seasons, people, roles and settings"),
}


@dataclass(frozen=True)
class CommitteeChange:
    """A change of a member's role."""

    membership: Membership
    before: Role
    after: Role

    @property
    def gained_rights(self) -> list[str | Promise]:
        return _right_labels(RIGHTS[self.after] - RIGHTS[self.before])

    @property
    def lost_rights(self) -> list[str | Promise]:
        return _right_labels(RIGHTS[self.before] - RIGHTS[self.after])


def _right_labels(rights: frozenset[Right]) -> list[str | Promise]:
    return [RIGHT_LABELS[right] for right in Right if right in rights]


class CommitteeForm(forms.Form):
    """The form for the roles of a club's committee: the members with additional rights, and rows for new committee
    members.
    """

    invite = forms.BooleanField(
        label=_("Send an invitation to those without a login whose e-mail the club knows"), required=False, initial=True
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        """A bound form has the members that were shown to the user, even if their roles have changed since."""
        super().__init__(*args, **kwargs)
        members = list(club.memberships.exclude(role=Role.GUEST).select_related("player__user"))
        self.memberships = {str(membership.pk): membership for membership in members}
        submitted = [membership for membership in members if f"role-{membership.pk}" in self.data]
        self.committee_members = submitted or [membership for membership in members if membership.role != Role.MEMBER]
        chosen_pks = {self.data.get(f"person-{number}") for number in range(1, NEW_MEMBER_ROWS + 1)}
        choices = [
            (pk, str(membership.player))
            for pk, membership in self.memberships.items()
            if membership.role == Role.MEMBER or pk in chosen_pks
        ]
        roles = [role for role in Role.choices if role[0] != Role.GUEST]
        for membership in self.committee_members:
            self.fields[f"role-{membership.pk}"] = forms.ChoiceField(
                label=str(membership.player), choices=roles, initial=membership.role
            )
            self.fields[f"seen-{membership.pk}"] = forms.CharField(
                widget=forms.HiddenInput, initial=membership.role, required=False
            )
        for number in range(1, min(NEW_MEMBER_ROWS, len(choices)) + 1):
            self.fields[f"person-{number}"] = forms.ChoiceField(
                label=_("Member"), choices=[("", "–"), *choices], required=False
            )
            self.fields[f"new-{number}"] = forms.ChoiceField(
                label=_("Role"), choices=[("", "–"), *roles[1:]], required=False
            )

    @property
    def committee(self) -> list[tuple[Membership, forms.BoundField, forms.BoundField]]:
        """Return each member with two fields: the new role, and the role when the form was shown."""
        return [
            (membership, self[f"role-{membership.pk}"], self[f"seen-{membership.pk}"])
            for membership in self.committee_members
        ]

    @property
    def new_member_fields(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Return the fields (member, role) of each row for a new member of the committee."""
        numbers = (name.partition("-")[2] for name in self.fields if name.startswith("person-"))
        return [(self[f"person-{number}"], self[f"new-{number}"]) for number in numbers]

    def clean(self) -> None:
        cleaned_data = self.cleaned_data
        chosen_pks: set[str] = set()
        for person, role in self.new_member_fields:
            pk = cleaned_data.get(person.name, "")
            if bool(pk) != bool(cleaned_data.get(role.name)) and not {person.name, role.name} & self.errors.keys():
                self.add_error(role.name if pk else person.name, _("Choose both, or neither."))
            elif pk and pk in chosen_pks:
                self.add_error(person.name, _("This person is named twice."))
            chosen_pks.add(pk)
        if not self.errors and not self._has_admin_left():
            raise forms.ValidationError(NO_ADMIN_MESSAGE)

    def _has_admin_left(self) -> bool:
        roles = {change.membership.pk: str(change.after) for change in self.changes}
        admins = [
            membership.player.user
            for membership in self.memberships.values()
            if Right.MANAGE in RIGHTS[roles.get(membership.pk, membership.role)]
        ]
        return any(user is not None and user.is_active for user in admins)

    @property
    def changes(self) -> list[CommitteeChange]:
        """Return the changes of roles, compared with the roles that the user saw. Call it only if the form is valid."""
        cleaned_data = self.cleaned_data
        changes: list[CommitteeChange] = []
        for membership in self.committee_members:
            shown_role = cleaned_data[f"seen-{membership.pk}"]
            before = shown_role if shown_role in Role.values else membership.role
            changes.append(CommitteeChange(membership, Role(before), Role(cleaned_data[f"role-{membership.pk}"])))
        for person, role in self.new_member_fields:
            if cleaned_data[person.name]:
                membership = self.memberships[cleaned_data[person.name]]
                changes.append(CommitteeChange(membership, Role(membership.role), Role(cleaned_data[role.name])))
        return [change for change in changes if change.before != change.after]

    @property
    def role_changes(self) -> list[RoleChange]:
        return [RoleChange(change.membership.pk, change.before, change.after) for change in self.changes]
