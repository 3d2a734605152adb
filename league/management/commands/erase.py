from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.actions.erasure import CannotErasePlayer, erase
from players.models import Player


class Command(BaseCommand):
    help = (
        "Take a player's name, login and memberships away. Results stay, so that all sums hold. There is no way back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("player", type=int, help="the number in the address of the player's page")
        parser.add_argument("name", help="the name on that page, so that nobody else is erased")

    def handle(self, *args: Any, player: int, name: str, **options: Any) -> None:
        person = Player.objects.filter(pk=player).first()
        if person is None:
            raise CommandError(f"No player {player}.")
        if person.display_name != name:
            raise CommandError(f"Player {player} is called {person.display_name!r}.")
        try:
            self.stdout.write(f"{name} is {erase(player)} now.")
        except CannotErasePlayer as error:
            raise CommandError(str(error)) from None
