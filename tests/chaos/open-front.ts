/** Opens the address that events are posted to. */
import { eventually } from '@posthorn/testing/eventually'
import { startGateway } from '../../scripts/cluster/gateway.ts'
import { startBalancer } from './balancer.ts'
import type { ProcessConfig, WorldMode } from './world.ts'

const READY_MS = 120_000

/**
 * The address that events are posted to, once somebody is ready there: in the cluster a gateway
 * with each service behind a proxy, for two of whom one stands by a load balancer, in `standalone`
 * the process itself.
 */
export async function openFront(
  mode: WorldMode,
  configs: readonly ProcessConfig[],
  link: (name: string, to: number) => Promise<number>,
): Promise<{ url: string; close(): Promise<void> | void }> {
  const ready = async (some: 'all' | 'one'): Promise<void> =>
    await eventually(async () => await requireReady(configs, some), {
      timeoutMs: READY_MS,
      everyMs: 100,
    })
  if (mode === 'standby') {
    await ready('one')
    return await startBalancer(configs.map(({ port }) => port))
  }
  await ready('all')
  if (mode === 'standalone')
    return { url: `http://127.0.0.1:${configs[0]?.port}`, close: () => undefined }
  const upstreams: Record<string, string[]> = {}
  for (const { name, service, port } of configs) {
    const via = ['ingest-api', 'portal-api'].includes(service)
      ? await link(`gateway:${name}`, port)
      : port
    ;(upstreams[service] ??= []).push(`http://127.0.0.1:${via}`)
  }
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, upstreams })
  return { url: `http://127.0.0.1:${gateway.port}`, close: gateway.close }
}

async function requireReady(configs: readonly ProcessConfig[], some: 'all' | 'one'): Promise<void> {
  const statuses = await Promise.all(
    configs.map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/ready`)
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  const ready = statuses.filter((status) => status === 200)
  if (ready.length < (some === 'one' ? 1 : configs.length))
    throw new Error(`not ready: ${configs.map(({ name }, at) => `${name} ${statuses[at]}`).join()}`)
}
