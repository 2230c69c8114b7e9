/** The routes of events as a process of its own. */
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import { openDestinationChecker } from '@posthorn/boot/egress'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { runService } from '@posthorn/boot/run-service'
import { openUsage } from '@posthorn/boot/usage'
import { createIngestApi } from './app.ts'

await runService('ingest-api', process.env, (clients) => {
  const { settings } = clients
  const { usage, usagePart } = openUsage(clients)
  const { router, service } = createIngestApi(
    { brand: settings.BRAND, maxPayloadBytes: settings.MAX_PAYLOAD_BYTES },
    {
      ...clients,
      ...openAccess(clients, publicUrlOf(settings)),
      portal: openPortalSessions(clients, publicUrlOf(settings)),
      checkDestination: openDestinationChecker(settings),
      usage,
    },
  )
  return { service, routers: [router], parts: [usagePart] }
})
