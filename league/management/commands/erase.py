"""`manage.py erase`: forget a person, and keep what was played."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.actions.erasing import StillNeeded, erase
from players.models import Player


class Command(BaseCommand):
    """Take name, login and memberships of a player away."""

    help = (
        "Take a player's name, login and memberships away. Results stay, so that all sums hold. There is no way back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Whom, and the name once more."""
        parser.add_argument("player", type=int, help="the number in the address of the player's page")
        parser.add_argument("name", help="the name on that page, so that nobody else is erased")

    def handle(self, *args: Any, player: int, name: str, **options: Any) -> None:
        """Erase, or say why not."""
        found = Player.objects.filter(pk=player).first()
        if found is None or found.display_name != name:
            raise CommandError(
                f"Player {player} is called {found.display_name!r}." if found else f"No player {player}."
            )
        try:
            self.stdout.write(f"{name} is {erase(player)} now.")
        except StillNeeded as needed:
            raise CommandError(str(needed)) from None
