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
  type LoadRow,
  type RowMeasurement,
  runSenders,
} from '../bench.ts'

const EVENTS_PER_S = 500
const LOGINS_PER_S = 20
const PASSWORD = 'correct horse battery'

/** Each person signs in once a second. */
async function addPeople({ product }: Bench): Promise<string[]> {
  const emails = Array.from({ length: LOGINS_PER_S }, () => `${randomUUID()}@example.com`)
  await inParallel(emails, 4, (email) =>
    product.call('POST', '/auth/signup', { email, password: PASSWORD, companyName: 'Load' }),
  )
  return emails
}

async function measureLogins(bench: Bench): Promise<RowMeasurement> {
  const emails = await addPeople(bench)
  const seconds = byForm(bench, 20, 3)
  const target = [bench.numbers(1)]
  const events = (name: string) =>
    directSender(bench, target, { name, rate: EVENTS_PER_S, count: EVENTS_PER_S * seconds })
  const alone = firstSender(await runSenders(bench, [events('events alone')]))
  const together = await runSenders(bench, [
    events('events beside logins'),
    ...emails.map((email, n) => ({
      name: `logins of person ${n + 1}`,
      urls: [`${bench.product.url}/auth/login`],
      body: JSON.stringify({ email, password: PASSWORD }),
      rate: 1,
      count: seconds,
      // So that they do not all come at the beginning of a second.
      afterMs: (n * 1_000) / emails.length,
      fan: 0,
    })),
  ])
  const [beside = alone, ...logins] = together.senders
  return {
    figures: {
      'logins.p99': Math.max(...logins.map(({ ack }) => ack.p99)),
      'logins.events': beside.endToEnd.p99 / alone.endToEnd.p99,
    },
    costs: {
      'login p50 ms, the slowest person': Math.max(...logins.map(({ ack }) => ack.p50)),
      'events alone, p99 ms': alone.endToEnd.p99,
      'events beside logins, p99 ms': beside.endToEnd.p99,
    },
    failures: [alone, beside, ...logins].flatMap(failuresOf),
  }
}

export const loginsRow: LoadRow = { row: 16, name: 'logins beside events', run: measureLogins }
