/** The names of the workspace's event types, for forms. */
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'

export function useEventTypeNames(): string[] {
  const types = useQuery({
    queryKey: ['event-types', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/event-types', { params: { query: { limit: 100 } }, signal })),
  })
  return types.data?.data.map(({ name }) => name) ?? []
}
