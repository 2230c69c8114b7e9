"""Calls against a server that fails in every way that a network and an API can."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
from typing import Any

import httpx
import pytest
from conftest import Api
from faulty_server import Answer, FaultyServer, cut, reply, reset

from posthorn import (
    AsyncPosthorn,
    Posthorn,
    PosthornApiError,
    PosthornConnectionError,
    PosthornError,
    PosthornTimeoutError,
)

EVENT: Any = {"eventType": "order.paid", "payload": {"name": "Zoë"}}
MADE = {"id": "e1", "status": "queued"}
USED = reply(409, {"error": "used before", "code": "CONFLICT", "details": {"eventId": "e1"}})


def too_many(after: str) -> Answer:
    return reply(429, {"error": "too many", "code": "RATE_LIMITED"}, {"Retry-After": after})


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Back-off that takes no time; `test_attempts.py` shows how long it is."""
    monkeypatch.setattr("posthorn._request.FIRST_DELAY_SECONDS", 0.001)


def keys(server: FaultyServer) -> list[str]:
    return [request.headers.get("x-idempotency-key", "") for request in server.requests]


@pytest.mark.usefixtures("soon")
def test_an_event_keeps_one_key_until_it_is_accepted(server: FaultyServer, api: Api) -> None:
    server.answers += [reset, reply(500, {}), reply(503, {}), reply(201, MADE)]
    assert api(lambda client: client.events.create(EVENT)) == MADE
    assert len(server.requests) == 4
    assert len(set(keys(server))) == 1
    assert len(keys(server)[0]) == 36
    first = server.requests[0]
    assert (first.method, first.path) == ("POST", "/api/v1/events")
    assert {request.body for request in server.requests} == {
        '{"eventType":"order.paid","payload":{"name":"Zoë"}}'.encode()
    }
    assert first.headers["x-api-key"] == "ph_test_key"
    assert first.headers["content-type"] == "application/json"

    server.answers += [reply(201, MADE)]
    api(lambda client: client.events.create(EVENT))
    assert keys(server)[4] != keys(server)[0]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("lost", [reset, cut, reply(500, {}), reply(201, b"{cut")])
def test_an_event_whose_answer_was_lost_is_read(
    server: FaultyServer, api: Api, lost: Answer
) -> None:
    server.answers += [lost, USED, reply(200, MADE)]
    assert api(lambda client: client.events.create(EVENT)) == MADE
    read = server.requests[2]
    assert (read.method, read.path) == ("GET", "/api/v1/events/e1")
    assert "x-idempotency-key" not in read.headers


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("refusal", [None, reply(429, {}), reply(408, {})])
def test_a_key_that_another_call_used_is_a_conflict(
    server: FaultyServer, api: Api, refusal: Answer | None
) -> None:
    server.answers += [*([] if refusal is None else [refusal]), USED]
    with pytest.raises(PosthornApiError) as raised:
        api(lambda client: client.events.create(EVENT, idempotency_key="mine"))
    assert (raised.value.status, raised.value.code) == (409, "CONFLICT")
    assert raised.value.details == {"eventId": "e1"}
    assert set(keys(server)) == {"mine"}


def test_retry_after_is_waited_for(server: FaultyServer, api: Api) -> None:
    server.answers += [too_many("1"), reply(200, {"id": "c1"})]
    started_at = time.monotonic()
    assert api(lambda client: client.me.get()) == {"id": "c1"}
    assert time.monotonic() - started_at >= 0.99


def test_a_call_that_could_not_wait_so_long_ends_at_once(server: FaultyServer, api: Api) -> None:
    server.answers += [too_many("3600")]
    with pytest.raises(PosthornTimeoutError, match="60 s") as raised:
        api(lambda client: client.me.get())
    assert isinstance(raised.value.__cause__, PosthornApiError)
    assert len(server.requests) == 1


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("answer", [reset, reply(500, {}), reply(502, {}), reply(201, b"{cut")])
def test_a_change_that_may_have_been_made_is_not_made_again(
    server: FaultyServer, api: Api, answer: Answer
) -> None:
    server.answers += [answer, answer]
    endpoint: Any = {"url": "https://example.com/", "eventTypes": ["*"]}
    with pytest.raises(PosthornError):
        api(lambda client: client.endpoints.create(endpoint))
    with pytest.raises(PosthornError):
        api(lambda client: client.endpoints.update("e1", {"fifo": True}))
    assert [request.method for request in server.requests] == ["POST", "PATCH"]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("status", [408, 429, 503])
