"""Amounts of money in templates: `{{ fee|money:club.currency }}`."""

from django import template

from league.clubs.queries.money import format_money

register = template.Library()
register.filter("money", format_money)
