"""How clubs write Two Way Street in their spreadsheets: the direction of a duel in words."""

from scoring.games.two_way_street.row import CALL_CODES
from scoring.spreadsheet import Spreadsheet

SPREADSHEET = Spreadsheet(words={"direction": CALL_CODES})