def test_a_refused_change_is_made_again(server: FaultyServer, api: Api, status: int) -> None:
    server.answers += [reply(status, {}), reply(201, {"id": "x"})]
    assert api(lambda client: client.endpoints.pause("e1")) == {"id": "x"}
    assert len(server.requests) == 2


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("answer", [reset, cut, reply(500, {}), reply(502, {}), reply(504, {})])
def test_what_is_harmless_is_repeated(server: FaultyServer, api: Api, answer: Answer) -> None:
    server.answers += [answer, reply(200, {"id": "t"}), answer, reply(200, {"id": "t"})]
    api(lambda client: client.event_types.get("t"))
    api(lambda client: client.event_types.update("t", {"description": None}))
    server.answers += [answer, reply(204)]
    assert api(lambda client: client.event_types.delete("t")) is None
    assert [request.method for request in server.requests] == [
        *("GET", "GET", "PUT", "PUT", "DELETE", "DELETE")
    ]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422])
def test_a_final_answer_is_not_asked_for_again(server: FaultyServer, api: Api, status: int) -> None:
    server.answers += [reply(status, {"error": "no", "code": "NO"})]
    with pytest.raises(PosthornApiError) as raised:
        api(lambda client: client.events.create(EVENT))
    assert (raised.value.status, raised.value.retryable) == (status, False)
    assert len(server.requests) == 1


@pytest.mark.usefixtures("soon")
def test_errors_say_what_happened(server: FaultyServer, api: Api) -> None:
    body = {"error": "url is missing", "code": "BAD_REQUEST", "details": [{"field": "url"}]}
    server.answers += [reply(400, body, {"X-Request-Id": "r1"})]
    with pytest.raises(PosthornApiError) as raised:
        api(lambda client: client.me.get())
    error = raised.value
    assert (str(error), error.status, error.code) == ("url is missing", 400, "BAD_REQUEST")
    assert (error.details, error.request_id) == ([{"field": "url"}], "r1")
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)

    server.answers += [reply(404, b"<html>no such page</html>"), reply(403, ["odd"])]
    for code in ("HTTP_404", "HTTP_403"):
        with pytest.raises(PosthornApiError) as raised:
            api(lambda client: client.me.get())
        assert (raised.value.code, raised.value.details) == (code, None)
        assert raised.value.request_id is None

    server.answers += [too_many("7")]
    with pytest.raises(PosthornApiError) as raised:
        api(lambda client: client.me.get(max_retries=0))
    assert (raised.value.retryable, raised.value.retry_after_seconds) == (True, 7)


@pytest.mark.usefixtures("soon")
def test_nothing_is_repeated_where_no_retries_are_left(server: FaultyServer, api: Api) -> None:
    server.answers += [reset]
    with pytest.raises(PosthornConnectionError) as raised:
        api(lambda client: client.me.get(max_retries=0))
    assert raised.value.retryable
    assert isinstance(raised.value.__cause__, httpx.TransportError)
    server.answers += [reset, reset]
    with pytest.raises(PosthornConnectionError):
        api(lambda client: client.me.get(max_retries=1))
    assert len(server.requests) == 3
    # Three retries without a word about it.
    with pytest.raises(PosthornApiError):
        api(lambda client: client.me.get())
    assert len(server.requests) == 7
    patient = api.connect(max_retries=5)
    with pytest.raises(PosthornApiError):
        api.wait(patient.me.get())
    assert len(server.requests) == 13


