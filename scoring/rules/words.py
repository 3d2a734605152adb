"""Types for the English texts of the engine's codes (of reasons, warnings, errors and roles), and a function that
formats them without Django. Pages translate the same texts.

A text has named placeholders (`%(given)s`). The parameters `seat` and `seats` are seats, from 0.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scoring.rules.errors import Param


class Plural(NamedTuple):
    """A text with a singular and a plural form. `number` is the name of the parameter that selects the form."""

    singular: str
    plural: str
    number: str


class TextInContext(NamedTuple):
    """A text with a gettext context, for an English word that has several meanings."""

    context: str
    text: str


Words = Mapping[str, str | Plural | TextInContext]  # texts by code


def gettext_noop(text: str) -> str:
    """Return the text unchanged. The call marks it for translation without Django; makemessages recognises this
    function name.
    """
    return text


def ngettext_lazy(singular: str, plural: str, number: str) -> Plural:
    """Return both forms of a text. The call marks them for translation without Django. `number` is the name of the
    parameter that selects the form.
    """
    return Plural(singular, plural, number)


def pgettext_lazy(context: str, text: str) -> TextInContext:
    return TextInContext(context, text)


def ignore_context(context: str, text: str) -> str:
    return text


_ = gettext_noop

COMMON_WORDS: Words = {
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


def english_number(number: float) -> str:
    text = str(number) if type(number) is int or number != int(number) else str(int(number))
    return text.replace("-", "−") if number < 0 else text


def english_plural_form(singular: str, plural: str, number: int) -> str:
    return singular if number == 1 else plural


def format_message(
    words: Words,
    code: str,
    params: Mapping[str, Param],
    *,
    translate: Callable[[str], str] = str,
    translate_plural: Callable[[str, str, int], str] = english_plural_form,
    translate_in_context: Callable[[str, str], str] = ignore_context,
    seat: Callable[[int], str] = "seat {}".format,
    number: Callable[[float], str] = english_number,
) -> str:
    """Return the text for a code, with its parameters. The defaults format it in English, without Django.

    If a parameter is itself a code of `words`, such as a contract, it is replaced by its own text.
    """
    texts: dict[str, str] = {}
    for name, value in params.items():
        if type(value) is int:  # the most frequent case
            texts[name] = seat(value) if name == "seat" else number(value)
        elif isinstance(value, tuple):
            texts[name] = ", ".join(map(seat if name == "seats" else number, value))
        elif isinstance(value, str):
            word = words.get(value)
            if isinstance(word, TextInContext):
                texts[name] = translate_in_context(*word)
            else:
                texts[name] = translate(word) if isinstance(word, str) else value
        elif value is None or isinstance(value, bool):
            texts[name] = str(value)
        else:
            texts[name] = number(value)
    text = words[code] if code in words else COMMON_WORDS[code]
    if isinstance(text, str):
        return translate(text) % texts
    if isinstance(text, TextInContext):
        return translate_in_context(*text) % texts
    count = params[text.number]
    assert isinstance(count, int), f"{text.number} is no whole number"
    return translate_plural(text.singular, text.plural, count) % texts
