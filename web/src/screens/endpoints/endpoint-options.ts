/** The workspace's endpoints to choose from, for filters and forms. */
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'

const MAX_CHARACTERS = 60

/** @returns the id and the name of each */
export function useEndpointOptions(): [id: string, name: string][] {
  const endpoints = useQuery({
    queryKey: ['endpoints', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/endpoints', { params: { query: { limit: 100 } }, signal })),
  })
  const found = endpoints.data?.data ?? []
  return found.map((endpoint) => [endpoint.id, endpointName(endpoint).slice(0, MAX_CHARACTERS)])
}