@pytest.mark.usefixtures("soon")
def test_nobody_answers_at_all(server: FaultyServer, api: Api) -> None:
    gone = FaultyServer()
    gone.close()
    client = api.connect(base_url=gone.url)
    with pytest.raises(PosthornConnectionError) as raised:
        api.wait(client.me.get())
    assert isinstance(raised.value.__cause__, httpx.ConnectError)


@pytest.mark.usefixtures("soon")
def test_a_redirection_is_not_followed(server: FaultyServer, api: Api) -> None:
    elsewhere = {"Location": f"{server.url}/elsewhere"}
    server.answers += [reply(307, None, elsewhere)]
    with pytest.raises(PosthornConnectionError, match="redirection"):
        api(lambda client: client.endpoints.pause("e1"))
    assert len(server.requests) == 1


STATUS = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "start", [None, b"", STATUS + b"X-Slow: ", STATUS + b"Content-Length: 9999\r\n\r\n"]
)
def test_a_call_ends_with_its_deadline(server: FaultyServer, api: Api, start: bytes | None) -> None:
    """Also where each read for itself is in time: in the head of the answer, and in its body."""
    server.answers += [
        reply(200, {}),
        *([server.never if start is None else server.byte_by_byte(start)] * 2),
    ]
    # The first opens the connection that the second uses again.
    api(lambda client: client.me.get())
    for timeout_seconds in (0.2, 0.3):
        started_at = time.monotonic()
        with pytest.raises(PosthornTimeoutError) as raised:
            api.wait(api.client.me.get(timeout_seconds=timeout_seconds))
        assert str(raised.value) == f"the call took longer than {timeout_seconds:g} s"
        assert raised.value.retryable
        # Far from the 60 seconds that it has by default.
        assert timeout_seconds <= time.monotonic() - started_at < 10
    assert [request.method for request in server.requests] == ["GET"] * 3


@pytest.mark.usefixtures("soon")
def test_all_attempts_share_the_deadline(server: FaultyServer, api: Api) -> None:
    server.answers += [reset, server.never]
    client = api.connect(timeout_seconds=0.3)
    with pytest.raises(PosthornTimeoutError):
        api.wait(client.events.create(EVENT))
    assert len(server.requests) == 2


def test_a_cancelled_call_ends_at_once(server: FaultyServer) -> None:
    async def cancel() -> None:
        async with AsyncPosthorn(api_key="k", base_url=server.url) as client:
            for answer in (server.never, too_many("30")):
                server.answers.append(answer)
                call = asyncio.ensure_future(client.me.get())
                assert await asyncio.to_thread(server.arrivals.acquire, timeout=30)
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call

    asyncio.run(cancel())
    assert len(server.requests) == 2


def test_a_call_that_is_cancelled_as_its_answer_comes_ends_at_once() -> None:
    requests: list[httpx.Request] = []

    async def cancel() -> None:
        async def answer(request: httpx.Request) -> httpx.Response:
            requests.append(request)
            asyncio.get_running_loop().call_soon(call.cancel)
            return httpx.Response(429, headers={"Retry-After": "30"})

        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
            client = AsyncPosthorn(api_key="k", base_url="https://example.com", http_client=http)
            call = asyncio.ensure_future(client.me.get())
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(call, 5)

    asyncio.run(cancel())
    assert len(requests) == 1


def page(ids: list[str], cursor: str | None) -> Answer:
    pagination = {"hasMore": cursor is not None, "cursor": cursor}
    return reply(200, {"data": [{"id": one} for one in ids], "pagination": pagination})


def test_a_list_goes_through_its_pages(server: FaultyServer, api: Api) -> None:
    server.answers += [page(["a", "b"], "c1"), page([], "c2"), page(["c"], None)]
    records = api.records(api.client.events.list(status="dead", from_="2026-01-01", limit=2))
    assert [record["id"] for record in records] == ["a", "b", "c"]
    asked = "/api/v1/events?limit=2&status=dead&from=2026-01-01"
    assert [sorted(request.path.split("&")) for request in server.requests] == [
        sorted(asked.split("&")),
        sorted([*asked.split("&"), "cursor=c1"]),
        sorted([*asked.split("&"), "cursor=c2"]),
    ]

    server.answers += [page(["a"], "c1"), page(["b"], None), page(["a", "b"], "c1")]
    first = api(lambda client: client.events.list().page())
    assert (first.data, first.has_more, first.cursor) == ([{"id": "a"}], True, "c1")
    second = api(lambda client: client.events.list().page(first.cursor))
    assert (second.data, second.has_more) == ([{"id": "b"}], False)
    with pytest.raises(ValueError, match="more than 1 records"):
        api(lambda client: client.events.list().to_list(1))
    server.answers += [page(["a", "b"], None)]
    assert len(api(lambda client: client.events.list().to_list(2))) == 2


