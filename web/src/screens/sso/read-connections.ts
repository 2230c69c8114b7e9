/** The workspace's connections, a page at a time. */
import { answerOf, api } from '../../api/client.ts'

export type Connection = Awaited<ReturnType<typeof readConnections>>['data'][number]

export function readConnections(cursor: string | undefined, signal?: AbortSignal) {
  const query = { limit: 100, ...(cursor && { cursor }) }
  return answerOf(
    api.GET('/api/v1/sso/connections', { params: { query }, ...(signal && { signal }) }),
  )
}
