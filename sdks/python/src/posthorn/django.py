"""Webhooks in Django: a decorator whose view gets the verified event, or which answers 401."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import wraps
from typing import Any, Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from .webhooks import TOLERANCE_SECONDS, WebhookEvent, WebhookVerificationError, verify

# A view, plain or async.
View = Callable[..., Any]


def webhook(
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    brand: str = "Service",
) -> Callable[[View], View]:
    """Has the view called with the request and the event, and exempts it from the CSRF check."""

    def check(request: HttpRequest) -> WebhookEvent | HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        try:
            return verify(
                request.body,
                request.headers,
                secrets,
                tolerance_seconds=tolerance_seconds,
                brand=brand,
            )
        except WebhookVerificationError as error:
            return HttpResponse(str(error), status=401, content_type="text/plain")

    def decorate(view: View) -> View:
        @wraps(view)
        def receive(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            checked = check(request)
            return view(request, checked, *args, **kwargs) if _is_event(checked) else checked

        @wraps(view)
        async def receive_async(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            checked = check(request)
            return await view(request, checked, *args, **kwargs) if _is_event(checked) else checked

        received: Any = receive_async if inspect.iscoroutinefunction(view) else receive
        received.csrf_exempt = True
        return received  # type: ignore[no-any-return]

    return decorate


def _is_event(checked: object) -> bool:
    return isinstance(checked, WebhookEvent)
