"""Verifies the webhooks that Posthorn sends. Use the raw body, before anything parsed it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, NamedTuple, Union

from .errors import WebhookVerificationError

__all__ = ["WebhookEvent", "WebhookVerificationError", "sign", "verify"]

# A mapping as any framework has it, or pairs; names in any case, texts or bytes.
Headers = Union[Mapping[str, Any], Iterable[tuple[Any, Any]]]

TOLERANCE_SECONDS = 300
# A rotation has two.
MAX_SIGNATURES = 10


@dataclass(frozen=True)
class WebhookEvent:
    id: str
    """The event's id; a repeated delivery has the same."""
    timestamp: datetime
    """When it was sent."""
    trace_id: str | None
    """Joins the delivery to the request that made the event."""
    payload: Any


def verify(
    raw_body: bytes | str,
    headers: Headers,
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    brand: str = "Service",
    now: float | None = None,
) -> WebhookEvent:
    """Raises a WebhookVerificationError where the signature, or the time, does not hold.

    raw_body: the bytes, or the text, as they came
    secrets: the signing secret, or several while one is being rotated
    tolerance_seconds: how far the timestamp may be from now
    brand: the word in the headers' names, which is the installation's `BRAND`
    now: seconds since 1970; the system's clock where it is not given
    """
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not keys:
        raise ValueError("verify needs a signing secret")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    prefix = f"x-{brand.lower()}"
    given = _by_lower_case(headers)
    schemes = list(_schemes(given, prefix))
    if not schemes:
        raise WebhookVerificationError(f"the headers {prefix}-signature and others are missing")
    # While a secret is being rotated only the standard's header has the former's signature too.
    for scheme in schemes:
        if not _matches(scheme, body, keys):
            continue
        sent_at = int(scheme.sent_at)
        if abs((time.time() if now is None else now) - sent_at) > tolerance_seconds:
            raise WebhookVerificationError("the timestamp is too old, or lies in the future")
        timestamp = datetime.fromtimestamp(sent_at, timezone.utc)
        return WebhookEvent(scheme.id, timestamp, given.get(f"{prefix}-trace-id"), _parse(body))
    raise WebhookVerificationError("no signature matches")


def sign(
    body: bytes | str,
    secret: str,
    *,
    id: str | None = None,  # noqa: A002
    brand: str = "Service",
    now: float | None = None,
) -> dict[str, str]:
    """The headers that a delivery with this body carries, for tests of receivers."""
    raw = body.encode() if isinstance(body, str) else body
    event_id = id or str(uuid.uuid4())
    sent_at = str(int(time.time() if now is None else now))
    standard = _standard_signature(secret, event_id, sent_at, raw)
    return {
        "Content-Type": "application/json",
        f"X-{brand}-Event-ID": event_id,
        f"X-{brand}-Timestamp": sent_at,
        f"X-{brand}-Signature": _service_signature(secret, event_id, sent_at, raw),
        "webhook-id": event_id,
        "webhook-timestamp": sent_at,
        **({} if standard is None else {"webhook-signature": standard}),
    }


class _Scheme(NamedTuple):
    id: str
    sent_at: str
    given: list[str]
    # None: the scheme has no use for such a secret.
    sign: Callable[[str, str, str, bytes], str | None]


def _schemes(headers: Mapping[str, str], prefix: str) -> Iterator[_Scheme]:
    for head, id_name, between, signature_of in (
        (prefix, "event-id", r"[\s,]+", _service_signature),
        ("webhook", "id", r"\s+", _standard_signature),
    ):
        names = (id_name, "timestamp", "signature")
        event_id, sent_at, signature = (headers.get(f"{head}-{name}", "") for name in names)
        if event_id and re.fullmatch("[0-9]{1,12}", sent_at) and signature:
            given = re.split(between, signature)[:MAX_SIGNATURES]
            yield _Scheme(event_id, sent_at, given, signature_of)


def _matches(scheme: _Scheme, body: bytes, secrets: Sequence[str]) -> bool:
    found = False
    for secret in secrets:
        expected = scheme.sign(secret, scheme.id, scheme.sent_at, body)
        if expected is None:
            continue
        for one in scheme.given:
            # Takes as long wherever they differ; as bytes, since a stranger's header may be any.
            same = hmac.compare_digest(one.encode("utf-8", "replace"), expected.encode())
            found = same or found
    return found


def _service_signature(secret: str, _event_id: str, sent_at: str, body: bytes) -> str:
    signed = hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256)
    return f"v1={signed.hexdigest()}"


def _standard_signature(secret: str, event_id: str, sent_at: str, body: bytes) -> str | None:
    """None: the secret is not `whsec_` and base64."""
    text = re.fullmatch("whsec_([A-Za-z0-9+/]+)={0,2}", secret)
    if text is None or len(text[1]) % 4 == 1:
        return None
    key = base64.b64decode(text[1] + "=" * (-len(text[1]) % 4))
    head = f"{event_id}.{sent_at}.".encode("utf-8", "replace")
    signed = hmac.new(key, head + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8-sig", "replace"))
    except ValueError as error:
        raise WebhookVerificationError("the body is not JSON") from error


def _by_lower_case(headers: Headers) -> dict[str, str]:
    """Of a name that comes twice, the first."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    found: dict[str, str] = {}
    for name, value in pairs:
        first = value[0] if isinstance(value, (list, tuple)) and value else value
        if isinstance(first, (str, bytes)):
            found.setdefault(_text(name).lower(), _text(first))
    return found


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
