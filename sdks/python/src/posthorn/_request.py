"""One call of the API: attempts with back-off until it is answered, all within one deadline.

A call that makes an event keeps one idempotency key over its attempts, so that it makes one event.
What is decided here is the same for both clients: it yields what is to be done next, and gets what
came of it.
"""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Awaitable, Generator, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from math import inf
from typing import Any, Callable, NamedTuple, Optional, TypedDict, Union
from urllib.parse import quote, urlencode, urlsplit

from .errors import (
    PosthornApiError,
    PosthornConnectionError,
    PosthornTimeoutError,
    is_retryable_status,
)


class RequestOptions(TypedDict, total=False):
    """Options of each call."""

    # Narrows the call to a project.
    project_id: str
    # Acts in a sub-account: its id or its external id.
    sub_account_id: str
    # Goes with calls that make an event; made here where it is not given.
    idempotency_key: str
    # For all attempts together. Default: the client's.
    timeout_seconds: float
    # Attempts after the first. Default: the client's.
    max_retries: int


OPTIONS = frozenset(RequestOptions.__annotations__)


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    # None: the call has no body.
    body: Any = None
    # It takes an idempotency key.
    has_key: bool = False

    def with_query(self, **more: str | None) -> Call:
        return replace(self, query={**self.query, **more})


Request = Callable[[Call, RequestOptions], Any]
AsyncRequest = Callable[[Call, RequestOptions], Awaitable[Any]]


@dataclass(frozen=True)
class Config:
    base_url: str
    api_key: str
    timeout_seconds: float
    max_retries: int

    def __post_init__(self) -> None:
        """Raises an error that names the option at fault."""
        if not isinstance(self.api_key, str) or self.api_key == "":
            raise ValueError("api_key is missing")
        url = urlsplit(self.base_url if isinstance(self.base_url, str) else "")
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError("base_url must be an http(s) URL")
        if not isinstance(self.timeout_seconds, (int, float)) or not 0 < self.timeout_seconds < inf:
            raise ValueError("timeout_seconds must be a number above 0")
        if not isinstance(self.max_retries, int) or self.max_retries < 0:
            raise ValueError("max_retries must be a whole number from 0 on")


class Send(NamedTuple):
    """A request to be sent, and when its call ends."""

    method: str
    url: str
    headers: list[tuple[bytes, bytes]]
    content: bytes | None
    # By the monotonic clock.
    ends_at: float
    timeout_seconds: float


class Reply(NamedTuple):
    status: int
    # By their names in lower case.
    headers: Mapping[str, str]
    content: bytes


class Answer(NamedTuple):
    value: Any


# What came of a `Send`; a pause, in seconds, has no result.
Sent = Union[Reply, PosthornConnectionError]
Steps = Generator[Union[Send, float], Optional[Sent], Any]

FIRST_DELAY_SECONDS = 0.25
MAX_DELAY_SECONDS = 8.0
# Sent again without harm. `POST` is not, unless its idempotency key makes it so.
IDEMPOTENT = ("GET", "PUT", "DELETE")
# A key would go wherever they lead.
REDIRECTIONS = (301, 302, 303, 307, 308)


def attempts(config: Config, call: Call, options: RequestOptions) -> Steps:
    settings = _settings_of_call(config, options)
    request = _to_send(settings, call, options, time.monotonic() + settings.timeout_seconds)
    is_uncertain = False
    attempt = 0
    while True:
        outcome = _read((yield request))
        if isinstance(outcome, Answer):
            return outcome.value
        made = _event_of_key(outcome) if is_uncertain and call.has_key else None
        if made is not None:
            # An earlier attempt made the event, and its answer was lost.
            reading = Call("GET", f"{call.path}/{segment(made)}")
            outcome = _read((yield _to_send(settings, reading, options, request.ends_at)))
            if isinstance(outcome, Answer):
                return outcome.value
            raise outcome
        if attempt >= settings.max_retries or not _may_repeat(call, outcome):
            raise outcome
        is_uncertain = is_uncertain or not _is_refusal(outcome)
        delay_seconds = _delay_seconds(attempt, outcome)
        # It could not be answered in time after such a wait.
        if time.monotonic() + delay_seconds >= request.ends_at:
            raise late(request) from outcome
        yield delay_seconds
        attempt += 1


