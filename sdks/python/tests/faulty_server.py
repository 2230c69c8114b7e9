"""A server on this machine that fails in every way that a network and an API can."""

from __future__ import annotations

import json
import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, NamedTuple


class Request(NamedTuple):
    method: str
    path: str
    # By their names in lower case.
    headers: dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler], None]


class FaultyServer:
    """Gives one of `answers` to each request, and keeps the requests."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[Request] = []
        self.connections = 0
        # One for each request that has come.
        self.arrivals = threading.Semaphore(0)
        self.closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # An answer is several writes, which the client would acknowledge 40 ms late.
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                outer.connections += 1

            def handle_any(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                outer.requests.append(Request(self.command, self.path, headers, body))
                outer.arrivals.release()
                answer = outer.answers.pop(0) if outer.answers else reply(500, {"code": "TEST"})
                answer(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that has left is what some tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def never(self, handler: BaseHTTPRequestHandler) -> None:
        """Holds the connection, and answers nothing."""
        self.closing.wait()
        handler.close_connection = True

    def byte_by_byte(self, text: bytes) -> Answer:
        """Sends these bytes first, and one more now and then: each single read is in time."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(text)
            while not self.closing.wait(0.02):
                handler.wfile.write(b"x")

        return answer


def reply(status: int, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        if isinstance(body, bytes):
            content = body
        else:
            content = b"" if body is None else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        if status != 204:
            handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content if status != 204 else b"")

    return answer


def reset(handler: BaseHTTPRequestHandler) -> None:
    """Ends the connection without an answer."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()
    handler.close_connection = True


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Ends the connection in the midst of its answer."""
    handler.wfile.write(b'HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"id"')
    handler.wfile.flush()
    reset(handler)
