/** What `posthorn` can be asked for, and how it is asked. */
import { parseArgs } from 'node:util'
import { SERVICES } from '../cluster/options.ts'

export type Command =
  | { name: 'run'; service: string }
  | { name: 'migrate'; plan: boolean }
  | { name: 'doctor' }
  | { name: 'version' }
  | { name: 'help' }
  | { name: 'wrong'; message: string }

const RUNNABLE: readonly string[] = [...SERVICES, 'standalone']

export const USAGE = `usage: posthorn <command>

  <service>          run one service: ${SERVICES.slice(0, 4).join(', ')},
                     ${SERVICES.slice(4).join(', ')}
  standalone         run all services in one process
  standalone --standby
                     the same, once no other instance works on the database: needs
                     DATABASE_URL, MASTER_KEY and BOOTSTRAP_API_KEY
  migrate            bring the database to this version; with MASTER_KEY set, also make
                     the first workspace when there is none
  migrate --plan     tell what would run, which locks it takes, and whether the version
                     before can go on; changes nothing
  doctor --stores    look at Postgres, Redis and Kafka as services would use them, and say what
                     is wrong; exits with 1 when anything is
  --version          print the version

Settings are read from the environment: docs/settings.md has them all.
`

export function readCommand(argv: readonly string[]): Command {
  const options = {
    plan: { type: 'boolean' },
    standby: { type: 'boolean' },
    stores: { type: 'boolean' },
    version: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const
  let parsed: ReturnType<typeof parse>
  const parse = () => parseArgs({ args: [...argv], options, strict: true, allowPositionals: true })
  try {
    parsed = parse()
  } catch (error) {
    return { name: 'wrong', message: error instanceof Error ? error.message : String(error) }
  }
  const { values, positionals } = parsed
  const [first, ...rest] = positionals
  if (values.help === true) return { name: 'help' }
  if (values.version === true) return { name: 'version' }
  if (first === undefined) return { name: 'wrong', message: 'say what to run' }
  if (rest.length > 0) return { name: 'wrong', message: `"${rest[0]}" is one too many` }
  if (values.standby === true && first !== 'standalone')
    return { name: 'wrong', message: '--standby belongs to "standalone"' }
  if (first === 'migrate') return { name: 'migrate', plan: values.plan === true }
  if (first === 'doctor')
    return values.stores === true
      ? { name: 'doctor' }
      : { name: 'wrong', message: 'say what to look at: doctor --stores' }
  if (values.stores === true) return { name: 'wrong', message: '--stores belongs to "doctor"' }
  if (values.plan === true) return { name: 'wrong', message: '--plan belongs to "migrate"' }
  if (RUNNABLE.includes(first)) return { name: 'run', service: first }
  return { name: 'wrong', message: `there is no "${first}"` }
}
