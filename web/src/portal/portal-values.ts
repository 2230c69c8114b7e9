/** What the portal sends of an endpoint's form: its mode is the operator's to choose. */
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../api/client.ts'
import type { EndpointValues } from '../endpoints/endpoint-form.tsx'

export function portalValues({
  url,
  description,
  eventTypes,
  maxRetries,
  timeoutMs,
  rateLimitPerSec,
  fifo,
}: EndpointValues) {
  return { url, description, eventTypes, maxRetries, timeoutMs, rateLimitPerSec, fifo }
}

export function usePortalEventTypes(): string[] {
  const types = useQuery({
    queryKey: ['event-types', 'names'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/sub-account-api/event-types', { params: { query: { limit: 100 } }, signal }),
      ),
  })
  return types.data?.data.map(({ name }) => name) ?? []
}
