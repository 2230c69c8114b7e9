/** Alerting as a process of its own. */
import { openAccess } from '@posthorn/boot/http'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { runService } from '@posthorn/boot/run-service'
import { createAlerting } from './app.ts'

await runService('alerting', process.env, (clients) => {
  const { settings } = clients
  const { router, service } = createAlerting(
    { brand: settings.BRAND },
    { ...clients, ...openAccess(clients, publicUrlOf(settings)) },
  )
  return { service, routers: [router] }
})
