from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, cast

from dateutil.rrule import MONTHLY, WEEKLY, rrule, weekday
from django import forms
from django.http import QueryDict
from django.utils.dates import WEEKDAYS
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _

from league.models import Club, Evening
from league.models.evening import EveningState
from league.web.fields import BoundedDateField
from league.web.lost_updates import FormAgainstLostUpdates
from players.dates import date_format

TIME_INPUT = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
MAX_EVENINGS_AT_ONCE = 100
MAX_HOLIDAY_PERIODS = 6
MAX_AGE_WITHOUT_CONFIRMATION = timedelta(days=60)  # an older date is probably a mistyped year


class EveningForm(FormAgainstLostUpdates, forms.ModelForm):  # type: ignore[type-arg]
    """Form for an evening. Date, weight and “final of the season” are read-only after the evening was opened."""

    class Meta:
        model = Evening
        fields = ["date", "begins_at", "place", "name", "weight", "season_final"]
        field_classes = {"date": BoundedDateField}
        widgets = {"date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), "begins_at": TIME_INPUT}
        labels = {"place": _("Venue"), "weight": _("Counts")}
        help_texts = {
            "date": _("The date on which it begins, also when it ends after midnight."),
            "name": _("Optional, for example Final. An evening without a name is shown by its date."),
            "weight": _("How many times its points count in the season: 1 usually, 2 for a final that counts double."),
            "season_final": _("One evening at most. It always counts, if the season's rules say so of the final."),
        }

    def __init__(self, *args: Any, club: Club | None = None, **kwargs: Any) -> None:
        """Pass `club` only for a new evening: its instance has no season yet."""
        super().__init__(*args, **kwargs)
        _show_defaults(self, club or self.instance.season.club)
        self.fields["weight"].widget.attrs.update(min=1, max=10, inputmode="numeric")
        if self.instance.state != EveningState.PLANNED:
            for name in ("date", "weight", "season_final"):
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned_data = super().clean()
        identity = {"date": cleaned_data.get("date"), "name": cleaned_data.get("name", "").strip()}
        same_evening = Evening.objects.filter(season=self.instance.season_id, **identity).exclude(pk=self.instance.pk)
        if self.instance.pk is not None and same_evening.exists():
            self.add_error("name", _("The season has an evening of that date and name already."))
        return cleaned_data

    def clean_season_final(self) -> bool:
        final = bool(self.cleaned_data["season_final"])
        finals = Evening.objects.filter(season=self.instance.season_id, season_final=True).exclude(pk=self.instance.pk)
        if final and finals.exists():
            raise forms.ValidationError(_("Another evening is the season's final."))
        return final

    def clean_weight(self) -> int:
        weight = int(self.cleaned_data["weight"])
        if not 1 <= weight <= 10:
            raise forms.ValidationError(_("An evening counts 1 to 10 times."))
        return weight


class NewEveningForm(EveningForm):
    """Form for a new evening. A date more than 60 days ago must be confirmed, because the year may be mistyped."""

    past = forms.BooleanField(label=_("It was held on that date"), required=False)

    def __init__(self, *args: Any, club: Club, today: date, **kwargs: Any) -> None:
        super().__init__(*args, club=club, initial={"date": today}, **kwargs)
        try:
            day = self.fields["date"].clean(self["date"].value())
        except forms.ValidationError:
            day = today
        if day >= today - MAX_AGE_WITHOUT_CONFIRMATION:
            del self.fields["past"]

    def clean(self) -> dict[str, Any]:
        cleaned_data = super().clean()
        if "past" in self.fields and not cleaned_data.pop("past", False) and "date" in cleaned_data:
            message = _("%(date)s is long past. Correct the year above, or tick this to plan the evening all the same.")
            self.add_error("past", message % {"date": date_format(cleaned_data["date"], "DATE_FORMAT")})
        return cleaned_data


def _show_defaults(form: forms.Form | EveningForm, club: Club) -> None:
    texts = {"begins_at": time_format(club.begins_at) if club.begins_at else "", "place": club.place}
    for name, text in texts.items():
        if text:
            form.fields[name].help_text = _("Empty: as usual (%(usual)s).") % {"usual": text}


class HolidayForm(forms.Form):
    """A period without evenings, as a part of `EveningSeriesForm`. Leave `end` empty for a single day."""

    begin = BoundedDateField(label=_("Holidays from"), required=False)
    end = BoundedDateField(label=_("to, included"), required=False)

    def clean(self) -> None:
        begin, end = self.cleaned_data.get("begin"), self.cleaned_data.get("end")
        if end and not begin and "begin" not in self.errors:
            self.add_error("begin", _("Enter the first day of these holidays."))
        elif begin and end and end < begin:
            self.add_error("end", _("This is before the first day of these holidays."))

    def contains(self, day: date) -> bool:
        """Return whether the day is in the holidays. Call it only if the form is valid."""
        begin, end = self.cleaned_data["begin"], self.cleaned_data["end"]
        return begin is not None and begin <= day <= (end or begin)


class EveningSeriesForm(forms.Form):
    """Form for planning several evenings by a pattern of dates, such as each Friday from `first` to `last`.

    The dates are first shown with checkboxes. The second request sends the shown dates (`shown`) and the ticked dates
    (`date`).
    """

    first = BoundedDateField(label=_("First evening"))
    last = BoundedDateField(label=_("Not after"))
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Days of the week"),
        coerce=int,
        required=False,
        choices=list(WEEKDAYS.items()),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Without a choice: the weekday of the first evening."),
    )
    every = forms.ChoiceField(
        label=_("How often"),
        initial="1",
        choices=[
            ("1", _("each week")),
            ("2", _("every second week")),
            ("3", _("every third week")),
            ("4", _("every fourth week")),
            ("month-1", _("the first of each month")),
            ("month-2", _("the second of each month")),
            ("month-3", _("the third of each month")),
            ("month-4", _("the fourth of each month")),
            ("month-last", _("the last of each month")),
        ],
    )

    begins_at = forms.TimeField(label=_("Begin at"), widget=TIME_INPUT, required=False)
    place = forms.CharField(label=_("Venue"), max_length=120, required=False)

    def __init__(self, data: QueryDict | None = None, *, club: Club) -> None:
        super().__init__(data)
        _show_defaults(self, club)
        self.holidays = [HolidayForm(data, prefix=f"holiday-{number}") for number in range(MAX_HOLIDAY_PERIODS)]

    def clean(self) -> None:
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            self.add_error("last", _("This is before the first evening."))
        elif (
            first and last and len(list(islice(self._pattern_dates(), MAX_EVENINGS_AT_ONCE + 1))) > MAX_EVENINGS_AT_ONCE
        ):
            message = _("These are more than %(most)s evenings. That is the most that can be planned at once.")
            self.add_error("last", message % {"most": MAX_EVENINGS_AT_ONCE})

    def is_valid(self) -> bool:
        holidays = [holiday.is_valid() for holiday in self.holidays]
        return super().is_valid() and all(holidays)

    @property
    def dates(self) -> list[date]:
        """Return all dates of the pattern, without holidays."""
        return [day for day in self._pattern_dates() if not any(holiday.contains(day) for holiday in self.holidays)]

    def _pattern_dates(self) -> Iterator[date]:
        cleaned_data = self.cleaned_data
        if not {"first", "last", "weekdays", "every"} <= cleaned_data.keys():
            return
        first = datetime.combine(cleaned_data["first"], time())
        days = cleaned_data["weekdays"] or [first.weekday()]
        unit, _dash, position = cleaned_data["every"].partition("-")
        if unit == "month":
            index = -1 if position == "last" else int(position)
            rule = rrule(MONTHLY, first, until=cleaned_data["last"], byweekday=[weekday(day, index) for day in days])
        else:
            rule = rrule(WEEKLY, first, interval=int(unit), until=cleaned_data["last"], byweekday=days)
        yield from (moment.date() for moment in rule)

    @property
    def holiday_forms_to_show(self) -> list[HolidayForm]:
        """Return the holiday forms up to the last filled one, and one empty form."""
        typed = [number for number, holiday in enumerate(self.holidays, start=1) if holiday.has_changed()]
        return self.holidays[: max(typed, default=0) + 1]

    @property
    def has_holidays(self) -> bool:
        return any(holiday.has_changed() for holiday in self.holidays)

    @property
    def selected_dates(self) -> list[date]:
        """Return the dates whose checkbox is ticked."""
        ticked = set(self._sent_values("date"))
        return [day for day in self.dates if day.isoformat() in ticked]

    @property
    def deselected_dates(self) -> set[date]:
        """Return the dates whose checkbox was shown and is not ticked."""
        left_out = set(self._sent_values("shown")) - set(self._sent_values("date"))
        return {day for day in self.dates if day.isoformat() in left_out}

    def _sent_values(self, name: str) -> list[str]:
        return cast("QueryDict", self.data).getlist(name)
