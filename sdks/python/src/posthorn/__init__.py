"""Posthorn's API for Python.

The clients are imported when they are first used: `posthorn.webhooks` needs nothing besides Python.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    PosthornApiError,
    PosthornConnectionError,
    PosthornError,
    PosthornTimeoutError,
    WebhookVerificationError,
)

if TYPE_CHECKING:
    from . import types, webhooks
    from ._client import AsyncPosthorn, Posthorn
    from ._paging import AsyncPaginator, Page, Paginator
    from ._request import RequestOptions
    from .webhooks import WebhookEvent

__all__ = [
    "AsyncPaginator",
    "AsyncPosthorn",
    "Page",
    "Paginator",
    "Posthorn",
    "PosthornApiError",
    "PosthornConnectionError",
    "PosthornError",
    "PosthornTimeoutError",
    "RequestOptions",
    "WebhookEvent",
    "WebhookVerificationError",
    "types",
    "webhooks",
]

_LAZY = {
    "_client": ("AsyncPosthorn", "Posthorn"),
    "_paging": ("AsyncPaginator", "Page", "Paginator"),
    "_request": ("RequestOptions",),
    "webhooks": ("WebhookEvent",),
}


def __getattr__(name: str) -> Any:
    if name in ("types", "webhooks"):
        return import_module(f".{name}", __name__)
    for module, names in _LAZY.items():
        if name in names:
            globals()[name] = value = getattr(import_module(f".{module}", __name__), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
