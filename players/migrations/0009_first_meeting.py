"""`Met` is called FirstMeeting. The table keeps its name, so that the former release can still read it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0008_name_choice_texts"),
    ]

    operations = [
        migrations.AlterModelTable(name="met", table="players_met"),
        migrations.RenameModel(old_name="Met", new_name="FirstMeeting"),
    ]
