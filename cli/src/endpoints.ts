/** `posthorn endpoints`: what is there and how it is, and a few things to do with one. */
import type { Endpoint, Posthorn } from '../../sdks/node/src/posthorn-node.ts'
import { connect, type GlobalOptions } from './connect.ts'
import { usage } from './failure.ts'
import type { Output } from './output.ts'
import { clipped } from './terminal-text.ts'

type Action = 'pause' | 'resume' | 'test' | 'delete'

export async function listEndpoints(options: GlobalOptions, out: Output): Promise<void> {
  const { posthorn } = await connect(options, out)
  for await (const endpoint of posthorn.endpoints.list({ limit: 100 }))
    out.result(endpoint, endpointLine(endpoint))
}

function endpointLine({
  id,
  status,
  circuitState,
  deliveryMode,
  url,
  eventTypes,
}: Endpoint): string {
  const circuit = circuitState === 'closed' ? '' : `, circuit ${circuitState}`
  const mode = deliveryMode === 'push' ? '' : ` (${deliveryMode})`
  const types = clipped(eventTypes.join(' '), 80)
  return `${id}  ${status}${circuit}  ${clipped(url, 120)}${mode}  ${types}`
}

export async function getEndpoint(id: string, options: GlobalOptions, out: Output): Promise<void> {
  const { posthorn } = await connect(options, out)
  const endpoint = await posthorn.endpoints.get(id)
  const fields = Object.entries(endpoint).filter(([, value]) => value !== null)
  const width = Math.max(...fields.map(([name]) => name.length))
  out.result(
    endpoint,
    fields.map(
      ([name, value]) =>
        `${name.padEnd(width)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  )
}

export async function endpointHealth(options: GlobalOptions, out: Output): Promise<void> {
  const { posthorn } = await connect(options, out)
  const { data } = await posthorn.analytics.getEndpointHealth()
  for (const one of data) {
    const rate = one.deliveryRate === null ? 'no attempts' : `${one.deliveryRate} % delivered`
    const p95 = one.p95Ms === null ? '' : `, p95 ${one.p95Ms} ms`
    const line = `${one.endpointId}  ${one.status}, circuit ${one.circuitState}  ${rate}${p95}`
    out.result(one, `${line}, ${one.waiting} wait  ${clipped(one.url ?? '', 120)}`)
  }
}

export async function changeEndpoint(
  action: Action,
  id: string,
  options: GlobalOptions & { yes?: boolean },
  out: Output,
): Promise<void> {
  if (action === 'delete' && options.yes !== true)
    throw usage('its pending deliveries would be dead: say --yes to delete the endpoint')
  const { posthorn } = await connect(options, out)
  const record = await actionOf(posthorn, action)(id)
  out.result(record, `${id}  ${record.status}`)
}

type Act = (id: string) => Promise<{ id: string; status: string }>

function actionOf(posthorn: Posthorn, action: Action): Act {
  switch (action) {
    case 'pause':
      return async (id) => await posthorn.endpoints.pause(id)
    case 'resume':
      return async (id) => await posthorn.endpoints.resume(id)
    case 'test':
      return async (id) => {
        const event = await posthorn.endpoints.test(id)
        return { id: event.id, status: `test event ${event.id} ${event.status}` }
      }
    case 'delete':
      return async (id) => {
        await posthorn.endpoints.delete(id)
        return { id, status: 'deleted' }
      }
  }
}
