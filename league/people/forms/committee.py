"""Who does what in a club from now on: the roles of its committee, all on one form."""

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

NO_ADMIN = _("Somebody with a login must be admin: else nobody could change anything here.")
NEW = 5  # people who come into the committee at once
RIGHT_WORDS: Mapping[Right, str | Promise] = {
    Right.READ: _("reads the club's pages"),
    Right.COLLECT: _("takes entry fees"),
    Right.RECORD: _("runs evenings and enters results"),
    Right.MANAGE: _("sets up seasons, people, roles and settings"),
}


@dataclass(frozen=True)
class CommitteeChange:
    """A member whose role changes."""

    membership: Membership
    before: Role
    after: Role

    @property
    def gains(self) -> list[str | Promise]:
        """What the member may do from then on."""
        return _words(RIGHTS[self.after] - RIGHTS[self.before])

    @property
    def loses(self) -> list[str | Promise]:
        """What the member may no longer do."""
        return _words(RIGHTS[self.before] - RIGHTS[self.after])


def _words(rights: frozenset[Right]) -> list[str | Promise]:
    return [RIGHT_WORDS[right] for right in Right if right in rights]


class CommitteeForm(forms.Form):
    """A role for each of the committee, and for a few more of the club's members."""

    invite = forms.BooleanField(
        label=_("Send an invitation to those without a login whose e-mail the club knows"), required=False, initial=True
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        """A committee's are those who may do more than a member; who is asked about was it when the form was shown."""
        super().__init__(*args, **kwargs)
        everyone = list(club.memberships.exclude(role=Role.GUEST).select_related("player__user"))
        self.people = {str(membership.pk): membership for membership in everyone}
        asked = [each for each in everyone if f"role-{each.pk}" in self.data]
        self.own = asked or [each for each in everyone if each.role != Role.MEMBER]
        named = {self.data.get(f"person-{number}") for number in range(1, NEW + 1)}
        others = [(pk, str(each.player)) for pk, each in self.people.items() if each.role == Role.MEMBER or pk in named]
        roles = [role for role in Role.choices if role[0] != Role.GUEST]
        for membership in self.own:
            self.fields[f"role-{membership.pk}"] = forms.ChoiceField(
                label=str(membership.player), choices=roles, initial=membership.role
            )
            self.fields[f"seen-{membership.pk}"] = forms.CharField(
                widget=forms.HiddenInput, initial=membership.role, required=False
            )
        for number in range(1, min(NEW, len(others)) + 1):
            self.fields[f"person-{number}"] = forms.ChoiceField(
                label=_("Member"), choices=[("", "–"), *others], required=False
            )
            self.fields[f"new-{number}"] = forms.ChoiceField(
                label=_("Role"), choices=[("", "–"), *roles[1:]], required=False
            )

    @property
    def committee(self) -> list[tuple[Membership, forms.BoundField, forms.BoundField]]:
        """Each of the committee with the fields of the role, and of the one that was seen."""
        return [(each, self[f"role-{each.pk}"], self[f"seen-{each.pk}"]) for each in self.own]

    @property
    def new(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The pairs of fields for those who come in."""
        numbers = (name.partition("-")[2] for name in self.fields if name.startswith("person-"))
        return [(self[f"person-{number}"], self[f"new-{number}"]) for number in numbers]

    def clean(self) -> None:
        """Who comes in has a role, and is named once; somebody with a login stays admin."""
        facts = self.cleaned_data
        named: set[str] = set()
        for person, role in self.new:
            who = facts.get(person.name, "")
            if bool(who) != bool(facts.get(role.name)) and not {person.name, role.name} & self.errors.keys():
                self.add_error(role.name if who else person.name, _("Choose both, or neither."))
            elif who and who in named:
                self.add_error(person.name, _("This person is named twice."))
            named.add(who)
        if not self.errors and not self._keeps_an_admin():
            raise forms.ValidationError(NO_ADMIN)

    def _keeps_an_admin(self) -> bool:
        """Return whether somebody with a login would manage the club."""
        after = {change.membership.pk: str(change.after) for change in self.changes}
        managing = [each for each in self.people.values() if Right.MANAGE in RIGHTS[after.get(each.pk, each.role)]]
        return any(each.player.user is not None and each.player.user.is_active for each in managing)

    @property
    def changes(self) -> list[CommitteeChange]:
        """Whose role changes, in a form without errors."""
        facts = self.cleaned_data
        found: list[CommitteeChange] = []
        for membership in self.own:
            seen = facts[f"seen-{membership.pk}"]
            before = seen if seen in Role.values else membership.role
            found.append(CommitteeChange(membership, Role(before), Role(facts[f"role-{membership.pk}"])))
        for person, role in self.new:
            if facts[person.name]:
                membership = self.people[facts[person.name]]
                found.append(CommitteeChange(membership, Role(membership.role), Role(facts[role.name])))
        return [change for change in found if change.before != change.after]

    @property
    def role_changes(self) -> list[RoleChange]:
        """The changes as the action takes them."""
        return [RoleChange(each.membership.pk, each.before, each.after) for each in self.changes]
