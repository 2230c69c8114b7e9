/** Faults of the connections between two parts. */
import type { Toxic } from '@posthorn/testing/toxiproxy'
import { proxiesOf } from '../world.ts'
import { BOTH, type Fault } from './fault.ts'

const DURATION = { long: 30_000, short: 10_000 }
const STREAMS = ['upstream', 'downstream'] as const

function bothDirections(type: Toxic['type'], attributes: Toxic['attributes']): Toxic[] {
  return STREAMS.map((stream) => ({ type, stream, attributes }))
}

const KINDS: Record<string, { what: string; toxics: readonly Toxic[] | 'cut' }> = {
  'net-latency': {
    what: 'latency of 100 ms, give or take 100',
    toxics: bothDirections('latency', { latency: 100, jitter: 100 }),
  },
  'net-cut': { what: 'cut: refused', toxics: 'cut' },
  // Nothing comes through and nothing ends: the bytes are lost, and both ends notice only when it
  // is over.
  'net-black-hole': { what: 'black hole', toxics: bothDirections('timeout', { timeout: 0 }) },
  'net-reset': {
    what: 'reset after 200 ms',
    toxics: bothDirections('reset_peer', { timeout: 200 }),
  },
  'net-slow': {
    what: 'slow: 64 KB/s in pieces',
    toxics: [
      ...bothDirections('bandwidth', { rate: 64 }),
      ...bothDirections('slicer', { average_size: 512, size_variation: 256, delay: 100 }),
    ],
  },
  'net-half-open': {
    what: 'half open: requests pass, answers do not',
    toxics: [{ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } }],
  },
}

const SILENT = ['net-black-hole', 'net-half-open']

/** Groups links by the kind of part that they lead to, so that each kind is hit equally often. */
function linksByPart(links: readonly string[]): Map<string, string[]> {
  return Map.groupBy(links, (link) => {
    const [from = '', to = ''] = link.split(':')
    return from === 'gateway' || to === '' ? link : to
  })
}

export const NETWORK_FAULTS: readonly Fault[] = Object.entries(KINDS).map(
  ([name, { what, toxics }]) => ({
    name,
    what,
    modes: BOTH,
    accepting: 'any',
    durationMs: DURATION,
    needsProxies: true,
    async inject(world, random) {
      const toxiproxy = proxiesOf(world)
      const parts = linksByPart(world.links)
      const part = random.pick([...parts.keys()])
      const all = parts.get(part) as string[]
      // The links of all processes to a store are hit, or a single one.
      const chosen = random.next() < 0.5 ? all : [random.pick(all)]
      for (const link of chosen) {
        if (toxics === 'cut') await toxiproxy.enable(link, false)
        else await toxiproxy.poison(link, toxics)
      }
      return {
        detail: chosen.length > 1 ? `all to ${part}` : chosen.join(),
        victims: [],
        isPostgresSilent: part === 'postgres' && SILENT.includes(name),
        end: async () => await toxiproxy.heal(),
      }
    },
  }),
)
