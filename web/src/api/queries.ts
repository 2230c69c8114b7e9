/** How answers of the API are kept and asked for again. */
import {
  hashKey,
  keepPreviousData,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { isFailure } from './client.ts'
import { type Page, readPage } from './read-page.ts'

const FRESH_MS = 5_000
const MAX_RETRIES = 2

interface QueriesOptions {
  /** Is told of every answer that failed, such as one of a session that is over. */
  onRefused?: (error: unknown) => void
  /** What every question is asked of: answers of one place are not those of another. */
  placeOf?: () => string
}

export function createQueries({
  onRefused = () => {},
  placeOf = () => '',
}: QueriesOptions): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: onRefused }),
    defaultOptions: {
      queries: {
        queryKeyHashFn: (key) => placeOf() + hashKey(key),
        staleTime: FRESH_MS,
        // What was refused is refused again; what was not reached may be back.
        retry: (failures, error) =>
          failures < MAX_RETRIES && isFailure(error) && (error.status === 0 || error.status >= 500),
      },
    },
  })
}

/** The pages of a list as one list of rows. */
export function usePages<Row>(
  queryKey: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  refetchInterval?: number,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) =>
      await readPage((cursor) => load(cursor, signal), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) =>
      pagination.hasMore ? (pagination.cursor ?? undefined) : undefined,
    placeholderData: keepPreviousData,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  })
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return {
    ...query,
    rows: data?.pages.flatMap((page) => page.data) ?? [],
    onEnd: hasNextPage ? () => void fetchNextPage() : undefined,
    isBusy: isFetchingNextPage,
  }
}
