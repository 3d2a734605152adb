import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    """A standing says what it is made of, and its total may be a fraction. The next run computes each anew."""

    dependencies = [
        ("league", "0006_treasurer"),
    ]

    operations = [
        migrations.AlterModelOptions(name="standing", options={"verbose_name": "standing"}),
        migrations.RenameField(model_name="standing", old_name="points", new_name="numerator"),
        migrations.AlterField(
            model_name="standing",
            name="numerator",
            field=models.DecimalField(decimal_places=0, max_digits=1000),
        ),
        migrations.AddField(
            model_name="standing",
            name="denominator",
            field=models.DecimalField(decimal_places=0, default=1, max_digits=1000),
        ),
        migrations.AddField(
            model_name="standing",
            name="dropped",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="standing",
            name="worth",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="standing",
            name="extras",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="standing",
            name="adjustment",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="missing",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="missing_partners",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="standing",
            name="guest",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="movement",
            name="before",
            field=models.DecimalField(decimal_places=6, max_digits=30, null=True),
        ),
        migrations.AlterField(
            model_name="movement",
            name="after",
            field=models.DecimalField(decimal_places=6, max_digits=30, null=True),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.CheckConstraint(condition=models.Q(('denominator__gte', 1)), name='standing_denominator_from_one'),
        ),
        migrations.AlterModelOptions(
            name='standing',
            options={'ordering': [models.OrderBy(models.F('rank'), nulls_last=True), models.OrderBy(django.db.models.expressions.CombinedExpression(models.F('numerator'), '/', models.F('denominator')), descending=True), 'player__sort_key', 'pk'], 'verbose_name': 'standing'},
        ),
    ]
