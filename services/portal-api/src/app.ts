/**
 * The management plane: endpoints, event types, API keys, projects, the signing secret, and the
 * attempts to read back. Its only state in memory is a cache of API keys. A change takes effect on
 * this instance when it is answered, and on the others when they hear of it or a second later.
 */
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import { endpointSchemas } from '@posthorn/contracts/endpoints'
import { brandOf } from '@posthorn/domain/brand'
import type { OperationalEvent } from '@posthorn/domain/operational-events'
import { createApiRouter } from '@posthorn/http/api-router'
import type { Handlers } from '@posthorn/http/handlers'
import type { Router } from '@posthorn/http/router'
import type { Service } from '@posthorn/runtime/service'
import { within } from '@posthorn/async/within'
import type { Ticker } from '@posthorn/async/ticker'
import { wakeTarget } from '@posthorn/store/pipeline/backlogs'
import { followMode } from '@posthorn/store/pipeline/follow-mode'
import { publishOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import { findVisible } from '@posthorn/store/pipeline/poll'
import { acceptForEndpoint } from '@posthorn/store/pipeline/accept-for-endpoint'
import { createAnnounceDeliveries } from './announce-deliveries.ts'
import { createMe } from './account/me.ts'
import { createCreateApiKey } from './api-keys/create-api-key.ts'
import { createListApiKeys } from './api-keys/list-api-keys.ts'
import { createRevokeApiKey } from './api-keys/revoke-api-key.ts'
import { type Checks, createAuth, createChecks } from './auth/create-auth.ts'
import { createPurgeTicker } from './auth/purge-expired.ts'
import { createBillingHandlers } from './billing/billing-handlers.ts'
import { type AnnounceChange, createAnnounceChange } from './config-changes.ts'
import { createListDeliveries } from './deliveries/list-deliveries.ts'
import { createReadDelivery } from './deliveries/read-delivery.ts'
import { createReadEventDeliveries } from './deliveries/read-event-deliveries.ts'
import { createAfterChange, createCloseCircuit } from './endpoints/after-change.ts'
import { withCircuitStates } from './endpoints/circuit-states.ts'
import { createCreateEndpoint } from './endpoints/create-endpoint.ts'
import { createDeleteEndpoint } from './endpoints/delete-endpoint.ts'
import { createReadEndpoints } from './endpoints/read-endpoints.ts'
import { createReadVersions } from './endpoints/read-versions.ts'
import { createRollbackEndpoint } from './endpoints/rollback-endpoint.ts'
import { createRotateSecret } from './endpoints/rotate-secret.ts'
import { createSetMtls } from './endpoints/set-mtls.ts'
import { createTestEndpoint } from './endpoints/test-endpoint.ts'
import { createExplainEvent } from './explain/explain-event.ts'
import { createSetEndpointStatus, type WakeTarget } from './endpoints/set-endpoint-status.ts'
import { createFollowMode } from './endpoints/follow-mode.ts'
import { createUpdateEndpoint } from './endpoints/update-endpoint.ts'
import type { PortalApiConfig, PortalApiDeps } from './portal-api-deps.ts'
import type { MailWorker } from './mail/mail-worker.ts'
import { openMailWorker } from './mail/open-mail.ts'
import { createDeleteEventType } from './event-types/delete-event-type.ts'
import { createReadEventTypes } from './event-types/read-event-types.ts'
import { createSaveEventType } from './event-types/save-event-type.ts'
import { createReadInbound } from './inbound/read-inbound.ts'
import { createSaveInbound } from './inbound/save-inbound.ts'
import { createVerifyInbound } from './inbound/verify-inbound.ts'
import { createSecondFactors } from './mfa/create-second-factors.ts'
import { openPages, type Pages } from './pages/open-pages.ts'
import { createAckPolled } from './polls/ack-polled.ts'
import { createFetchPolled } from './polls/fetch-polled.ts'
import { createPollListener } from './polls/listen-for-polls.ts'
import { createPollEvents } from './polls/poll-events.ts'
import { createWaitingPolls, type WaitingPolls } from './polls/waiting-polls.ts'
import { createDeleteProject } from './projects/delete-project.ts'
import { createListProjects } from './projects/list-projects.ts'
import { createSaveProject } from './projects/save-project.ts'
import { createReplayEndpoint } from './replays/replay-endpoint.ts'
import { createReplayTicker } from './replays/run-replays.ts'
import { createScimHandlers } from './scim/create-scim.ts'
import { createSigningSecret } from './signing-secret/signing-secret.ts'
import { createPortalHandlers } from './portal/portal-handlers.ts'
import { createSubAccounts } from './sub-accounts/create-sub-accounts.ts'
import { createTeam } from './team/create-team.ts'
import { createCompleteSsoSignIn } from './sso/complete-sign-in.ts'
import { createSamlSignIn } from './sso/saml/saml-sign-in.ts'
import { createSamlVerifier, type SamlVerifier } from './sso/saml/saml-verifier.ts'
import { createCheckSamlConfig } from './sso/saml/check-saml-config.ts'
import { createSsoHandlers } from './sso/sso-handlers.ts'
import { createSsoRequiredFor } from './sso/sso-required.ts'
import type { Compile } from './transformations/check-transformation.ts'
import { createTestTransformation } from './transformations/test-transformation.ts'
import { createReadUsage } from './usage/read-usage.ts'
import { createQuotaTicker } from './usage/warn-of-quota.ts'

/**
 * People and deployments use these routes rather than streams of events: a key may have two of the
 * largest bodies in memory at once.
 */
const BODY_ROOMS = { maxBytes: 16 * 1024 * 1024, maxSmallBytes: 8 * 1024 * 1024 }

export interface PortalApi {
  router: Router
  /** The web pages, which come after the routes of the API. */
  pages: Router
  service: Service
}

type WiredDeps = PortalApiDeps & { saml: SamlVerifier; checks: Checks } & Pick<Pages, 'pageFiles'>

export function createPortalApi(config: PortalApiConfig, deps: PortalApiDeps): PortalApi {
  const routing = { service: 'portal-api', brand: config.brand, bodyCapacity: BODY_ROOMS } as const
  const polls = createWaitingPolls({
    fetch: createFetchPolled({
      pool: deps.pool,
      run: deps.sandbox.run,
      visibilityMs: config.pollVisibilityMs,
      announceDueSoon: () => announceDueSoon(deps.bus),
      clock: () => performance.now(),
    }),
    findVisible: (targets) => findVisible(deps.pool, targets),
    now: deps.now,
  })
  const replays = createReplayTicker({
    ...deps,
    announceDeliveries: createAnnounceDeliveries(deps.bus),
  })
  deps.metrics.onScrape(() => deps.metrics.set('posthorn_polls_waiting', {}, polls.size()))
  const saml = createSamlVerifier(
    {},
    {
      onReplaced: (reason, tenantId) => deps.log.warn('saml.thread-replaced', { reason, tenantId }),
    },
  )
  const { pageFiles, pages } = openPages()
  const wired = { ...deps, saml, checks: createChecks(deps.state), pageFiles }
  const handlers = createHandlers(config, wired, polls, replays.wake)
  return {
    router: createApiRouter(routing, deps, handlers),
    pages,
    service: createService(
      wired,
      polls,
      [replays, createPurgeTicker(deps), createQuotaTicker(config, deps)],
      openMailWorker(config, deps),
    ),
  }
}

/** Makes due what waits for an endpoint that was resumed or, with `all`, deleted. */
function createWake({ pool, bus }: Pick<PortalApiDeps, 'pool' | 'bus'>): WakeTarget {
  return async (tenantId, endpointId, all) => {
    await wakeTarget(pool, tenantId, endpointId, all)
    announceDueSoon(bus)
    // At a deleted endpoint nothing may stay visible. Polls may have been waiting for a resumed
    // one.
    if (all) await followMode(pool, { tenantId, endpointId })
    else bus.announce('poll.ready', [{ v: 1, tenantId, endpointId }])
  }
}

function announceDueSoon(bus: PortalApiDeps['bus']): void {
  bus.announce('due.soon', [{ v: 1 }])
}

/** What follows from a change of an endpoint. */
function wireChanges(deps: PortalApiDeps) {
  const { pool, bus, state, log, now } = deps
  const publish = (events: readonly OperationalEvent[]): Promise<void> =>
    publishOperationalEvents(pool, events)
  const wake = async (tenantId: string, endpointId: string): Promise<void> => {
    await wakeTarget(pool, tenantId, endpointId, false)
    announceDueSoon(bus)
  }
  const { resetCircuit } = state
  const closeCircuit = createCloseCircuit({ resetCircuit, wake, publish, now, log })
  const afterChange = createAfterChange({
    followMode: createFollowMode({ pool, announceDueSoon: () => announceDueSoon(bus), log }),
    closeCircuit,
  })
  return { closeCircuit, afterChange }
}

function createHandlers(
  config: PortalApiConfig,
  deps: WiredDeps,
  polls: WaitingPolls,
  onReplay: () => void,
): Handlers<'portal-api'> {
  const { database, seal, sandbox, verifier, now } = deps
  const announceChange = createAnnounceChange(deps.bus, deps.authenticate.invalidateTenant)
  const changing = { database, announceChange, now }
  const saving = { ...changing, seal, compile: sandbox.compile }
  const ssoRequiredFor = createSsoRequiredFor(database, config.sso)
  const signingIn = { ...deps, ...deps.checks, announceChange, ssoRequiredFor }
  const handlers: Omit<Handlers<'portal-api'>, keyof ReturnType<typeof createPortalHandlers>> = {
    ...createEndpointHandlers(config, deps, saving),
    ...createEventHandlers(config, deps, polls, onReplay),
    testTransformation: createTestTransformation({ run: sandbox.run, now }),
    ...createSigningSecret(saving),
    ...createReadUsage({ pool: deps.pool, now: deps.clock.now }),
    ...createReadEventTypes({ database }),
    ...createSaveEventType({ ...changing, maxEventTypes: config.maxEventTypes }),
    deleteEventType: createDeleteEventType(changing),
    createApiKey: createCreateApiKey(changing),
    listApiKeys: createListApiKeys({ database, now }),
    revokeApiKey: createRevokeApiKey(changing),
    listProjects: createListProjects({ database }),
    ...createSaveProject({ ...changing, maxProjects: config.maxProjects }),
    deleteProject: createDeleteProject(changing),
    ...createSubAccounts(config, { ...deps, announceChange }),
    ...createScimHandlers(config, changing),
    ...createReadInbound(config, { database, seal, announceChange }),
    ...createSaveInbound(config, saving),
    ...createAuth(config, signingIn),
    ...createMe({ database }),
    ...createSecondFactors(config, signingIn),
    ...createTeam(config, signingIn),
    ...createBillingHandlers({ ...deps, announceChange }),
    verifyInbound: createVerifyInbound(config, { database, seal, verifier, now }),
    ...createSsoRoutes(config, deps, announceChange),
  }
  const shown = { ...handlers, ...withCircuitStates(deps.state.readCircuits, handlers) }
  return { ...shown, ...createPortalHandlers(shown) }
}

/** The routes of single sign-on. */
function createSsoRoutes(
  config: PortalApiConfig,
  { saml, ...deps }: WiredDeps,
  announceChange: AnnounceChange,
) {
  const { brand, publicUrl } = config
  const { sessionCookie } = deps
  const ssoConfig = { brand, publicUrl, sessionCookie, ...config.sso }
  const ssoDeps = {
    ...deps,
    ...deps.sso,
    clock: () => performance.now(),
    checkSaml: createCheckSamlConfig(saml),
    announceChange: (tenantId: string) => announceChange(tenantId, 'sessions'),
  }
  const complete = createCompleteSsoSignIn(ssoConfig, ssoDeps)
  return {
    ...createSsoHandlers(ssoConfig, ssoDeps),
    ...createSamlSignIn(ssoConfig, { ...ssoDeps, verify: saml.verify, complete }),
  }
}

/** The routes of endpoints, their versions and their secrets. */
function createEndpointHandlers(
  config: PortalApiConfig,
  deps: PortalApiDeps,
  changing: Pick<PortalApiDeps, 'database' | 'seal' | 'now'> & {
    compile: Compile
    announceChange: AnnounceChange
  },
) {
  const { database, checkDestination } = deps
  const { closeCircuit, afterChange } = wireChanges(deps)
  const { hasStorageDir, maxEndpoints } = config
  const saving = { ...changing, checkDestination, hasStorageDir, maxEndpoints, afterChange }
  const waking = { ...changing, wakeTarget: createWake(deps), closeCircuit }
  const schema = endpointSchemas(config.brand).EndpointConfig
  const egressIps = [...config.egressIps]
  return {
    createEndpoint: createCreateEndpoint(saving),
    ...createReadEndpoints({ database }),
    updateEndpoint: createUpdateEndpoint(saving),
    deleteEndpoint: createDeleteEndpoint(waking),
    ...createSetEndpointStatus(waking),
    ...createReadVersions({ database }),
    rollbackEndpoint: createRollbackEndpoint({ ...saving, schema }),
    rotateEndpointSecret: createRotateSecret(saving),
    ...createSetMtls(saving),
    listEgressIps: async () => ({ ips: egressIps }),
  }
}

/** The routes that read back events and deliveries, send them again, or hand them to polls. */
function createEventHandlers(
  config: PortalApiConfig,
  deps: PortalApiDeps,
  polls: WaitingPolls,
  onReplay: () => void,
) {
  const { database, pool, seal, bus, state, log, now } = deps
  const { version } = config
  return {
    listDeliveries: createListDeliveries({ pool, now }),
    listEventDeliveries: createReadEventDeliveries({ pool }),
    getDelivery: createReadDelivery({ brand: brandOf(config.brand), version }, { pool, seal }),
    explainEvent: createExplainEvent({ pool, state, clock: () => performance.now() }),
    testEndpoint: createTestEndpoint(config, {
      database,
      acceptForEndpoint: (event, endpointId) => acceptForEndpoint(pool, event, endpointId),
      announceDeliveries: createAnnounceDeliveries(bus),
      log,
    }),
    ...createReplayEndpoint({ database, pool, now, onReplay }),
    pollEvents: createPollEvents({ pool, polls }),
    ackPolled: createAckPolled({ pool, announceDueSoon: () => announceDueSoon(bus) }),
  }
}

function createService(
  deps: WiredDeps,
  polls: WaitingPolls,
  tickers: readonly Ticker[],
  mails: MailWorker,
): Service {
  const { bus, authenticate, log } = deps
  const listener = createPollListener({ bus, polls, log })
  let changes: Listener | undefined
  return {
    name: 'portal-api',
    async start() {
      listener.start()
      for (const ticker of tickers) ticker.start()
      mails.start()
      changes = listenForConfigChanges({
        bus,
        group: 'portal-api',
        onChange: authenticate.invalidateTenant,
        onError: (error) => log.warn('portal.not-listening', { error }),
      })
    },
    async stop(timeoutMs) {
      await Promise.all([mails.stop(timeoutMs), ...tickers.map((ticker) => ticker.stop())])
      await listener.stop()
      await changes?.stop()
      await within(timeoutMs, deps.portal.idle())
      await deps.saml.close()
      await deps.checks.passwords.close()
    },
  }
}
