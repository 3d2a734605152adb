"""Guests are named to everyone by first name and initial, as from now on.

Who is a member of any club is no guest here.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from players.names import initial_before_name, name_with_initial, without_accents as plain
from players.naming import Names


def name_guests(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Membership = apps.get_model("league", "Membership")
    Player = apps.get_model("players", "Player")
    members = Membership.objects.exclude(role="guest").values("player")
    guests = Player.objects.filter(pk__in=Membership.objects.values("player")).exclude(pk__in=members)
    changed = []
    for player in guests.order_by("pk").iterator(1000):
        player.public_default = "initial"
        named = name_with_initial(player.given_name, player.family_name)
        player.names = Names(named, player.names.members, player.names.work)
        player.sort_key = plain(initial_before_name(player.given_name, player.family_name))[:210]
        changed.append(player)
    Player.objects.bulk_update(changed, ["public_default", "names", "sort_key"], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0026_club_names"),
        ("players", "0007_names"),
    ]

    operations = [
        migrations.RunPython(name_guests, migrations.RunPython.noop),
    ]
