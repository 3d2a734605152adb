"""Compare the settings that decide an evening's points: in the file of a hall server, and on this server.

A hall server is a computer in the hall that records the evening. The settings must be equal on both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from league.models import Evening, Season
from league.seasons.queries.season_game import game_of_season
from scoring.entry import filled_fields
from scoring.rules.errors import IllegalDeal

# The fields of Season on which the points of an evening depend, besides its game and its house rules.
SCORING_FIELDS: Final = (
    "fifth_rests",
    "end",
    "end_number",
    "count_passed",
    "exempt_points",
    "rest_score",
    "rest_points",
)


def rule_differences(
    evening: Evening, season: Mapping[str, Any], kept_house_rules: Mapping[str, Any] | None
) -> list[str]:
    """Return one sentence per setting that differs between the file of a hall server and this server.

    `season` has the season's values in the file. `kept_house_rules` are the house rules that the file stores with the
    evening; None if the season's house rules apply.
    """
    if season["game"] != evening.season.game:
        text = _("The game is %(given)s in the file, and %(here)s here.")
        return [text % {"given": season["game"], "here": evening.season.game}]
    house_rules = season["house_rules"] if kept_house_rules is None else kept_house_rules
    return [*_field_differences(evening.season, season), *_house_rule_differences(evening, house_rules)]


def _field_differences(season: Season, file_values: Mapping[str, Any]) -> Iterator[str]:
    for name in SCORING_FIELDS:
        value = getattr(season, name)
        if file_values[name] != value:
            label = Season._meta.get_field(name).verbose_name  # type: ignore[union-attr]
            words = {"setting": label, "given": _value_text(file_values[name]), "here": _value_text(value)}
            yield _("“%(setting)s” is %(given)s in the file, and %(here)s here.") % words


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "–" if value is None else str(value)


def _house_rule_differences(evening: Evening, house_rules: Mapping[str, Any]) -> Iterator[str]:
    game = game_of_season(evening.season)
    try:
        if game.rules.read_options(house_rules) == game.rules.read_options(evening.house_rules):
            return
    except IllegalDeal as illegal:
        yield _("The file has a house rule that is not known here: %(rule)s.") % {"rule": illegal.field}
        return
    fields_in_file = dict(filled_fields(game.house_rules_form(initial=house_rules)))
    fields_here = dict(filled_fields(game.house_rules_form(initial=evening.house_rules)))
    labels = [
        label for label in {**fields_in_file, **fields_here} if fields_in_file.get(label) != fields_here.get(label)
    ]
    for label in labels:
        words = {"setting": label, "given": fields_in_file.get(label, "–"), "here": fields_here.get(label, "–")}
        yield _("“%(setting)s” is %(given)s in the file, and %(here)s here.") % words
    if not labels:
        yield _("The house rules in the file are not those of this evening.")
