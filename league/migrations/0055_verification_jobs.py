"""A verification that an upgrade interrupts begins again on its own: jobs replace its table."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("league", "0054_recompute_jobs")]

    operations = [migrations.DeleteModel("Verification")]
