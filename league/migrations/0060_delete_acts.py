"""Delete acts: the audit log has them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("league", "0059_audit_log_functions")]

    operations = [migrations.DeleteModel(name="Act")]
