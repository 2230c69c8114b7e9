/** The parts of the services, wired to one set of clients, in the order in which they start. */
import { createAlerting } from '@posthorn/alerting/app'
import { openTargets } from '@posthorn/alerting/open-targets'
import { type Clients, clientParts } from '@posthorn/boot/clients'
import { openDestinationChecker, openEgress } from '@posthorn/boot/egress'
import { openAccess, openHttpServer } from '@posthorn/boot/http'
import { openVerifier } from '@posthorn/boot/inbound'
import { openPortalSessions } from '@posthorn/boot/portal'
import { publicUrlOf } from '@posthorn/boot/public-url'
import { openSandbox } from '@posthorn/boot/sandbox'
import { openUsage } from '@posthorn/boot/usage'
import { openSso } from '@posthorn/boot/sso'
import { VERSION } from '@posthorn/boot/version'
import { createCompliance } from '@posthorn/compliance/app'
import { createDispatcher } from '@posthorn/dispatcher/app'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import { createFanout } from '@posthorn/fanout/app'
import { createInboundReceiver } from '@posthorn/inbound-receiver/app'
import { createIngestApi } from '@posthorn/ingest-api/app'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import type { HttpServer } from '@posthorn/http/http-server'
import type { Router } from '@posthorn/http/router'
import { createPortalApi } from '@posthorn/portal-api/app'
import { openBilling } from '@posthorn/portal-api/billing/open-billing'
import { openMailSender } from '@posthorn/portal-api/mail/open-mail'
import { openDashboard } from '@posthorn/portal-api/pages/open-pages'
import type { PortalApiConfig } from '@posthorn/portal-api/portal-api-deps'
import { ssoSettings } from '@posthorn/portal-api/sso/operator-providers'
import { createRetryScheduler } from '@posthorn/retry-scheduler/app'
import type { Part } from '@posthorn/runtime/run'
import { openPrisma } from '@posthorn/store/prisma'
import { createDemoMailbox, type DemoMailbox } from './demo-mailbox.ts'
import { createDemoReceiver } from './demo-receiver.ts'
import { createDemoReceiverRoutes } from './demo-receiver-routes.ts'
import { createDemoReceiverSecrets } from './demo-receiver-secrets.ts'

export interface Composition {
  port: number
  /** The URL of the process, without a slash at the end. */
  url: string
  hasDemoReceiver: boolean
  isReady(): boolean
  /** Called when everything else has started: the port is free after it. */
  beforeListening?(): Promise<void>
}

const MANAGEMENT_CONNECTIONS = 4

export function compose(
  clients: Clients,
  { port, url, hasDemoReceiver, isReady, beforeListening = async () => {} }: Composition,
): Part[] {
  const { settings, databaseUrl, clock, fence } = clients
  const demoReceiver = hasDemoReceiver ? { origin: url, pathPrefix: '/receiver/' } : undefined
  const database = openPrisma(databaseUrl, MANAGEMENT_CONNECTIONS, { fence })
  const egress = openEgress(settings, demoReceiver)
  const sandbox = openSandbox(clients)
  const verifier = openVerifier(settings)
  const { usage, usagePart } = openUsage(clients)
  const sso = openSso(settings)
  const access = {
    ...openAccess(clients, publicUrlOf(settings, url)),
    portal: openPortalSessions(clients, publicUrlOf(settings, url)),
    checkDestination: openDestinationChecker(settings, demoReceiver),
  }
  const ingest = createIngestApi(
    { brand: settings.BRAND, maxPayloadBytes: settings.MAX_PAYLOAD_BYTES },
    { ...clients, ...access, usage },
  )
  const inbound = createInboundReceiver(inboundConfig(settings, url), {
    ...clients,
    sandbox,
    verifier,
    usage,
    now: Date.now,
  })
  const mailbox = hasDemoReceiver ? createDemoMailbox(Date.now) : undefined
  const portal = createPortalApi(portalConfig(settings, url), {
    ...clients,
    ...openProviders(clients, url, mailbox),
    ...access,
    database,
    sandbox,
    verifier,
    sso,
  })
  const demo = mailbox === undefined ? [] : openDemoReceiver(clients, mailbox)
  const compliance = createCompliance(
    { brand: settings.BRAND, defaultPlan: settings.DEFAULT_PLAN },
    { ...clients, ...access },
  )
  const { alerting, targets } = openAlerting({ ...clients, ...access })
  const apis = [ingest, inbound, portal, compliance, alerting]
  const routers = [...apis.map(({ router }) => router), portal.pages, ...demo]
  const server = openHttpServer(clients, { routers, isReady })
  return [
    ...clientParts(clients),
    { name: 'prisma', stop: () => database.$disconnect() },
    ...Object.entries({ egress, sandbox, verifier, sso, targets }).map(toClose),
    usagePart,
    createDispatcher(dispatcherConfig(settings), { ...clients, egress, sandbox, usage }),
    createFanout(clients),
    createRetryScheduler(
      { maxHoldDays: settings.MAX_HOLD_DAYS, isAlone: true },
      { ...clients, now: clock.now },
    ),
    compliance.service,
    alerting.service,
    portal.service,
    ingest.service,
    inbound.service,
    { name: 'port', start: beforeListening },
    httpPart(server, settings.HOST, port),
  ]
}

