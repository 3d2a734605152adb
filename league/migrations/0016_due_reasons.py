from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0015_house_rules_for_later_evenings'),
    ]

    operations = [
        migrations.AlterField(
            model_name='due',
            name='why',
            field=models.CharField(choices=[('closed', 'an evening was closed'), ('reopened', 'an evening was opened again'), ('recorded', 'a deal was recorded late'), ('revised', 'a deal was revised'), ('voided', 'a deal was voided'), ('totals', 'totals were recorded'), ('finished', 'a table was completed or reopened by hand'), ('seats', 'players of a table were changed'), ('rules changed', "the season's rules were changed"), ('standings rules changed', "the season's standings rules were changed"), ('rating rules', "the game's rating rules were changed"), ('adjusted', 'points were given or taken away'), ('merged', 'two records of one person were joined, or taken apart again'), ('repaired', 'something was repaired by hand'), ('arithmetic', 'the arithmetic changed'), ('button', 'an admin asked for it')], max_length=40),
        ),
    ]
