"""Lists that are read page by page: iterating goes through all records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._request import Call, RequestOptions

Item = TypeVar("Item")

# `to_list` ends with an error beyond it, so that no memory is filled by accident.
MAX_RECORDS = 10_000


@dataclass(frozen=True)
class Page(Generic[Item]):
    data: list[Item]
    has_more: bool
    # Leads to the next page.
    cursor: str | None

    @property
    def next_cursor(self) -> str | None:
        return self.cursor if self.has_more else None


class _Pages(Generic[Item]):
    def __init__(self, request: Any, call: Call, options: RequestOptions) -> None:
        self._request, self._call, self._options = request, call, options

    def _read(self, cursor: str | None) -> Any:
        call = self._call if cursor is None else self._call.with_query(cursor=cursor)
        return self._request(call, self._options)


class Paginator(_Pages[Item]):
    """A list: `for` goes through its records."""

    def page(self, cursor: str | None = None) -> Page[Item]:
        """One page: the first, or the one that a cursor leads to."""
        return _to_page(self._read(cursor))

    def __iter__(self) -> Iterator[Item]:
        page = self.page()
        yield from page.data
        while page.next_cursor is not None:
            page = self.page(page.next_cursor)
            yield from page.data

    def to_list(self, max_records: int = MAX_RECORDS) -> list[Item]:
        records: list[Item] = []
        for record in self:
            _add(records, record, max_records)
        return records


class AsyncPaginator(_Pages[Item]):
    """A list: `async for` goes through its records."""

    async def page(self, cursor: str | None = None) -> Page[Item]:
        """One page: the first, or the one that a cursor leads to."""
        return _to_page(await self._read(cursor))

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = await self.page()
        for record in page.data:
            yield record
        while page.next_cursor is not None:
            page = await self.page(page.next_cursor)
            for record in page.data:
                yield record

    async def to_list(self, max_records: int = MAX_RECORDS) -> list[Item]:
        records: list[Item] = []
        async for record in self:
            _add(records, record, max_records)
        return records


def _to_page(answer: Any) -> Page[Any]:
    pagination = answer["pagination"]
    return Page(answer["data"], pagination["hasMore"], pagination["cursor"])


def _add(records: list[Item], record: Item, max_records: int) -> None:
    if len(records) >= max_records:
        raise ValueError(f"the list has more than {max_records} records")
    records.append(record)