/** Notifications have no way to the demo receiver. */
function openAlerting(
  clients: Clients & ReturnType<typeof openAccess> & { portal: PortalSessions },
) {
  const { settings } = clients
  const targets = openTargets(settings, VERSION)
  const checkDestination = openDestinationChecker(settings)
  const deps = { ...clients, checkDestination, send: targets.send }
  const config = { brand: settings.BRAND, defaultPlan: settings.DEFAULT_PLAN }
  return { targets, alerting: createAlerting(config, deps) }
}

function toClose([name, part]: [string, { close(): Promise<void> | void }]): Part {
  return { name, stop: async () => await part.close() }
}

function inboundConfig(settings: Clients['settings'], url: string) {
  return {
    publicUrl: publicUrlOf(settings, url),
    maxBodyBytes: settings.MAX_INBOUND_BYTES,
    defaultPlan: settings.DEFAULT_PLAN,
  }
}

function dispatcherConfig(settings: Clients['settings']) {
  return {
    brand: brandOf(settings.BRAND),
    version: VERSION,
    storageDir: settings.STORAGE_DIR,
    slots: settings.MAX_TRIES_IN_FLIGHT,
    defaultPlan: settings.DEFAULT_PLAN,
  }
}

function portalConfig(settings: Clients['settings'], url: string): PortalApiConfig {
  return {
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
    publicUrl: publicUrlOf(settings, url),
    sso: ssoSettings(settings, VERSION),
  }
}

function httpPart(server: HttpServer, host: string, port: number): Part {
  return {
    name: 'http',
    start: async () => void (await server.listen(host, port)),
    stop: (timeoutMs) => server.close(timeoutMs),
  }
}

/** Who sells plans, and who takes mails. */
function openProviders({ settings, log }: Clients, url: string, mailbox?: DemoMailbox) {
  const publicUrl = publicUrlOf(settings, url)
  return {
    billing: openBilling(settings, publicUrl),
    sendMail: openMailSender(settings, publicUrl, log, mailbox?.keep),
  }
}

/** The mailbox is one of the receiver's names, so it comes first. */
function openDemoReceiver({ settings, pool, seal }: Clients, mailbox: DemoMailbox): Router[] {
  const names = deliveryHeaderNames(brandOf(settings.BRAND))
  const headerNames = {
    timestamp: names.timestamp.toLowerCase(),
    signature: names.signature.toLowerCase(),
    eventType: names.eventType.toLowerCase(),
  }
  const secretsFor = createDemoReceiverSecrets(pool, seal)
  const receiver = createDemoReceiver({ secretsFor, headerNames, now: Date.now })
  const openPage = openDashboard()
  const receiverRoutes = createDemoReceiverRoutes({ receiver, openPage, headerNames })
  return [mailbox.routes, receiverRoutes].map((routes) => ({
    mount: (express) => void express.use(routes),
  }))
}
