"""An evening: planning it, its page, and the steps of its life."""

from django.urls import path

from league.evenings import calendars, previews, views

urlpatterns = [
    path("seasons/<int:pk>/evenings/plan", views.plan, name="evening-plan"),
    path("seasons/<int:pk>/evenings/plan-many", views.plan_many, name="evenings-plan"),
    path("evenings/<int:pk>/", views.evening, name="evening"),
    path("evenings/<int:pk>/ranking.csv", views.ranking_file, {"extension": "csv"}, name="evening-csv"),
    path("evenings/<int:pk>/ranking.xlsx", views.ranking_file, {"extension": "xlsx"}, name="evening-xlsx"),
    path("evenings/<int:pk>/picture.png", previews.evening_picture, name="evening-picture"),
    path("evenings/<int:pk>/edit", views.edit, name="evening-edit"),
    path("evenings/<int:pk>/open", views.open_evening, name="evening-open"),
    path("evenings/<int:pk>/cancel", views.cancel, name="evening-cancel"),
    path("clubs/<slug:slug>/calendar.ics", calendars.of_club, name="club-calendar"),
    path("calendar", calendars.own, name="calendar"),
    path("calendar/renew", calendars.renew, name="calendar-renew"),
    path("calendar/end", calendars.end, name="calendar-end"),
    path("calendar/<uuid:key>.ics", calendars.of_person, name="person-calendar"),
    path("evenings/<int:pk>/reopen", views.reopen, name="evening-reopen"),
]
