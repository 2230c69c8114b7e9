"""The vectors that all SDKs share, and what receivers may give besides."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from email.message import Message
from pathlib import Path
from typing import Any

import httpx
import pytest

from posthorn import WebhookEvent, WebhookVerificationError, webhooks

VECTORS = Path(__file__).parents[2] / "webhook-vectors.json"
CASES = json.loads(VECTORS.read_text("utf-8"))["cases"]
assert len(CASES) > 10

BODY = '{"a":1}'
SECRET = "whsec_cG9zdGhvcm4gdmVjdG9ycywgMjQgYnl0"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
@pytest.mark.parametrize("as_bytes", [False, True], ids=["text", "bytes"])
def test_vectors(case: dict[str, Any], as_bytes: bool) -> None:
    body = case["body"].encode() if as_bytes else case["body"]
    given = (body, case["headers"], case["secrets"])
    if case["valid"]:
        event = webhooks.verify(*given, now=case["now"])
        assert event.payload == json.loads(case["body"])
        assert event.timestamp.tzinfo is not None
    else:
        with pytest.raises(WebhookVerificationError):
            webhooks.verify(*given, now=case["now"])


def test_what_is_signed_is_verified_under_another_brand() -> None:
    signed = webhooks.sign(BODY, "secret", id="e1", brand="Acme")
    headers = {**signed, "X-Acme-Trace-Id": "t1"}
    assert "X-Acme-Event-ID" in headers
    event = webhooks.verify(BODY, headers, "secret", brand="Acme")
    assert (event.id, event.trace_id, event.payload) == ("e1", "t1", {"a": 1})
    assert isinstance(event, WebhookEvent)
    with pytest.raises(WebhookVerificationError, match="x-service-signature"):
        webhooks.verify(BODY, headers, "secret")
    with pytest.raises(ValueError, match="secret"):
        webhooks.verify(BODY, headers, [])


def as_message(headers: dict[str, str]) -> Message:
    message = Message()
    for name, value in headers.items():
        message[name] = value
    return message


@pytest.mark.parametrize(
    "shape",
    [
        dict,
        httpx.Headers,
        as_message,
        lambda headers: list(headers.items()),
        lambda headers: {name.lower(): [value] for name, value in headers.items()},
        lambda headers: [(n.lower().encode(), v.encode()) for n, v in headers.items()],
    ],
    ids=["dict", "httpx", "http.server", "pairs", "lists", "ASGI"],
)
def test_headers_of_any_shape(shape: Any) -> None:
    headers = shape(webhooks.sign(BODY, SECRET, id="e1"))
    assert webhooks.verify(BODY, headers, ["another", SECRET]).id == "e1"
    with pytest.raises(WebhookVerificationError):
        webhooks.verify(BODY, headers, "another")


def test_either_signature_is_enough() -> None:
    headers = webhooks.sign(BODY.encode(), SECRET, id="e1")
    for prefix in ("X-Service", "webhook"):
        some = {name: value for name, value in headers.items() if name.startswith(prefix)}
        assert webhooks.verify(BODY, some, SECRET).id == "e1"
    assert "webhook-signature" not in webhooks.sign(BODY, "no whsec")
    assert "webhook-signature" not in webhooks.sign(BODY, "whsec_AAAAA")


def test_the_time_is_looked_at_with_the_tolerance_that_is_given() -> None:
    headers = webhooks.sign(BODY, SECRET, now=1_000)
    assert webhooks.verify(BODY, headers, SECRET, now=1_300).timestamp.timestamp() == 1_000
    for now in (699, 1_301):
        with pytest.raises(WebhookVerificationError, match="timestamp"):
            webhooks.verify(BODY, headers, SECRET, now=now)
        webhooks.verify(BODY, headers, SECRET, now=now, tolerance_seconds=302)
    far = webhooks.sign(BODY, SECRET, now=999_999_999_999)
    with pytest.raises(WebhookVerificationError, match="timestamp"):
        webhooks.verify(BODY, far, SECRET)


def test_whatever_a_stranger_sends_is_refused_and_nothing_else() -> None:
    good = webhooks.sign(BODY, SECRET, id="e1")
    for name in ("X-Service-Signature", "X-Service-Timestamp", "X-Service-Event-ID"):
        for wrong in ("", "é", "v1=\udcff", "٣" * 10, "1" * 40, " ,, ", "v1=" * 10_000):
            headers = {n: v for n, v in good.items() if n.startswith("X-")}
            with pytest.raises(WebhookVerificationError):
                webhooks.verify(BODY, {**headers, name: wrong}, "another")
    for wrong in ("é", "v1,\udcff", "v1,", " v1,"):
        headers = {n: v for n, v in good.items() if n.startswith("webhook")}
        with pytest.raises(WebhookVerificationError):
            webhooks.verify(BODY, {**headers, "webhook-signature": wrong}, SECRET)
    with pytest.raises(WebhookVerificationError, match="JSON"):
        webhooks.verify("no JSON", webhooks.sign("no JSON", SECRET), SECRET)


def test_it_needs_nothing_besides_python() -> None:
    """`-S`: no package is to be found, but the one that is put in the way."""
    script = """
import sys
from posthorn import webhooks
from posthorn.webhooks import sign, verify
assert webhooks.verify is verify
assert verify("{}", sign("{}", "s"), "s").payload == {}
assert "httpx" not in sys.modules and "posthorn._client" not in sys.modules
try:
    from posthorn import Posthorn
except ModuleNotFoundError as error:
    assert error.name == "httpx"
"""
    import posthorn

    path = str(Path(posthorn.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": path}
    subprocess.run([sys.executable, "-S", "-c", script], check=True, env=env)


def test_names_that_are_not_there_are_missed() -> None:
    import posthorn

    for name in posthorn.__all__:
        assert getattr(posthorn, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        posthorn.nothing  # noqa: B018
