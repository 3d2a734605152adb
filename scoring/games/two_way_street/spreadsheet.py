"""Two Way Street as clubs keep it in a spreadsheet: a duel's direction in words."""

from scoring.games.two_way_street.row import CALLS
from scoring.spreadsheet import Spreadsheet

SPREADSHEET = Spreadsheet(words={"direction": CALLS})