def _settings_of_call(config: Config, options: RequestOptions) -> Config:
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise TypeError(f"there is no option {unknown[0]}")
    timeout_seconds, max_retries = options.get("timeout_seconds"), options.get("max_retries")
    return replace(
        config,
        timeout_seconds=config.timeout_seconds if timeout_seconds is None else timeout_seconds,
        max_retries=config.max_retries if max_retries is None else max_retries,
    )


def late(send: Send) -> PosthornTimeoutError:
    return PosthornTimeoutError(f"the call took longer than {send.timeout_seconds:g} s")


def segment(value: str | int) -> str:
    """A part of a path. An empty one, or dots, would lead to another route."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} cannot be in a path")
    return quote(text, safe="")


Failure = Union[PosthornApiError, PosthornConnectionError]


def _is_refusal(error: Failure) -> bool:
    """The API answered, and did nothing."""
    return isinstance(error, PosthornApiError) and error.status < 500


def _may_repeat(call: Call, error: Failure) -> bool:
    """A refusal (429, or 503 before anything was done) may always be repeated."""
    if isinstance(error, PosthornApiError):
        if not is_retryable_status(error.status):
            return False
        if error.status in (408, 429, 503):
            return True
    return call.has_key or call.method in IDEMPOTENT


def _delay_seconds(attempt: int, error: Failure) -> float:
    # Beyond some attempts the power is far over the maximum.
    back_off = min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** min(attempt, 16))
    asked = error.retry_after_seconds if isinstance(error, PosthornApiError) else None
    return max(asked or 0.0, back_off * (0.5 + random.random() / 2))


def _to_send(settings: Config, call: Call, options: RequestOptions, ends_at: float) -> Send:
    headers = {"Accept": "application/json", "X-API-Key": settings.api_key}
    if options.get("project_id") is not None:
        headers["X-Project-ID"] = options["project_id"]
    if options.get("sub_account_id") is not None:
        headers["X-Sub-Account-ID"] = options["sub_account_id"]
    if call.has_key:
        headers["X-Idempotency-Key"] = options.get("idempotency_key") or str(uuid.uuid4())
    content = None
    if call.body is not None:
        headers["Content-Type"] = "application/json"
        content = json.dumps(
            call.body, ensure_ascii=False, separators=(",", ":"), allow_nan=False
        ).encode()
    query = {name: _text(value) for name, value in call.query.items() if value is not None}
    url = settings.base_url.rstrip("/") + call.path + (f"?{urlencode(query)}" if query else "")
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Send(call.method, url, sent, content, ends_at, settings.timeout_seconds)


def _text(value: str | int | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(sent: Sent | None) -> Answer | Failure:
    if not isinstance(sent, Reply):
        assert sent is not None
        return sent
    if sent.status in REDIRECTIONS:
        return PosthornConnectionError(f"the API answered with a redirection ({sent.status})")
    if 200 <= sent.status < 300:
        try:
            return Answer(json.loads(sent.content) if sent.content else None)
        except ValueError as error:
            unreadable = PosthornConnectionError("the API's answer is not JSON")
            unreadable.__cause__ = error
            return unreadable
    return _to_api_error(sent)


def _to_api_error(reply: Reply) -> PosthornApiError:
    try:
        parsed = json.loads(reply.content)
    except ValueError:
        # A proxy answered in the API's place.
        parsed = None
    body = parsed if isinstance(parsed, dict) else {}
    message, code = body.get("error"), body.get("code")
    return PosthornApiError(
        message if isinstance(message, str) else f"the API answered {reply.status}",
        reply.status,
        code if isinstance(code, str) else f"HTTP_{reply.status}",
        body.get("details"),
        reply.headers.get("x-request-id"),
        _read_retry_after(reply.headers.get("retry-after")),
    )


def _read_retry_after(text: str | None) -> float | None:
    """Seconds, or a date."""
    if text is None:
        return None
    if re.fullmatch("[0-9]+", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _event_of_key(error: Failure) -> str | None:
    if not isinstance(error, PosthornApiError) or error.code != "CONFLICT":
        return None
    event_id = error.details.get("eventId") if isinstance(error.details, dict) else None
    return event_id if isinstance(event_id, str) else None
