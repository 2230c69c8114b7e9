/**
 * Row 16: people sign in while events are sent. A password costs some 10 ms of a thread, and the
 * same process serves the management API; events must not notice.
 */
import { randomUUID } from 'node:crypto'
import {
  type Bench,
  byForm,
  directSender,
  failuresOf,
  firstSender,
  inParallel,
  range,
  type LoadRow,
  type RowMeasurement,
  runSenders,
} from '../bench.ts'

const EVENTS_PER_S = 500
const LOGINS_PER_S = 20
const PEOPLE = 40
const PASSWORD = 'correct horse battery'

/** @returns the part of their addresses before their numbers */
async function addPeople({ product }: Bench, numbers: readonly number[]): Promise<string> {
  const prefix = randomUUID()
  await inParallel(numbers, 4, (number) =>
    product.call('POST', '/auth/signup', {
      email: `${prefix}-${number}@example.com`,
      password: PASSWORD,
      companyName: 'Load',
    }),
  )
  return prefix
}

async function measureLogins(bench: Bench): Promise<RowMeasurement> {
  const seconds = byForm(bench, 20, 3)
  const target = [bench.numbers(1)]
  const people = range(bench.numbers(PEOPLE), PEOPLE)
  const prefix = await addPeople(bench, people)
  const events = (name: string) =>
    directSender(bench, target, { name, rate: EVENTS_PER_S, count: EVENTS_PER_S * seconds })
  const alone = firstSender(await runSenders(bench, [events('events alone')]))
  const together = await runSenders(bench, [
    events('events beside logins'),
    {
      name: 'logins',
      urls: [`${bench.product.url}/auth/login`],
      headers: { 'Content-Type': 'application/json' },
      // In turn, so that nobody has many logins under way, which would lock the address.
      body: JSON.stringify({ email: `${prefix}-$E@example.com`, password: PASSWORD }),
      targets: people,
      rate: LOGINS_PER_S,
      count: LOGINS_PER_S * seconds,
      fan: 0,
    },
  ])
  const [beside = alone, logins = alone] = together.senders
  return {
    figures: {
      'logins.p99': logins.ack.p99,
      'logins.events': beside.endToEnd.p99 / alone.endToEnd.p99,
    },
    costs: {
      'login p50 ms': logins.ack.p50,
      'login worst ms': logins.ack.max,
      'events alone, p50 ms': alone.endToEnd.p50,
      'events alone, p99 ms': alone.endToEnd.p99,
      'events beside logins, p50 ms': beside.endToEnd.p50,
      'events beside logins, p99 ms': beside.endToEnd.p99,
    },
    failures: [alone, beside, logins].flatMap(failuresOf),
  }
}

export const loginsRow: LoadRow = { row: 16, name: 'logins beside events', run: measureLogins }
