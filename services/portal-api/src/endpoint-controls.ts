/**
 * What can be done with an endpoint beside setting its fields, and read of what became of an event;
 * wired in `app.ts`.
 */
import { endpointSchemas } from '@posthorn/contracts/endpoints'
import type { Handlers } from '@posthorn/http/handlers'
import { createTicker, type Ticker } from '@posthorn/runtime/ticker'
import { acceptForEndpoint } from '@posthorn/store/pipeline/accept-for-endpoint'
import { replaySlice, takeReplay } from '@posthorn/store/pipeline/bulk-replays'
import { createAnnounceDeliveries } from './announce-deliveries.ts'
import type { PortalApiConfig, PortalApiDeps } from './portal-api-deps.ts'
import { createReadVersions } from './endpoints/read-versions.ts'
import { createRollbackEndpoint, type RollbackEndpointDeps } from './endpoints/rollback-endpoint.ts'
import { createRotateSecret } from './endpoints/rotate-secret.ts'
import { createSetMtls, type SetMtlsDeps } from './endpoints/set-mtls.ts'
import { createTestEndpoint } from './endpoints/test-endpoint.ts'
import { createExplainEvent } from './explain/explain-event.ts'
import { createReplayEndpoint } from './replays/replay-endpoint.ts'
import { REPLAY_ROUND_MS, runReplays } from './replays/run-replays.ts'

type ControlHandlers = Pick<
  Handlers<'portal-api'>,
  | 'listEndpointVersions'
  | 'getEndpointVersion'
  | 'diffEndpointVersions'
  | 'rollbackEndpoint'
  | 'rotateEndpointSecret'
  | 'setEndpointMtls'
  | 'removeEndpointMtls'
  | 'testEndpoint'
  | 'replayEndpoint'
  | 'getReplay'
  | 'explainEvent'
>

export function createControls(
  config: PortalApiConfig,
  { database, pool, bus, state, log, now }: PortalApiDeps,
  saving: Omit<RollbackEndpointDeps, 'schema'> & SetMtlsDeps,
  onReplay: () => void,
): ControlHandlers {
  const schema = endpointSchemas(config.brand).EndpointConfig
  return {
    ...createReadVersions({ database }),
    rollbackEndpoint: createRollbackEndpoint({ ...saving, schema }),
    rotateEndpointSecret: createRotateSecret(saving),
    ...createSetMtls(saving),
    testEndpoint: createTestEndpoint(config, {
      database,
      acceptForEndpoint: (event, endpointId) => acceptForEndpoint(pool, event, endpointId),
      announceDeliveries: createAnnounceDeliveries(bus),
      log,
    }),
    ...createReplayEndpoint({ database, pool, now, onReplay }),
    explainEvent: createExplainEvent({ pool, state, clock: () => performance.now() }),
  }
}

export function createReplayTicker({ pool, bus, log }: PortalApiDeps): Ticker {
  const announceDeliveries = createAnnounceDeliveries(bus)
  return createTicker(
    {
      name: 'replays',
      everyMs: REPLAY_ROUND_MS,
      onError: (error) => log.warn('replay.failed', { error }),
    },
    () =>
      runReplays({
        takeReplay: () => takeReplay(pool),
        replaySlice: (held) => replaySlice(pool, held),
        announceDeliveries,
        writable: () => bus.writable(),
        log,
      }),
  )
}
