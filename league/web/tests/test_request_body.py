"""A form that ends before it should is refused, whether or not the view is protected from forged requests."""

from io import BytesIO

import pytest
from django.test import Client

from league.web.request_body import CompleteBody


@pytest.mark.parametrize("address", ["/language", "/account/login/"])
def test_a_form_that_was_cut_off_is_refused(db: None, address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    sent = f"csrfmiddlewaretoken={'a' * 32}&language=fr&next=/"
    cut: dict[str, object] = {"wsgi.input": CompleteBody(BytesIO(sent[:-6].encode()))}
    answer = client.generic("POST", address, sent, content_type="application/x-www-form-urlencoded", **cut)  # type: ignore[arg-type]
    assert answer.status_code == 400
