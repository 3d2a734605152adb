"""All seasons are due: until now no records of them were kept."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone


def mark_seasons(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    due, standing = apps.get_model("league", "Due"), apps.get_model("league", "Standing")
    seasons = standing.objects.order_by("season").values_list("season", flat=True).distinct()
    due.objects.bulk_create(due(season_id=pk, not_before=timezone.now(), why="arithmetic") for pk in seasons)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0023_season_records'),
    ]

    operations = [
        migrations.RunPython(mark_seasons, migrations.RunPython.noop, elidable=True),
    ]