def test_headers_and_paths_carry_any_text(server: FaultyServer, api: Api) -> None:
    server.answers += [reply(200, {}), reply(200, {}), reply(200, {})]
    options: Any = {"sub_account_id": "Zoë", "project_id": "p1"}
    api(lambda client: client.event_types.get_by_name("a/b c", **options))
    request = server.requests[0]
    assert request.path == "/api/v1/event-types/by-name/a%2Fb%20c"
    assert request.headers["x-project-id"] == "p1"
    # Python's server reads each byte as one character.
    assert request.headers["x-sub-account-id"].encode("latin-1").decode() == "Zoë"
    for wrong in ("", ".", ".."):
        with pytest.raises(ValueError, match="path"):
            api.wait(api.client.endpoints.delete(wrong))
    assert len(server.requests) == 1

    api(lambda client: client.endpoints.rotate_secret("e1", project_id=None))
    assert json.loads(server.requests[1].body) == {}
    assert "x-project-id" not in server.requests[1].headers
    api(lambda client: client.endpoints.get_version("e1", 7))
    assert server.requests[2].path == "/api/v1/endpoints/e1/versions/7"


def test_calls_share_connections(server: FaultyServer, api: Api) -> None:
    server.answers += [reply(200, {}), reply(404, {}), reply(200, {})]
    api(lambda client: client.me.get())
    with pytest.raises(PosthornApiError):
        api(lambda client: client.me.get())
    api(lambda client: client.me.get())
    assert server.connections == 1


def test_options_are_checked(server: FaultyServer, api: Api) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"api_key": ""}, "api_key"),
        ({"api_key": None}, "api_key"),
        ({"base_url": "hooks.example.com"}, "base_url"),
        ({"base_url": "https://"}, "base_url"),
        ({"base_url": None}, "base_url"),
        ({"max_retries": -1}, "max_retries"),
        ({"max_retries": 1.5}, "max_retries"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"timeout_seconds": float("nan")}, "timeout_seconds"),
        ({"timeout_seconds": float("inf")}, "timeout_seconds"),
    ]
    for wrong, name in cases:
        with pytest.raises(ValueError, match=name):
            api.connect(**wrong)
    with pytest.raises(ValueError, match="timeout_seconds"):
        api(lambda client: client.me.get(timeout_seconds=-1))
    with pytest.raises(TypeError, match="there is no option timeout"):
        api(lambda client: client.me.get(timeout=1))
    with pytest.raises(ValueError, match="not JSON compliant"):
        api(lambda client: client.events.create({"payload": {"n": float("nan")}}))
    assert server.requests == []


def test_a_client_of_the_callers_own_stays_open(server: FaultyServer) -> None:
    server.answers += [reply(200, {}), reply(200, {}), reply(200, {})]
    own = httpx.Client(headers={"X-Own": "1"})
    with Posthorn(api_key="k", base_url=server.url, http_client=own) as client:
        client.me.get()
    assert server.requests[0].headers["x-own"] == "1"
    assert own.get(server.url).status_code == 200
    own.close()
    with Posthorn(api_key="k", base_url=server.url) as client:
        client.me.get()
    with pytest.raises(RuntimeError, match="closed"):
        client.me.get()

    async def closed() -> None:
        theirs = httpx.AsyncClient()
        async with AsyncPosthorn(api_key="k", base_url=server.url, http_client=theirs):
            pass
        assert not theirs.is_closed
        await theirs.aclose()

    asyncio.run(closed())
