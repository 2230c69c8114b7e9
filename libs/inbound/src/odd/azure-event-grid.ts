/** Event Grid's question in the CloudEvents schema: whether it may send here, and how fast. */
import type { Reading } from '../reading.ts'
import type { HandshakeAnswer } from '../verdict.ts'

const EVENT_GRID = 'eventgrid.azure.net'

export function allowEventGrid(reading: Reading): HandshakeAnswer | null {
  if (reading.header('webhook-request-origin') !== EVENT_GRID) return null
  const headers = { 'WebHook-Allowed-Origin': EVENT_GRID, 'WebHook-Allowed-Rate': '*' }
  return { status: 200, headers, body: '' }
}
