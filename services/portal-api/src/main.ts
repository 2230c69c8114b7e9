/** The management plane as a process of its own. */
import { openDestinationChecker } from '@posthorn/boot/egress'
import { openAccess } from '@posthorn/boot/http'
import { openPortalSessions } from '@posthorn/boot/portal'
import { runService } from '@posthorn/boot/run-service'
import { openVerifier } from '@posthorn/boot/inbound'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { openSandbox } from '@posthorn/boot/sandbox'
import { openSso } from '@posthorn/boot/sso'
import { VERSION } from '@posthorn/boot/version'
import { openPrisma } from '@posthorn/store/prisma'
import { createPortalApi } from './app.ts'
import { ssoSettings } from './sso/operator-providers.ts'
import { openBilling } from './billing/open-billing.ts'
import { openMailSender } from './mail/open-mail.ts'

const MANAGEMENT_CONNECTIONS = 4

await runService('portal-api', process.env, (clients) => {
  const { settings, databaseUrl, isPooled } = clients
  const database = openPrisma(databaseUrl, MANAGEMENT_CONNECTIONS, { isPooled })
  const sandbox = openSandbox(clients)
  const verifier = openVerifier(settings)
  const sso = openSso(settings)
  const { router, pages, service } = createPortalApi(
    {
      brand: settings.BRAND,
      version: VERSION,
      egressIps: settings.EGRESS_IPS,
      pollVisibilityMs: settings.POLL_VISIBILITY_TIMEOUT_MS,
      maxEndpoints: settings.MAX_ENDPOINTS,
      maxEventTypes: settings.MAX_EVENT_TYPES,
      maxInboundEndpoints: settings.MAX_INBOUND_ENDPOINTS,
      maxProjects: settings.MAX_PROJECTS,
      maxSubAccounts: settings.MAX_SUB_ACCOUNTS,
      maxPayloadBytes: settings.MAX_PAYLOAD_BYTES,
      signUp: settings.SIGNUP,
      defaultPlan: settings.DEFAULT_PLAN,
      hasStorageDir: settings.STORAGE_DIR !== undefined,
      publicUrl: publicUrlOf(settings),
      sso: ssoSettings(settings, VERSION),
    },
    {
      ...clients,
      database,
      sandbox,
      verifier,
      sso,
      ...openAccess(clients, publicUrlOf(settings)),
      portal: openPortalSessions(clients, publicUrlOf(settings)),
      checkDestination: openDestinationChecker(settings),
      billing: openBilling(settings, publicUrlOf(settings)),
      sendMail: openMailSender(settings, publicUrlOf(settings), clients.log),
    },
  )
  return {
    service,
    routers: [router, pages],
    parts: [
      { name: 'prisma', stop: () => database.$disconnect() },
      { name: 'sandbox', stop: () => sandbox.close() },
      { name: 'verifier', stop: () => verifier.close() },
      { name: 'sso', stop: () => sso.close() },
    ],
  }
})
