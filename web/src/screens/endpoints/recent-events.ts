/** The last events of the types that an endpoint subscribes to, for trying its settings out. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { matchesAny } from '@posthorn/domain/match-type'
import { answerOf, api, type Schemas } from '../../api/client.ts'

export type RecentEvent = Schemas['EventListItem']

const LOOKED_THROUGH = 100
const SHOWN = 20

export function useRecentEvents({ eventTypes }: Pick<Schemas['Endpoint'], 'eventTypes'>) {
  return useQuery({
    queryKey: ['events', 'recent', eventTypes.join()],
    queryFn: async ({ signal }) => {
      const query = { limit: LOOKED_THROUGH }
      const page = await answerOf(api.GET('/api/v1/events', { params: { query }, signal }))
      return page.data
        .filter(({ eventType }) => eventType !== null && matchesAny(eventTypes, eventType))
        .slice(0, SHOWN)
    },
  })
}

/** @param id null: none is wanted */
export function usePayload(id: string | null) {
  return useQuery({ ...payloadOf(id ?? ''), enabled: id !== null })
}

/** By the events' ids; what could not be read is left out. */
export function usePayloads(events: readonly RecentEvent[]): ReadonlyMap<string, unknown> {
  return useQueries({ queries: events.map(({ id }) => payloadOf(id)), combine: byId })
}

/** One function for all renders: its answer then stays the same while the payloads do. */
function byId(
  answers: readonly { data: Schemas['EventDetail'] | undefined }[],
): ReadonlyMap<string, unknown> {
  const known = answers.flatMap(({ data }) => (data === undefined ? [] : [data]))
  return new Map(known.map(({ id, payload }) => [id, payload]))
}

function payloadOf(id: string) {
  return {
    queryKey: ['event', id, 'payload'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      answerOf(api.GET('/api/v1/events/{eventId}', { params: { path: { eventId: id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  }
}
