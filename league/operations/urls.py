from django.urls import path

from league.operations.views import audit, jobs, metrics, monitoring, setup, web_app

urlpatterns = [
    path("audit", audit.site_audit_log, name="audit-site"),
    path("audit.csv", audit.site_audit_file, {"extension": "csv"}, name="audit-site-csv"),
    path("audit.xlsx", audit.site_audit_file, {"extension": "xlsx"}, name="audit-site-xlsx"),
    path("clubs/<slug:slug>/audit", audit.club_audit_log, name="audit"),
    path("clubs/<slug:slug>/audit.csv", audit.club_audit_file, {"extension": "csv"}, name="audit-csv"),
    path("clubs/<slug:slug>/audit.xlsx", audit.club_audit_file, {"extension": "xlsx"}, name="audit-xlsx"),
    path("setup", setup.setup, name="setup"),
    path("watch", monitoring.status_page, name="watch"),
    path("watch/test-email", monitoring.send_test_email, name="test-email"),
    path("watch/test-backup", monitoring.make_and_test_backup, name="test-backup"),
    path("jobs", jobs.jobs_page, name="jobs"),
    path("jobs/<int:pk>/retry", jobs.retry_job, name="job-retry"),
    path("jobs/<int:pk>/cancel", jobs.cancel_job, name="job-cancel"),
    path("looks", monitoring.component_gallery, name="looks"),
    path("healthz", monitoring.healthz, name="healthz"),
    path("livez", monitoring.livez, name="livez"),
    path("metrics", metrics.metrics, name="metrics"),
    path("app.webmanifest", web_app.manifest, name="manifest"),
    path("service-worker.js", web_app.service_worker, name="service-worker"),
    path("offline", web_app.offline_page, name="offline"),
]
