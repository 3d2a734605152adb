"""A role that takes fees and records nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0005_arithmetic_version'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='membership',
            name='membership_role_is_known',
        ),
        migrations.AlterField(
            model_name='membership',
            name='role',
            field=models.CharField(choices=[('guest', 'Guest'), ('member', 'Member'), ('treasurer', 'Treasurer'), ('secretary', 'Secretary'), ('admin', 'Admin')], default='member', max_length=9, verbose_name='role'),
        ),
        migrations.AlterField(
            model_name='membershipevent',
            name='role',
            field=models.CharField(choices=[('guest', 'Guest'), ('member', 'Member'), ('treasurer', 'Treasurer'), ('secretary', 'Secretary'), ('admin', 'Admin')], default='member', max_length=9, verbose_name='role'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['guest', 'member', 'treasurer', 'secretary', 'admin'])), name='membership_role_is_known'),
        ),
    ]
