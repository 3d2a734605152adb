"""Who did what."""

from django.urls import path

from league.audit import views

urlpatterns = [
    path("audit", views.site, name="audit-site"),
    path("audit.csv", views.site_file, {"extension": "csv"}, name="audit-site-csv"),
    path("audit.xlsx", views.site_file, {"extension": "xlsx"}, name="audit-site-xlsx"),
    path("clubs/<slug:slug>/audit", views.club, name="audit"),
    path("clubs/<slug:slug>/audit.csv", views.club_file, {"extension": "csv"}, name="audit-csv"),
    path("clubs/<slug:slug>/audit.xlsx", views.club_file, {"extension": "xlsx"}, name="audit-xlsx"),
]
