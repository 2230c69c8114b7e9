"""Against a product that runs: what is sent by the SDK arrives, is verified, and is explained."""

from __future__ import annotations

import asyncio
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any, Callable

from posthorn import AsyncPosthorn, Posthorn, PosthornApiError, webhooks

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
WAIT_SECONDS = 30
arrived: Queue[tuple[bytes, Any]] = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        arrived.put((body, self.headers))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def refusal_of(call: Callable[[], object]) -> PosthornApiError:
    try:
        call()
    except PosthornApiError as error:
        return error
    raise AssertionError("it was not refused")


def use(posthorn: Posthorn, receiver_url: str) -> str:
    endpoint = posthorn.endpoints.create(
        {"url": receiver_url, "eventTypes": ["sdk.python"], "signingSecret": SECRET}
    )
    made = posthorn.events.create({"eventType": "sdk.python", "payload": {"name": "Zoë"}})
    body, headers = arrived.get(timeout=WAIT_SECONDS)
    event = webhooks.verify(body, headers, SECRET)
    assert (event.id, event.payload) == (made["id"], {"name": "Zoë"})
    explained = posthorn.events.explain(made["id"])["endpoints"]
    assert endpoint["id"] in [one["endpointId"] for one in explained]
    assert posthorn.events.get(made["id"])["payload"] == {"name": "Zoë"}

    # A key makes one event.
    keyed = posthorn.events.create(
        {"eventType": "sdk.python", "payload": {"n": 0}}, idempotency_key="sdk-python"
    )
    conflict = refusal_of(
        lambda: posthorn.events.create(
            {"eventType": "sdk.python", "payload": {"n": 0}}, idempotency_key="sdk-python"
        )
    )
    assert (conflict.code, conflict.details["eventId"]) == ("CONFLICT", keyed["id"])
    missing = refusal_of(lambda: posthorn.endpoints.get(made["id"]))
    assert (missing.status, missing.code) == (404, "NOT_FOUND")
    assert missing.request_id
    return endpoint["id"]


async def use_async(endpoint_id: str) -> None:
    async with AsyncPosthorn(
        api_key=os.environ["POSTHORN_API_KEY"], base_url=os.environ["POSTHORN_URL"]
    ) as posthorn:
        made = await asyncio.gather(
            *(
                posthorn.events.create({"eventType": "sdk.python", "payload": {"n": n}})
                for n in range(3)
            )
        )
        listed = [
            event["id"] async for event in posthorn.events.list(event_type="sdk.python", limit=2)
        ]
        assert len(listed) == 5
        assert {event["id"] for event in made} <= set(listed)
        paused = await posthorn.endpoints.pause(endpoint_id)
        assert paused["status"] == "paused"
        await posthorn.endpoints.delete(endpoint_id)


def main() -> None:
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    with Posthorn(
        api_key=os.environ["POSTHORN_API_KEY"], base_url=os.environ["POSTHORN_URL"]
    ) as posthorn:
        endpoint_id = use(posthorn, f"http://127.0.0.1:{server.server_address[1]}/")
    asyncio.run(use_async(endpoint_id))
    server.shutdown()
    print("used")


main()
