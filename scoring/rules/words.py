"""The engine's codes in English, written once: pages translate the same strings.

A text has named placeholders (`%(given)s`). Parameters called `seat` or `seats` are seat numbers.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scoring.rules.errors import Param


class Plural(NamedTuple):
    """A text in two forms; `number` names the parameter that decides which is said."""

    singular: str
    plural: str
    number: str


Words = Mapping[str, str | Plural]


def gettext_noop(text: str) -> str:
    """Mark a string for translation without Django (makemessages knows the name)."""
    return text


def ngettext_lazy(singular: str, plural: str, number: str) -> Plural:
    """Mark a text and its plural, as Django's function of that name does where `number` names a parameter."""
    return Plural(singular, plural, number)


_ = gettext_noop

KERNEL: Words = {
    "missing": _("This is needed."),
    "not_an_object": _("%(given)s is not an object with named values."),
    "not_a_list": _("%(given)s is not a list."),
    "wrong_length": _("%(given)s values were given; %(allowed)s are needed."),
    "unknown_key": _("%(given)s is unknown here; allowed: %(allowed)s."),
    "unknown_word": _("%(given)s is not one of: %(allowed)s."),
    "not_whole": _("%(given)s is not a whole number."),
    "not_half": _("%(given)s is not a number of whole or half points."),
    "not_flag": _("%(given)s is neither true nor false."),
    "out_of_range": _("%(given)s is outside %(least)s to %(most)s."),
    "too_small": _("%(given)s is less than %(least)s."),
    "not_a_seat": _("%(given)s is no seat of this table; allowed: 0 to %(most)s."),
    "wrong_rests": _("%(allowed)s of the table's seats must sit each deal out."),
    "wrong_seats": _("%(given)s seats are not possible; allowed: %(allowed)s."),
    "no_house_rules": _("This game has no house rules; %(given)s was given."),
    "totals_not_zero": _("The totals add up to %(given)s; every deal adds up to 0, so they must too."),
}


def numeral(number: float) -> str:
    """Return a number as plain English writes it: 4 for 4.0, 43.5, −7 with a real minus sign."""
    text = str(number) if type(number) is int or number != int(number) else str(int(number))
    return text.replace("-", "−") if number < 0 else text


def english(singular: str, plural: str, number: int) -> str:
    """Return the form that English has for a number."""
    return singular if number == 1 else plural


def say(
    words: Words,
    code: str,
    params: Mapping[str, Param],
    *,
    translate: Callable[[str], str] = str,
    translate_plural: Callable[[str, str, int], str] = english,
    seat: Callable[[int], str] = "seat {}".format,
    number: Callable[[float], str] = numeral,
) -> str:
    """Return the text of a code with its parameters filled in.

    A string parameter that is itself a code in `words` (a contract, say) is shown by its own words.
    """
    shown: dict[str, str] = {}
    for name, value in params.items():
        if type(value) is int:  # by far the usual case
            shown[name] = seat(value) if name == "seat" else number(value)
        elif isinstance(value, tuple):
            shown[name] = ", ".join((seat if name == "seats" else number)(each) for each in value)
        elif isinstance(value, str):
            word = words.get(value)
            shown[name] = translate(word) if isinstance(word, str) else value
        elif value is None or isinstance(value, bool):
            shown[name] = str(value)
        else:
            shown[name] = number(value)
    text = words[code] if code in words else KERNEL[code]
    if isinstance(text, str):
        return translate(text) % shown
    count = params[text.number]
    assert isinstance(count, int), f"{text.number} is no whole number"
    return translate_plural(text.singular, text.plural, count) % shown
