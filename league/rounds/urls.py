"""Who sits where: the draw, seating by hand, the poster."""

from django.urls import path

from league.rounds.views import draw, poster, seating

urlpatterns = [
    path("evenings/<int:pk>/draw", draw.draw, name="draw"),
    path("rounds/<int:pk>/accept", draw.accept, name="round-accept"),
    path("rounds/<int:pk>/again", draw.again, name="round-again"),
    path("rounds/<int:pk>/swap", draw.swap, name="round-swap"),
    path("rounds/<int:pk>/poster", poster.poster, name="poster"),
    path("evenings/<int:pk>/seating", seating.seating, name="seating"),
    path("evenings/<int:pk>/tables/add", seating.add, name="table-add"),
    path("tables/<int:pk>/seats", seating.seats, name="table-seats"),
    path("tables/<int:pk>/swap", draw.swap_tables, name="table-swap"),
    path("tables/<int:pk>/remove", seating.remove, name="table-remove"),
]
