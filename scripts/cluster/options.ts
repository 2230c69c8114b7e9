/** What `npm run cluster -- --dispatchers 3` asks for. */
import { parseArgs } from 'node:util'

export const SERVICES = [
  'ingest-api',
  'inbound-receiver',
  'fanout',
  'dispatcher',
  'retry-scheduler',
  'portal-api',
  'compliance',
  'alerting',
] as const
export type ClusterService = (typeof SERVICES)[number]

/** Each service's flag: `--ingest-apis 2`, `--dispatchers 3`. */
const FLAGS: Record<ClusterService, string> = {
  'ingest-api': 'ingest-apis',
  'inbound-receiver': 'inbound-receivers',
  fanout: 'fanouts',
  dispatcher: 'dispatchers',
  'retry-scheduler': 'retry-schedulers',
  'portal-api': 'portal-apis',
  compliance: 'compliances',
  alerting: 'alertings',
}

const MAX_INSTANCES = 16

export type InstanceCounts = Record<ClusterService, number>

/** Throws with the usage when an argument is not understood. */
export function readInstances(argv: readonly string[]): InstanceCounts {
  const usage = `usage: npm run cluster -- ${Object.values(FLAGS)
    .map((flag) => `[--${flag} N]`)
    .join(' ')}`
  const options = Object.fromEntries(
    Object.values(FLAGS).map((flag) => [flag, { type: 'string' as const }]),
  )
  let values: Record<string, string | undefined>
  try {
    values = parseArgs({ args: [...argv], options, strict: true }).values as typeof values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
  const numbers = SERVICES.map((service) => {
    const text = values[FLAGS[service]] ?? '1'
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < 1 || number > MAX_INSTANCES) {
      throw new Error(`--${FLAGS[service]} takes a number from 1 to ${MAX_INSTANCES}\n${usage}`)
    }
    return [service, number] as const
  })
  return Object.fromEntries(numbers) as InstanceCounts
}
