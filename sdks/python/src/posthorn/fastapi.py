"""Webhooks in FastAPI: a dependency that is the verified event, or answers 401."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Callable

from fastapi import HTTPException, Request

from .webhooks import TOLERANCE_SECONDS, WebhookEvent, WebhookVerificationError, verify


def webhook(
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    brand: str = "Service",
) -> Callable[[Request], Awaitable[WebhookEvent]]:
    async def verified(request: Request) -> WebhookEvent:
        try:
            return verify(
                await request.body(),
                request.headers,
                secrets,
                tolerance_seconds=tolerance_seconds,
                brand=brand,
            )
        except WebhookVerificationError as error:
            raise HTTPException(401, str(error)) from error

    return verified
