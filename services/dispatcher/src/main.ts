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
  const { BRAND, STORAGE_DIR: storageDir, MAX_TRIES_IN_FLIGHT: slots } = clients.settings
  const config = { brand: brandOf(BRAND), version: VERSION, storageDir, slots }
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
