"""The clients: all resources of the API, with one key."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import httpx

from ._request import Call, Config, Reply, RequestOptions, Send, Sent, attempts, late
from ._resources import AsyncResources, Resources
from .errors import PosthornConnectionError

if TYPE_CHECKING:
    from collections.abc import Mapping

# A long poll needs as much.
TIMEOUT_SECONDS = 60.0
MAX_RETRIES = 3


class Posthorn(Resources):
    """Calls of the API that wait for their answers. Threads may share one client."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Raises an error that names the option at fault.

        base_url: the installation's URL, as `https://hooks.example.com`
        timeout_seconds: for all attempts of a call together
        max_retries: attempts after the first
        http_client: one of your own, as for a proxy; you close it
        """
        self._config = Config(base_url, api_key, timeout_seconds, max_retries)
        self._is_owner = http_client is None
        self._http = httpx.Client() if http_client is None else http_client
        super().__init__(self._run)

    def close(self) -> None:
        if self._is_owner:
            self._http.close()

    def __enter__(self) -> Posthorn:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, call: Call, options: RequestOptions) -> Any:
        steps = attempts(self._config, call, options)
        result: Sent | None = None
        while True:
            try:
                step = steps.send(result)
            except StopIteration as end:
                return end.value
            if isinstance(step, Send):
                result = self._send(step)
            else:
                time.sleep(step)
                result = None

    def _send(self, send: Send) -> Sent:
        left = send.ends_at - time.monotonic()
        if left <= 0:
            raise late(send)
        _call.ends_at = send.ends_at
        try:
            with self._http.stream(
                send.method,
                send.url,
                headers=send.headers,
                content=send.content,
                timeout=left,
                follow_redirects=False,
                extensions={"trace": _bound_stream},
            ) as response:
                return Reply(response.status_code, response.headers, response.read())
        except httpx.RequestError as error:
            if isinstance(error, httpx.TimeoutException) or time.monotonic() >= send.ends_at:
                raise late(send) from error
            return _no_answer(error)
        finally:
            _call.ends_at = None


class AsyncPosthorn(AsyncResources):
    """Calls of the API that are awaited, under asyncio. A cancelled call ends at once."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """As that of `Posthorn`."""
        self._config = Config(base_url, api_key, timeout_seconds, max_retries)
        self._is_owner = http_client is None
        self._http = httpx.AsyncClient() if http_client is None else http_client
        super().__init__(self._run)

    async def aclose(self) -> None:
        if self._is_owner:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncPosthorn:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _run(self, call: Call, options: RequestOptions) -> Any:
        steps = attempts(self._config, call, options)
        result: Sent | None = None
        while True:
            try:
                step = steps.send(result)
            except StopIteration as end:
                return end.value
            if isinstance(step, Send):
                result = await self._send(step)
            else:
                await asyncio.sleep(step)
                result = None

    async def _send(self, send: Send) -> Sent:
        exchange = asyncio.ensure_future(self._exchange(send))
        # Before Python 3.12 `wait_for` ignores that a call is cancelled as its answer comes.
        try:
            await asyncio.wait([exchange], timeout=max(0, send.ends_at - time.monotonic()))
        finally:
            if not exchange.done():
                exchange.cancel()
                await asyncio.wait([exchange])
        if exchange.cancelled():
            raise late(send)
        return exchange.result()

    async def _exchange(self, send: Send) -> Sent:
        try:
            # The deadline ends whatever it does: httpx's own timeouts have no say.
            response = await self._http.request(
                send.method,
                send.url,
                headers=send.headers,
                content=send.content,
                timeout=None,
                follow_redirects=False,
            )
        except httpx.RequestError as error:
            return _no_answer(error)
        return Reply(response.status_code, response.headers, response.content)


def _no_answer(error: httpx.RequestError) -> PosthornConnectionError:
    unanswered = PosthornConnectionError("the API did not answer")
    unanswered.__cause__ = error
    return unanswered


class _CallOfThread(threading.local):
    ends_at: float | None = None


_call = _CallOfThread()


def _bound_stream(event: str, info: Mapping[str, Any]) -> None:
    """Has each read and write of a new connection end with the call that it is for.

    httpx begins a timeout anew with each of them: a server that sends a byte now and then would
    never be given up.
    """
    if not event.endswith((".connect_tcp.complete", ".start_tls.complete")):
        return
    stream = info["return_value"]
    for name in ("read", "write"):
        setattr(stream, name, _bounded(getattr(stream, name)))


def _bounded(exchange: Any) -> Any:
    def bounded(data: Any, timeout: float | None = None) -> Any:
        if _call.ends_at is not None:
            timeout = max(0.001, _call.ends_at - time.monotonic())
        return exchange(data, timeout)

    return bounded
