"""The receivers of the README in real applications, each block as it stands there."""

from __future__ import annotations

import asyncio
import re
import threading
from http.server import HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from posthorn import webhooks

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SECRET = "whsec_cG9zdGhvcm4gdmVjdG9ycywgMjQgYnl0"
FORMER = "whsec_Zm9ybWVyIHNlY3JldCBvZiAyNCBieXQ="
BODY = '{"name":"Zoë"}'.encode()


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNING_SECRET", SECRET)
    monkeypatch.setenv("FORMER_SECRET", FORMER)


def block(word: str) -> dict[str, Any]:
    """The names that a block of the README makes."""
    (text,) = [one for one in BLOCKS if word in one]
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(text, "README.md", "exec"), names)
    return names


def test_each_block_of_the_readme_is_run_by_some_test() -> None:
    # Those with a client are run against the product, by `tests/e2e/sdk-python.e2e.test.ts`.
    words = ["FastAPI()", "urlpatterns", "BaseHTTPRequestHandler):", "webhooks.sign", "Posthorn("]
    assert [sum(word in one for word in words) for one in BLOCKS] == [1] * len(BLOCKS)
    assert len(BLOCKS) == 6


def answers_of(send: Any) -> list[int]:
    """What a receiver answers to a good webhook, a forged one, and one without a signature."""
    good = webhooks.sign(BODY, SECRET, id="e1")
    return [send(BODY, good), send(b'{"name":"Eve"}', good), send(BODY, {})]


def test_fastapi(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fastapi", exc_type=ImportError)
    app = block("FastAPI()")["app"]

    def send(body: bytes, headers: dict[str, str]) -> int:
        async def exchange() -> int:
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
                return (await client.post("/webhooks", content=body, headers=headers)).status_code

        return asyncio.run(exchange())

    assert answers_of(send) == [204, 401, 401]
    assert capsys.readouterr().out == "e1 {'name': 'Zoë'}\n"


def test_fastapi_says_what_is_wrong() -> None:
    fastapi = pytest.importorskip("fastapi", exc_type=ImportError)
    from posthorn.fastapi import webhook

    verified = webhook([SECRET, FORMER], brand="Acme", tolerance_seconds=10)

    def verify(headers: dict[str, str]) -> Any:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": BODY}

        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        request = fastapi.Request({"type": "http", "headers": raw}, receive)
        return asyncio.run(verified(request))  # type: ignore[arg-type]

    assert verify(webhooks.sign(BODY, FORMER, id="e1", brand="Acme")).id == "e1"
    with pytest.raises(fastapi.HTTPException, match="x-acme-signature") as raised:
        verify({})
    assert raised.value.status_code == 401
    with pytest.raises(fastapi.HTTPException, match="too old"):
        verify(webhooks.sign(BODY, SECRET, brand="Acme", now=1))


def configure_django() -> None:
    pytest.importorskip("django", exc_type=ImportError)
    from django.conf import settings

    if not settings.configured:
        settings.configure(
            ALLOWED_HOSTS=["*"],
            SECRET_KEY="of a test",
            USE_TZ=True,
            MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
        )
        import django

        django.setup()


def post_to_django(view: Any, method: str = "POST") -> Any:
    from django.test import Client, override_settings
    from django.urls import path

    class Urls:
        urlpatterns = (path("webhooks", view),)

    def send(body: bytes, headers: dict[str, str]) -> int:
        as_environment = {
            f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()
        }
        client = Client(enforce_csrf_checks=True)
        with override_settings(ROOT_URLCONF=Urls):
            return int(
                client.generic(
                    method, "/webhooks", body, "application/json", **as_environment
                ).status_code
            )

    return send


def test_django(capsys: pytest.CaptureFixture[str]) -> None:
    configure_django()
    (pattern,) = block("urlpatterns")["urlpatterns"]
    send = post_to_django(pattern.callback)
    assert answers_of(send) == [204, 401, 401]
    assert capsys.readouterr().out == "e1 {'name': 'Zoë'}\n"
    assert post_to_django(pattern.callback, "PUT")(BODY, {}) == 405


def test_django_with_an_async_view() -> None:
    configure_django()
    from django.http import HttpRequest, HttpResponse

    from posthorn.django import webhook

    seen = []

    @webhook([FORMER, SECRET])
    async def receive(request: HttpRequest, event: webhooks.WebhookEvent) -> HttpResponse:
        seen.append((request.method, event.id, event.payload))
        return HttpResponse(status=204)

    assert answers_of(post_to_django(receive)) == [204, 401, 401]
    assert seen == [("POST", "e1", {"name": "Zoë"})]


def test_http_server(capsys: pytest.CaptureFixture[str]) -> None:
    receiver = block("BaseHTTPRequestHandler):")["Receiver"]
    receiver.log_message = lambda *_: None
    server = HTTPServer(("127.0.0.1", 0), receiver)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}/"

        def send(body: bytes, headers: dict[str, str]) -> int:
            return httpx.post(url, content=body, headers=headers).status_code

        assert answers_of(send) == [204, 401, 401]
        assert send(BODY, webhooks.sign(BODY, FORMER, id="e2")) == 204
        assert capsys.readouterr().out == "e1 {'name': 'Zoë'}\ne2 {'name': 'Zoë'}\n"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_sign() -> None:
    assert block("webhooks.sign")["headers"]["webhook-id"]
