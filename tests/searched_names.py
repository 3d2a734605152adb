"""Names, what finds each of them, and what does not: one list for the database, the pages and the browser."""

from typing import Final, NamedTuple


class SearchedName(NamedTuple):
    """A person's names, searches that find the person, and searches that do not."""

    given_name: str
    family_name: str
    found_by: tuple[str, ...]
    not_found_by: tuple[str, ...] = ()


SEARCHED_NAMES: Final = (
    SearchedName(
        "Jean-Pierre",
        "Martin",
        ("pierre", "Jean", "jean-p", "jean pierre", "jeanpierre", "mar pie", "pierre-mar", "JEAN‑PIERRE"),
        ("ierre", "jeanne", "j-p"),
    ),
    SearchedName(
        "Sean",
        "O'CONNOR",
        ("conn", "oconn", "o'conn", "o’conn", "oʼconn", "o conn", "o`c", "sean oconnor", "connor s", "O-Connor"),
        ("onnor", "conno'x", "oconnar"),
    ),
    SearchedName("Brigid", "O’Hara", ("ohara", "hara", "o'hara", "o’h", "bri har"), ("oh hare",)),
    SearchedName("Léa", "Le Roy", ("leroy", "le roy", "roy", "roy lea", "LÉA", "le-roy", "l'eroy"), ("eroy",)),
    SearchedName("Zoë", "Leblanc", ("le blanc", "le-blanc", "zoe", "Zoé le blanc", "leblanc"), ("blanc", "zoo")),
    SearchedName("Élodie", "Œuvrard", ("oeuv", "œuv", "elo", "oe el"), ("uvrard",)),
    SearchedName("Anne-Lise", "de La Tour d'Auvergne", ("auver", "dauv", "delatour", "tour d’a"), ("isea",)),
    SearchedName("J.P.", "Saint-Exupéry", ("jp", "j.p", "exup", "saintex", "p sai"), ("xup",)),
    SearchedName("Иван", "Петров", ("иван", "петр", "пе ив"), ("етров",)),
    SearchedName("Søren", "Łuczak", ("soren", "sø", "lucz", "łu"), ("oren",)),
)
# Searches in which nothing is a letter: they find nobody.
EMPTY_SEARCHES: Final = ("-", "'", "’ -", "...")
