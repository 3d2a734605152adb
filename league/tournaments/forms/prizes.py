"""Forms for the prizes of a tournament: the list of prizes, and a proposal that divides the entry fees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from league.actions.prizes import PrizeLine
from league.models import Prize, PrizePlan
from league.models.prize import MAX_PRIZE_LINES, TiedPrizes
from league.models.tournament import MAX_PLACES
from league.web.fields import MoneyField
from players.names import normalize_spaces

if TYPE_CHECKING:
    PrizeLineForms = forms.BaseFormSet["PrizeLineForm"]
else:  # Django's class takes no parameter at run time
    PrizeLineForms = forms.BaseFormSet

EMPTY_LINES: Final = 5  # empty lines at the end of the list
MAX_VERSION: Final = 2**31 - 1  # of a PrizePlan: the column is an integer of 32 bits
CATEGORY_LIST: Final = "prize-categories"  # HTML id of the <datalist> of category names


class PrizeLineForm(forms.Form):
    """A line of the list of prizes. A line without amount, thing and worth is left out."""

    category = forms.CharField(label=_("For"), max_length=60, required=False)
    for_teams = forms.BooleanField(label=_("Teams"), required=False)
    first = forms.IntegerField(label=_("From rank"), min_value=1, max_value=MAX_PLACES, required=False)
    last = forms.IntegerField(label=_("To rank"), min_value=1, max_value=MAX_PLACES, required=False)
    from_last = forms.BooleanField(label=_("From the last"), required=False)
    amount = MoneyField(label=_("Amount"), required=False)
    thing = forms.CharField(label=_("Thing"), max_length=80, required=False)
    worth = MoneyField(label=_("Its worth"), required=False)

    def __init__(self, *args: Any, has_teams: bool = False, **kwargs: Any) -> None:
        """`has_teams`: the tournament ranks players and teams, so the line has a field to choose between them."""
        super().__init__(*args, **kwargs)
        if not has_teams:
            del self.fields["for_teams"]
        self.fields["category"].widget.attrs |= {"list": CATEGORY_LIST, "autocomplete": "off"}
        for field in self.fields.values():
            is_box = isinstance(field, forms.BooleanField)
            field.widget.attrs["class"] = "form-check-input" if is_box else "form-control"

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for name in ("category", "thing"):
            values[name] = normalize_spaces(values.get(name, ""))
        if self.is_empty:
            return values
        first, last = values.get("first"), values.get("last")
        if first is None and "first" not in self.errors:
            if last is None and not values["category"] and not values.get("from_last"):
                self.add_error("first", _("Enter the rank, or who gets it."))
            first = values["first"] = last or 1
        if last is None and "last" not in self.errors:
            last = values["last"] = first
        if first is not None and last is not None and last < first:
            self.add_error("last", _("This is before the first rank."))
        if values.get("worth") and not values.get("thing") and "thing" not in self.errors:
            self.add_error("thing", _("Enter the thing that is worth this."))
        return values

    @property
    def is_empty(self) -> bool:
        """Whether the line has no amount, thing or worth. Read it only after `clean`."""
        names = ("amount", "thing", "worth")
        return not any(self.cleaned_data.get(name) or name in self.errors for name in names)

    def line(self) -> PrizeLine:
        values = self.cleaned_data
        return PrizeLine(
            values["category"],
            values["from_last"],
            values["first"],
            values["last"],
            values["amount"],
            values["thing"],
            values["worth"],
            values.get("for_teams", False),
        )


class BasePrizeLines(PrizeLineForms):
    def lines(self) -> list[PrizeLine]:
        """Return the lines that are not empty. Call it only if the formset is valid."""
        return [form.line() for form in self.forms if not form.is_empty]


PrizeLines = cast(
    "type[BasePrizeLines]",
    forms.formset_factory(
        PrizeLineForm,
        formset=BasePrizeLines,
        extra=EMPTY_LINES,
        max_num=MAX_PRIZE_LINES,
        validate_max=True,
        absolute_max=MAX_PRIZE_LINES,
    ),
)


def line_values(prizes: Sequence[Prize]) -> list[dict[str, Any]]:
    """Return the initial values of PrizeLineForm for each prize, by field name."""
    return [
        {
            "category": prize.category.name if prize.category else "",
            "for_teams": prize.for_teams,
            "from_last": prize.from_last,
            "first": prize.first,
            "last": prize.last if prize.last != prize.first else None,
            "amount": prize.amount or None,
            "thing": prize.thing,
            "worth": prize.worth or None,
        }
        for prize in prizes
    ]


class PrizePlanForm(forms.Form):
    ties = forms.ChoiceField(label=_("Units with the same rank"), choices=TiedPrizes, widget=forms.RadioSelect)
    version = forms.IntegerField(min_value=0, max_value=MAX_VERSION, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, plan: PrizePlan) -> None:
        super().__init__(data, initial={"ties": plan.ties, "version": plan.version})


class PrizeMoneyForm(forms.Form):
    """The choices for a proposal of prizes: which part of the entry fees is divided, and into how many prizes.

    `percent` of the fees are divided among the first `count` ranks, rounded to `step` cents.
    """

    percent = forms.IntegerField(label=_("Percent of the fees"), min_value=1, max_value=100, initial=100)
    count = forms.IntegerField(label=_("Number of prizes"), min_value=1, max_value=MAX_PRIZE_LINES)
    step = forms.TypedChoiceField(label=_("Rounded to"), coerce=int)
    basis = forms.ChoiceField(
        label=_("Fees"),
        choices=[("paid", _("paid until now")), ("all", _("of all registered, also if not paid yet"))],
    )
    STEPS: Final = (50, 100, 200, 500, 1_000)

    def __init__(self, data: QueryDict | None, *, steps: Sequence[str], usual_count: int) -> None:
        """`steps` are the labels for STEPS, such as "5 €". `usual_count` is the initial number of prizes."""
        super().__init__(data)
        self.fields["count"].initial = usual_count
        step = self.fields["step"]
        assert isinstance(step, forms.ChoiceField)
        step.choices = list(zip(map(str, self.STEPS), steps, strict=True))
        step.initial = "500"
