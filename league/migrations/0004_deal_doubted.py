from typing import Any

from django.db import migrations, models

from scoring import registry
from scoring.rules.errors import IllegalDeal


def look_at_deals(apps: Any, _schema_editor: Any) -> None:
    """Store of each deal what was asked anew at each look until now."""
    deals = apps.get_model("league", "Deal")._default_manager.filter(voided_at=None)
    rows = deals.values_list(
        "pk", "facts", "rests", "table__size", "table__round__evening__season__game",
        "table__round__evening__season__house_rules",
    )
    doubted = []
    for pk, facts, rests, size, game, house_rules in rows.iterator():
        rules = registry.rules(game)
        try:
            played = rules.play(size - len(rests), facts, rules.read_options(house_rules))
        except IllegalDeal:
            continue
        if played.warnings:
            doubted.append(pk)
    deals.filter(pk__in=doubted).update(doubted=True)


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0003_tasks_fail_alone"),
    ]

    operations = [
        migrations.AddField(
            model_name="deal",
            name="doubted",
            field=models.BooleanField(default=False, editable=False, verbose_name="suspicious"),
        ),
        migrations.RunPython(look_at_deals, migrations.RunPython.noop, elidable=True),
    ]
