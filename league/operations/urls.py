"""The installation: status checks, audit log."""

from django.urls import path

from league.operations.views import audit, monitoring

urlpatterns = [
    path("audit", audit.site, name="audit-site"),
    path("audit.csv", audit.site_file, {"extension": "csv"}, name="audit-site-csv"),
    path("audit.xlsx", audit.site_file, {"extension": "xlsx"}, name="audit-site-xlsx"),
    path("clubs/<slug:slug>/audit", audit.club, name="audit"),
    path("clubs/<slug:slug>/audit.csv", audit.club_file, {"extension": "csv"}, name="audit-csv"),
    path("clubs/<slug:slug>/audit.xlsx", audit.club_file, {"extension": "xlsx"}, name="audit-xlsx"),
    path("watch", monitoring.watch, name="watch"),
    path("looks", monitoring.looks, name="looks"),
    path("healthz", monitoring.healthz, name="healthz"),
    path("livez", monitoring.livez, name="livez"),
]
