/**
 * The loops of alerting in a process of their own, for the test that kills it. What it sends goes
 * to the parent as one line for each notification, after an empty one once it has started.
 */
import { createDestinationChecker } from '@posthorn/egress/check-destination'
import { openPool } from '@posthorn/store/pool'
import { createSeal } from '@posthorn/store/seal'
import { createAlerts } from './alerts.ts'

createAlerts(
  { brand: 'Service', defaultPlan: 'self_hosted' },
  {
    pool: openPool({
      url: process.env['TEST_DATABASE'] ?? '',
      max: 4,
      name: 'killed alerting',
      onError: () => {},
    }),
    seal: createSeal([process.env['TEST_MASTER_KEY'] ?? '']),
    checkDestination: createDestinationChecker({ allowCidrs: [], requireHttps: false }),
    async send(_target, { id, status, dedupKey }) {
      process.stdout.write(`${JSON.stringify({ id, status, dedupKey })}\n`)
      return { outcome: 'sent', statusCode: 200, error: null, retryAfterMs: null }
    },
    log: { info: () => {}, warn: () => {} },
    metrics: { count: () => {}, set: () => {}, onScrape: () => {} },
    clock: { now: Date.now },
    rollups: { isBehind: () => false, catchUp: async () => {} },
  },
).start()
process.stdout.write('\n')
