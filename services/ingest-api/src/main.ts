/** The routes of events as a process of its own. */
import { openAuthentication } from '@posthorn/boot/http'
import { openDestinationChecker } from '@posthorn/boot/egress'
import { runService } from '@posthorn/boot/run-service'
import { createIngestApi } from './app.ts'

await runService('ingest-api', process.env, (clients) => {
  const { settings, state } = clients
  const { router, service } = createIngestApi(
    { brand: settings.BRAND, maxPayloadBytes: settings.MAX_PAYLOAD_BYTES },
    {
      ...clients,
      authenticate: openAuthentication(clients),
      checkDestination: openDestinationChecker(settings),
      takeToken: state.takeToken,
      now: Date.now,
    },
  )
  return { service, routers: [router] }
})
