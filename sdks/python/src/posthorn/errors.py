"""What calls raise: one class for what the API answered, others for when it did not answer."""

from __future__ import annotations

from typing import Any


class PosthornError(Exception):
    """The base of all errors of this package."""

    retryable = False
    """The same call may succeed later."""


class PosthornApiError(PosthornError):
    """The API answered with an error. `code` is the API's word for it, as `NOT_FOUND`."""

    def __init__(
        self,
        message: str,
        status: int,
        code: str,
        details: Any = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        # All of them are in `args`, from which an error is made again after it was pickled.
        super().__init__(message, status, code, details, request_id, retry_after_seconds)
        self.status = status
        self.code = code
        self.details = details
        """What the API says besides: the fields at fault, or how much of a quota is used."""
        self.request_id = request_id
        """Names the request in the logs of the installation."""
        self.retry_after_seconds = retry_after_seconds
        self.retryable = is_retryable_status(status)

    def __str__(self) -> str:
        return str(self.args[0])


class PosthornConnectionError(PosthornError):
    """No answer came: `__cause__` tells why."""

    retryable = True


class PosthornTimeoutError(PosthornError):
    """The call took longer than its `timeout_seconds`, all attempts together."""

    retryable = True


class WebhookVerificationError(PosthornError):
    """A webhook is not what it claims to be."""


def is_retryable_status(status: int) -> bool:
    return status in (408, 429) or status >= 500
