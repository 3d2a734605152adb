"""The form for a deal of tarot. Its fields have the order of a paper score sheet.

The form always has every field, and hides the fields that the contract does not need. So typed values are still there
after the contract was changed and changed back. `shown_parts` returns the visible parts; the engine checks the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.facts_form import FactsForm
from scoring.facts_schema import Schema, exclude_fields, field_schema, list_schema, nested_schema, object_schema
from scoring.fields import Choices, CountField, Label, PointsField, RadioChoiceField, SeatField, require_fields
from scoring.games.tarot import form_facts
from scoring.games.tarot.cards import CHARACTERS, TRUMPS_OF_HANDFUL
from scoring.games.tarot.one_for_one import TEAM_TABLE_SIZES
from scoring.games.tarot.taker import CONTRACT_RATES

CONTRACT_CHOICES: Choices = [
    ("take", _("Take")),
    ("guard", _("Guard")),
    ("guard_without", _("Guard without")),
    ("guard_against", _("Guard against")),
    ("one_for_one", _("One for one (everyone passed)")),
    ("passed", _("Passed, thrown in")),
]
SIDE_CHOICES: Choices = [("", _("no one")), ("attack", _("attack")), ("defence", _("defence"))]
HANDFUL_LABELS: Mapping[str, Label] = {
    "simple": _("simple: %(trumps)s trumps"),
    "double": _("double: %(trumps)s trumps"),
    "triple": _("triple: %(trumps)s trumps"),
}
OUDLER_CHOICES: Choices = [("21", _("21")), ("excuse", _("Excuse")), ("small", _("Small"))]
CHARACTER_LABELS: Mapping[str, Label] = {
    "kings": _("kings"),
    "queens": _("queens"),
    "knights": _("knights"),
    "jacks": _("jacks"),
}
FIELD_ORDER = ("contract", "taker", "partner", "oudlers", "points", "small_last", "dog_points", "teams")
SEATS_WITH_PARTNER = (5, 6)
# The facts that belong to a side in a deal with a taker, and to a seat in a deal "one for one". The values are the
# names of the inputs for a seat; the inputs for a side have the names of the facts.
ONE_FOR_ONE_INPUTS = {"small_last": "small_seat", "slam": "slam_seat"}
_HANDFUL_FACT = re.compile(r"handfuls(?:\.(\d+)\..*)?")


class PileRow(NamedTuple):
    """The fields of one pile (the cards that a player or team won) for the template, and the names of its parts
    (`data-part`).
    """

    number: int  # index of the pile, from 0
    name: str  # of the player or team
    part: str
    characters_part: str
    first_trick_part: str
    points: forms.BoundField
    oudlers: forms.BoundField
    tricks: forms.BoundField
    characters: list[tuple[Label, forms.BoundField]]
    first_trick: forms.BoundField


class DealForm(FactsForm):
    contract = RadioChoiceField(CONTRACT_CHOICES, _("Contract"))
    oudlers = RadioChoiceField([(count, str(count)) for count in range(4)], _("Oudlers"), coerce=int)
    points = PointsField(_("Points"), help_text=_("Card points of the taker's side, of 91. A half: 49.5 or 49½."))
    small_last = RadioChoiceField(SIDE_CHOICES, _("Small won in the last trick by"))
    dog_points = PointsField(_("Points in the dog"), help_text=_("The hidden cards, counted after the deal."))
    slam_announced = forms.BooleanField(label=_("The taker announced a slam"), required=False)
    slam = RadioChoiceField(
        SIDE_CHOICES,
        _("Slam made by"),
        help_text=_(
            "A slam of the attack is 91 points with 3 oudlers, or 87 points with 2 when the defence holds the Excuse: "
            "the defence keeps it, has no card to give for it, and it counts 4."
        ),
    )

    def __init__(
        self, names: Sequence[str], data: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(names, data, facts)
        self.seats = len(names)
        no_one: Choices = [("", _("no one"))]
        self.fields["taker"] = SeatField(names, _("Taker"))
        if self.seats in SEATS_WITH_PARTNER:
            self.fields["partner"] = SeatField(names, _("Partner"), extra_choices=[("alone", _("none, alone"))])
        if self.seats in TEAM_TABLE_SIZES:
            self.fields["teams"] = self._teams_field()
        for seat, name in enumerate(names):
            self.fields[f"handful_{seat}"] = self._handful_field(name)
        self.fields["small_seat"] = SeatField(names, _("Small won in the last trick by"), extra_choices=no_one)
        self.fields["slam_seat"] = SeatField(names, _("Slam made by"), extra_choices=no_one)
        teams = [gettext(" & ").join(names[seat] for seat in team) for team in self._selected_teams()]
        self.pile_names = teams or list(names)
        for index in range(self.seats):
            self._add_pile_fields(index, self.pile_names[index] if index < len(self.pile_names) else "")
        self.order_fields(FIELD_ORDER)

    def _teams_field(self) -> RadioChoiceField:
        """Return radio buttons for the 3 pairings of four players, or a select list for the 15 pairings of six."""
        field = RadioChoiceField(list(self._team_choices()), _("Teams"))
        if self.seats > 4:
            field.widget = forms.Select({"class": "form-select"}, choices=list(self._team_choices()))
        return field

    def _team_choices(self) -> Iterator[tuple[str, Label]]:
        yield "", _("each for himself")
        for teams in form_facts.pairings(range(self.seats)):
            pairs = [gettext(" & ").join(self.names[seat] for seat in team) for team in teams]
            yield form_facts.teams_value(teams), " – ".join(pairs)

    def _selected_teams(self) -> form_facts.Teams:
        value = self["teams"].value() if "teams" in self.fields else None
        return form_facts.read_teams(value if value in dict(self._team_choices()) else None)

    def _handful_field(self, name: str) -> forms.TypedChoiceField:
        trumps = TRUMPS_OF_HANDFUL[self.seats]
        choices: Choices = [
            ("", _("none")),
            *((size, HANDFUL_LABELS[size] % {"trumps": trumps[size]}) for size in trumps),
        ]
        return forms.TypedChoiceField(
            choices=choices,
            label=_("%(name)s: handful") % {"name": name},
            required=False,
            empty_value=None,
            widget=forms.Select({"class": "form-select"}),
        )

    def _add_pile_fields(self, index: int, name: str) -> None:
        def label(text: Label) -> str:
            return gettext(": ").join((name, str(text)))

        oudlers = forms.MultipleChoiceField(
            choices=OUDLER_CHOICES,
            label=label(_("oudlers")),
            required=False,
            widget=forms.CheckboxSelectMultiple(),
        )
        new: dict[str, forms.Field] = {
            "points": PointsField(label(_("points"))),
            "oudlers": oudlers,
            "tricks": CountField(label(_("tricks"))),
            **{f"characters.{kind}": CountField(label(CHARACTER_LABELS[kind])) for kind in CHARACTERS},
            "first_trick": CountField(label(_("first trick won"))),
        }
        self.fields |= {f"piles.{index}.{key}": field for key, field in new.items()}

    def clean(self) -> None:
        require_fields(self, "contract")
        contract = self.cleaned_data.get("contract")
        if contract in CONTRACT_RATES:
            require_fields(self, "taker", *(["partner"] if "partner" in self.fields else []), "oudlers", "points")
        elif contract == "one_for_one":
            require_fields(self, "dog_points")
            for index in range(len(self.pile_names)):
                require_fields(self, f"piles.{index}.points", f"piles.{index}.tricks")
                kinds = [f"piles.{index}.characters.{kind}" for kind in CHARACTERS]
                if any(self.cleaned_data.get(name) is not None for name in kinds):
                    require_fields(self, *kinds)

    def handfuls(self) -> list[forms.BoundField]:
        return [self[f"handful_{seat}"] for seat in range(self.seats)]

    def is_declared_part_open(self) -> bool:
        """Return whether the collapsible part "declared" (handfuls and slams) must be open: it has a value or an
        error.
        """
        names = ["slam_announced", "slam", "slam_seat", *(f"handful_{seat}" for seat in range(self.seats))]
        return any(self[name].value() or (self.is_bound and self[name].errors) for name in names)

    def piles(self) -> list[PileRow]:
        """Return the rows of the piles for the template. If teams play, the rows after the last team have an empty
        name.
        """
        return [
            PileRow(
                index,
                self.pile_names[index] if index < len(self.pile_names) else "",
                f"pile-{index}",
                f"characters-{index}",
                f"first-{index}",
                self[f"piles.{index}.points"],
                self[f"piles.{index}.oudlers"],
                self[f"piles.{index}.tricks"],
                [(CHARACTER_LABELS[kind], self[f"piles.{index}.characters.{kind}"]) for kind in CHARACTERS],
                self[f"piles.{index}.first_trick"],
            )
            for index in range(self.seats)
        ]

    def initial_for_facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        return form_facts.initial_values(facts)

    def facts(self) -> dict[str, Any]:
        return form_facts.facts_of_form(self.cleaned_data, self.seats)

    def facts_schema(self) -> Schema:
        """Return the JSON Schema of the facts. Handfuls and teams are lists.

        The Small in the last trick and a slam belong to a seat in a deal "one for one" (without a taker), otherwise to
        a side.
        """
        handfuls = [f"handful_{seat}" for seat in range(self.seats)]
        schema = nested_schema(exclude_fields(self.fields, [*handfuls, *ONE_FOR_ONE_INPUTS.values(), "teams"]))
        seat = field_schema(self.fields["taker"])
        handful = object_schema({"seat": seat, "size": field_schema(self.fields[handfuls[0]])})
        facts = schema["properties"]
        facts["handfuls"] = list_schema(handful, 0, self.seats)
        if "teams" in self.fields:
            teams = self.seats // 2
            facts["teams"] = list_schema(list_schema(seat, 2, 2), teams, teams)
            facts["piles"]["minItems"] = teams
        for fact, by_seat in ONE_FOR_ONE_INPUTS.items():
            facts[fact] = {"anyOf": [facts[fact], field_schema(self.fields[by_seat])]}
        return {**schema, "required": ["contract"]}

    def input_name_of_fact(self, field: str) -> str | None:
        """Return the name of the form's input for a field of the facts (JSON of what happened), or None.

        The facts list the handfuls, and the form has an input for each seat: `handfuls.1` is the input of the second
        seat with a handful. For the Small in the last trick and for a slam, a deal "one for one" (without a taker) has
        an input for the seat; other deals have an input for the side.
        """
        if field in ONE_FOR_ONE_INPUTS and self["contract"].value() == "one_for_one":
            return ONE_FOR_ONE_INPUTS[field]
        if match := _HANDFUL_FACT.fullmatch(field):
            seats = form_facts.handful_seats(self.cleaned_data, self.seats)
            index = int(match[1] or 0)
            return f"handful_{seats[index]}" if index < len(seats) else None
        if field.endswith(".characters"):
            field = f"{field}.{CHARACTERS[0]}"
        return super().input_name_of_fact(field)

    def shown_parts(self) -> frozenset[str]:
        """Return the visible parts for the contract.

        The parts that break a tie are visible from the time when the engine first required them.
        """
        contract = self["contract"].value()
        if contract == "passed":
            return frozenset()
        if contract != "one_for_one":
            return frozenset({"taker", "declared", "declared-sides"})
        piles = {f"pile-{index}" for index in range(len(self.pile_names))}
        return frozenset({"piles", "declared", "declared-seats", *piles, *_tie_break_parts(self)})


def _tie_break_parts(form: DealForm) -> Iterator[str]:
    """Yield the parts with characters or first tricks that must be visible: parts with a value, parts that were visible
    before (`shown`), and the parts of tied piles for which the engine requires them.
    """
    previous = form.data.get("shown", "").split()
    for row in form.piles():
        if _has_value([field for _kind, field in row.characters]) or row.characters_part in previous:
            yield row.characters_part
        if _has_value([row.first_trick]) or row.first_trick_part in previous:
            yield row.first_trick_part
        if form.is_bound and form.has_error(f"piles.{row.number}.characters.{CHARACTERS[0]}", "tie_needs_characters"):
            yield from (f"characters-{index}" for index in _tied_piles(form, row.number, ("points",)))
        if form.is_bound and form.has_error(f"piles.{row.number}.first_trick", "tie_needs_first_trick"):
            yield from (
                f"first-{index}"
                for index in _tied_piles(form, row.number, ("points", *(f"characters.{kind}" for kind in CHARACTERS)))
            )


def _tied_piles(form: DealForm, index: int, keys: Sequence[str]) -> Iterator[int]:
    """Yield the indexes of the piles that are tied with the pile `index`.

    Tied piles have tricks, no oudlers, and equal values for `keys`.
    """

    def values(pile: int) -> list[Any]:
        return [form.cleaned_data.get(f"piles.{pile}.{key}") for key in keys]

    for pile in range(len(form.pile_names)):
        tricks = form.cleaned_data.get(f"piles.{pile}.tricks")
        if tricks and not form.cleaned_data.get(f"piles.{pile}.oudlers") and values(pile) == values(index):
            yield pile


def _has_value(fields: Sequence[forms.BoundField]) -> bool:
    return any(field.value() not in (None, "") for field in fields)
