"""The message about a recorded deal that is illegal by new house rules, and so prevents a change of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.models import Deal, Season
from league.seasons.queries.season_game import game_of_season
from league.sheets.queries.deal_labels import deal_label
from players.dates import date_format
from scoring.phrases import refusal_text
from scoring.rules.errors import IllegalDeal


def unreadable_deal_message(season: Season, house_rules: Mapping[str, Any], illegal: IllegalDeal) -> SafeString:
    """Return the message with a link to the season's first deal that these house rules make illegal.

    Without such a deal, the message is about invalid house rules or about `illegal`, the error that was raised.
    """
    game = game_of_season(season)
    explanation = _("A recorded deal can't be read under these rules.")
    deals = Deal.objects.not_voided().filter(table__round__evening__season=season).with_table()
    try:
        options = game.rules.read_options(house_rules)
    except IllegalDeal as fault:
        return format_html("{}", refusal_text(game, fault, ()))
    for deal in deals.order_by("table__round__evening__date", "table", "number").iterator():
        try:
            game.rules.play(deal.table.players_of_deal, deal.facts, options)
        except IllegalDeal as fault:
            seats = deal.table.seats.select_related("player")
            fault_text = refusal_text(
                game, fault, [str(seat.player) for seat in seats if seat.number not in deal.rests]
            )
            address = deal.get_absolute_url()
            return format_html(
                '{} <a href="{}">{}</a>{}{}', explanation, address, _deal_location(deal), _(": "), fault_text
            )
    return format_html(
        "{} {}", explanation, refusal_text(game, illegal, [str(seat + 1) for seat in range(max(game.sizes))])
    )


def _deal_location(deal: Deal) -> str:
    deal_round = deal.table.round
    return deal_label(
        deal.number, deal.table.number, deal_round.number, date_format(deal_round.evening.date, "DATE_FORMAT")
    )
