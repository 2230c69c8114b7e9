/** Event Grid's question in the CloudEvents schema: whether it may send here, and how fast. */
import type { RequestView } from '../request-view.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

const EVENT_GRID = 'eventgrid.azure.net'

export function allowEventGrid(reading: RequestView): HandshakeAnswer | null {
  if (reading.header('webhook-request-origin') !== EVENT_GRID) return null
  const headers = { 'WebHook-Allowed-Origin': EVENT_GRID, 'WebHook-Allowed-Rate': '*' }
  return { status: 200, headers, body: '' }
}
