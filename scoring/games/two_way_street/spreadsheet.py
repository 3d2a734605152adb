"""Two Way Street as clubs keep it in a spreadsheet: a duel's direction in words."""

from scoring.spreadsheet import Spreadsheet

SPREADSHEET = Spreadsheet(
    codes={"direction": {**dict.fromkeys(("high", "haut"), "h"), **dict.fromkeys(("low", "bas"), "l")}},
)
