"""How long a call waits between its attempts; no time passes here."""

from __future__ import annotations

from email.utils import formatdate
from types import SimpleNamespace
from typing import Any

import pytest

from posthorn import PosthornApiError, PosthornTimeoutError
from posthorn._request import Call, Config, Reply, Send, attempts

CONFIG = Config("https://hooks.example.com", "k", 60.0, 20)
NOW = 1_767_225_600.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    still = SimpleNamespace(time=lambda: NOW, monotonic=lambda: 0.0)
    monkeypatch.setattr("posthorn._request.time", still)


def set_chance(monkeypatch: pytest.MonkeyPatch, by_chance: float) -> None:
    monkeypatch.setattr("posthorn._request.random", SimpleNamespace(random=lambda: by_chance))


def pauses(headers: dict[str, str], count: int) -> list[float]:
    steps = attempts(CONFIG, Call("GET", "/api/v1/me"), {})
    found = []
    assert isinstance(next(steps), Send)
    for _ in range(count):
        pause = steps.send(Reply(429, headers, b""))
        assert isinstance(pause, float)
        found.append(pause)
        assert isinstance(steps.send(None), Send)
    steps.close()
    return found


@pytest.mark.parametrize(("by_chance", "share"), [(0.0, 0.5), (1.0, 1.0)])
def test_back_off_doubles_up_to_its_maximum(
    monkeypatch: pytest.MonkeyPatch, by_chance: float, share: float
) -> None:
    set_chance(monkeypatch, by_chance)
    expected = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert pauses({}, 8) == [delay * share for delay in expected]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.125),
        (formatdate(NOW + 9, usegmt=True), 9.0),
        (formatdate(NOW - 9, usegmt=True), 0.125),
        ("-5", 0.125),
        ("soon", 0.125),
        ("1.5", 0.125),
        ("٣", 0.125),
        ("Fri, 99 Nov 2026 08:49:37 GMT", 0.125),
    ],
)
def test_retry_after_is_seconds_or_a_date(
    monkeypatch: pytest.MonkeyPatch, text: str, seconds: float
) -> None:
    set_chance(monkeypatch, 0.0)
    assert pauses({"retry-after": text}, 1) == [seconds]


@pytest.mark.parametrize("text", ["61", "9" * 400, formatdate(NOW + 61, usegmt=True)])
def test_what_is_beyond_the_deadline_is_not_waited_for(text: str) -> None:
    steps = attempts(CONFIG, Call("GET", "/api/v1/me"), {})
    next(steps)
    with pytest.raises(PosthornTimeoutError) as raised:
        steps.send(Reply(429, {"retry-after": text}, b""))
    assert isinstance(raised.value.__cause__, PosthornApiError)


def test_a_query_has_what_is_given() -> None:
    query: dict[str, Any] = {"a": True, "b": None, "c": 1, "d": "x y&z"}
    step = next(attempts(CONFIG, Call("GET", "/p", query=query), {}))
    assert isinstance(step, Send)
    assert step.url == "https://hooks.example.com/p?a=true&c=1&d=x+y%26z"
