"""The clients of both kinds against a faulty server: each test that asks for `api` runs twice."""

from __future__ import annotations

import asyncio
import inspect
import ssl
from collections.abc import Iterator
from typing import Any, Callable

import httpx
import pytest
from faulty_server import FaultyServer

from posthorn import AsyncPosthorn, Posthorn

# Reading the certificates takes longer than most tests.
CONTEXT = ssl.create_default_context()


class Api:
    """Makes a call by a client of either kind, and waits for it."""

    def __init__(self, server: FaultyServer, kind: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._http_clients: list[Any] = []
        self._kind, self._server = kind, server
        self.client = self.connect()

    def connect(self, **options: Any) -> Any:
        given: Any = {"api_key": "ph_test_key", "base_url": f"{self._server.url}/", **options}
        if self._kind == "sync":
            self._http_clients.append(httpx.Client(verify=CONTEXT))
            return Posthorn(http_client=self._http_clients[-1], **given)
        self._http_clients.append(httpx.AsyncClient(verify=CONTEXT))
        return AsyncPosthorn(http_client=self._http_clients[-1], **given)

    def wait(self, result: Any) -> Any:
        return self._loop.run_until_complete(result) if inspect.isawaitable(result) else result

    def __call__(self, call: Callable[[Any], Any]) -> Any:
        return self.wait(call(self.client))

    def records(self, paginator: Any) -> list[Any]:
        if self._kind == "sync":
            return list(paginator)

        async def collect() -> list[Any]:
            return [record async for record in paginator]

        records: list[Any] = self.wait(collect())
        return records

    def close(self) -> None:
        for client in self._http_clients:
            if self._kind == "sync":
                client.close()
            else:
                self.wait(client.aclose())
        self._loop.close()


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    running = FaultyServer()
    yield running
    running.close()


@pytest.fixture(params=["sync", "async"])
def api(server: FaultyServer, request: pytest.FixtureRequest) -> Iterator[Api]:
    made = Api(server, request.param)
    yield made
    made.close()
