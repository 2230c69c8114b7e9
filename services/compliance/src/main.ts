/** Compliance as a process of its own. */
import { openAccess } from '@posthorn/boot/http'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { runService } from '@posthorn/boot/run-service'
import { createCompliance } from './app.ts'

await runService('compliance', process.env, (clients) => {
  const { settings } = clients
  const { router, service } = createCompliance(
    { brand: settings.BRAND, defaultPlan: settings.DEFAULT_PLAN },
    { ...clients, ...openAccess(clients, publicUrlOf(settings)) },
  )
  return { service, routers: [router] }
})
