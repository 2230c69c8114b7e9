/** What a try goes through on its way out: transformation, the guarded way or the store. Wired for `wire.ts`. */
import { deliveryHeaderNames } from '@posthorn/domain/brand'
import { createLoadScript, readScriptFrom } from './send/load-script.ts'
import { createSink } from './storage/write-object.ts'
import { createTransform } from './send/transform.ts'
import { createSendAttempt, type SendAttempt, type SendAttemptDeps } from './send/send-attempt.ts'
import type { DispatcherConfig, DispatcherDeps } from './dispatcher-deps.ts'

type TryParts = Pick<
  SendAttemptDeps,
  'loadPayload' | 'loaded' | 'ended' | 'record' | 'drop' | 'cancel' | 'now'
>

export function wireTries(
  { brand, version, storageDir }: DispatcherConfig,
  { pool, egress, sandbox, clock, log, random }: DispatcherDeps,
  parts: TryParts,
): SendAttempt {
  const { send } = egress
  const { now } = parts
  const userAgent = `Posthorn/${version}`
  return createSendAttempt(
    { names: deliveryHeaderNames(brand), userAgent },
    {
      ...parts,
      send,
      writeObject: createSink({ storageDir, userAgent }, { send, now, log }),
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
