/** Alerting as a process of its own. */
import { openDestinationChecker } from '@posthorn/boot/egress'
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { runService } from '@posthorn/boot/run-service'
import { VERSION } from '@posthorn/boot/version'
import { createAlerting } from './app.ts'
import { openTargets } from './open-targets.ts'

await runService('alerting', process.env, (clients) => {
  const { settings } = clients
  const targets = openTargets(settings, VERSION)
  const { router, service } = createAlerting(
    { brand: settings.BRAND, defaultPlan: settings.DEFAULT_PLAN },
    {
      ...clients,
      ...openAccess(clients, publicUrlOf(settings)),
      checkDestination: openDestinationChecker(settings),
      send: targets.send,
      portal: openPortalSessions(clients, publicUrlOf(settings)),
    },
  )
  const parts = [{ name: 'targets', stop: async () => targets.close() }]
  return { service, routers: [router], parts }
})
