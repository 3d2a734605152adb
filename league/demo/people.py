from typing import NamedTuple

from league.models.rights import Role


class DemoPerson(NamedTuple):
    """A person of the demo: name, skill from 0 to 1, and role."""

    given: str
    family: str
    skill: float
    role: Role


PASSWORD = "petit-au-bout-2026"  # noqa: S105  printed at each start: the demo is for trying out
LOGINS = {  # email address: index in PEOPLE
    "secretary@demo.example": 0,
    "admin@demo.example": 1,
    "member@demo.example": 2,
    "treasurer@demo.example": 3,
}

_NAMES = """
Chloé Bernard, Henri Delaunay, Zoé Marchand, Élodie Fabre, Luc Garnier, Amina Haddad, Bruno Keller, Camille Laurent,
Denis Moreau, Estelle Nguyen, François Olivier, Gaëlle Perrin, Hugo Quentin, Inès Roux, Jacques Simon, Karim Touré,
Léa Urbain, Marc Vasseur, Nadia Weiss, Olivier Yvon, Pauline Zeller, Quentin Arnaud, Rachel Blanc, Samuel Colin,
Thérèse Dubois, Ulysse Étienne, Valérie Fontaine, William Grandjean, Xavier Humbert, Yasmine Idrissi, Anaïs Joly,
Boris Lemaire, Céline Masson, Damien Noël
"""

_NAME_PARTS = [name.split(" ") for name in _NAMES.replace("\n", " ").strip().split(", ")]
_FIRST_ROLES = [Role.SECRETARY, Role.ADMIN, Role.MEMBER, Role.TREASURER]
_ROLES = [*_FIRST_ROLES, *[Role.MEMBER] * (len(_NAME_PARTS) - 8), *[Role.GUEST] * 4]

# Skills are not in the order of the names. Each skill occurs once, since 11 has no common factor with their number.
PEOPLE = [
    DemoPerson(given.strip(), family, (number * 11 % len(_NAME_PARTS)) / (len(_NAME_PARTS) - 1), role)
    for number, ((given, family), role) in enumerate(zip(_NAME_PARTS, _ROLES, strict=True))
]
