/** The dispatcher as a process of its own: takes what is due, sends it, records what came of it. */
import { openEgress } from '@posthorn/boot/egress'
import { runService } from '@posthorn/boot/run-service'
import { openSandbox } from '@posthorn/boot/sandbox'
import { openUsage } from '@posthorn/boot/usage'
import { VERSION } from '@posthorn/boot/version'
import { brandOf } from '@posthorn/domain/brand'
import { createDispatcher } from './app.ts'

await runService('dispatcher', process.env, (clients) => {
  const egress = openEgress(clients.settings)
  const sandbox = openSandbox(clients)
  const { usage, usagePart } = openUsage(clients)
  const { settings } = clients
  const config = {
    brand: brandOf(settings.BRAND),
    version: VERSION,
    storageDir: settings.STORAGE_DIR,
    slots: settings.MAX_TRIES_IN_FLIGHT,
    defaultPlan: settings.DEFAULT_PLAN,
  }
  return {
    service: createDispatcher(config, { ...clients, egress, sandbox, usage }),
    routers: [],
    parts: [
      usagePart,
      { name: 'egress', stop: () => egress.close() },
      { name: 'sandbox', stop: () => sandbox.close() },
    ],
  }
})
