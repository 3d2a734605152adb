"""Clubs' spreadsheets of Two Way Street: the direction of a duel in words."""

from scoring.games.two_way_street.row import CALLS
from scoring.spreadsheet import Spreadsheet

SPREADSHEET = Spreadsheet(words={"direction": CALLS})
