"""The settings of the installation, without secrets, for the page of its admins."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings


class InstallationSettings(NamedTuple):
    address: str  # of the site
    time_zone: str
    night_hour: int
    mail_server: str  # host and port; "" if emails are stored as files
    mail_folder: str  # folder in which emails are stored if there is no mail server
    sender: str  # email address
    backup_folder: str
    has_backup_command: bool
    backup_copy: str  # address of the server for copies of backups, "" for none
    encrypts_backups: bool

    @property
    def makes_backups(self) -> bool:
        return bool(self.backup_folder or self.has_backup_command)


def installation_settings() -> InstallationSettings:
    return InstallationSettings(
        address=settings.SITE_ADDRESS,
        time_zone=settings.TIME_ZONE,
        night_hour=settings.NIGHT_HOUR,
        mail_server=f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}" if settings.EMAIL_HOST else "",
        mail_folder=settings.EMAIL_FILE_PATH or "",
        sender=settings.DEFAULT_FROM_EMAIL,
        backup_folder=settings.BACKUP_FOLDER,
        has_backup_command=bool(settings.BACKUP_COMMAND),
        backup_copy=settings.BACKUP_COPY_TO,
        encrypts_backups=bool(settings.BACKUP_KEY),
    )
