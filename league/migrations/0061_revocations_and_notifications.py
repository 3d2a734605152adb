"""Name two models and a choice by their standard terms. Tables keep their names: triggers and backups know them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("league", "0060_delete_acts")]

    operations = [
        migrations.AlterModelTable("ending", "league_ending"),
        migrations.RenameModel("Ending", "Revocation"),
        migrations.AlterModelTable("letter", "league_letter"),
        migrations.RenameModel("Letter", "Notification"),
        migrations.AlterModelTable("letterchoice", "league_letterchoice"),
        migrations.RenameModel("LetterChoice", "NotificationChoice"),
    ]
