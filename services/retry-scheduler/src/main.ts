/**
 * The retry-scheduler as a process of its own; among several one sweeps and the others stand by.
 */
import { runService } from '@posthorn/boot/run-service'
import { createRetryScheduler } from './app.ts'

await runService('retry-scheduler', process.env, (clients) => {
  const config = { maxHoldDays: clients.settings.MAX_HOLD_DAYS }
  return {
    service: createRetryScheduler(config, { ...clients, now: clients.clock.now }),
    routers: [],
  }
})
