/** What a try goes through on its way out: transformation, the guarded way or the store. Wired for `wire.ts`. */
import { deliveryHeaderNames } from '@posthorn/domain/brand'
import { createLoadScript, readScriptFrom } from './load-script.ts'
import { createStore } from './storage/sink.ts'
import { createTransform } from './transform.ts'
import { createTryDelivery, type TryDelivery, type TryDeps } from './try-delivery.ts'
import type { DispatcherConfig, DispatcherDeps } from './dispatcher-deps.ts'

type TryParts = Pick<
  TryDeps,
  'loadPayload' | 'loaded' | 'ended' | 'record' | 'drop' | 'cancel' | 'now'
>

export function wireTries(
  { brand, version, storageDir }: DispatcherConfig,
  { pool, egress, sandbox, clock, log, random }: DispatcherDeps,
  parts: TryParts,
): TryDelivery {
  const { send } = egress
  const { now } = parts
  const userAgent = `Posthorn/${version}`
  return createTryDelivery(
    { names: deliveryHeaderNames(brand), userAgent },
    {
      ...parts,
      send,
      store: createStore({ storageDir, userAgent }, { send, now, log }),
      transform: createTransform({
        loadScript: createLoadScript({ readScript: readScriptFrom(pool) }),
        run: sandbox.run,
        now,
      }),
      databaseNow: clock.now,
      random: random ?? Math.random,
      log,
    },
  )
}
