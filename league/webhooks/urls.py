from django.urls import path

from league.webhooks import views

urlpatterns = [
    path("clubs/<slug:slug>/webhooks", views.webhooks, name="webhooks"),
    path("webhooks/<int:pk>", views.webhook, name="webhook"),
    path("webhooks/<int:pk>/test", views.send_test, name="webhook-test"),
    path("webhooks/<int:pk>/secret", views.rotate_secret, name="webhook-secret"),
    path("webhooks/<int:pk>/pause", views.pause, name="webhook-pause"),
    path("webhooks/<int:pk>/resume", views.resume, name="webhook-resume"),
    path("webhooks/<int:pk>/delete", views.delete, name="webhook-delete"),
]
