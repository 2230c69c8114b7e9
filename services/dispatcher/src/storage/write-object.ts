/**
 * One try of an endpoint in storage mode: its event becomes one object of the endpoint's store. Each try writes the same
 * key, so a repeat replaces what an earlier one may have left.
 *
 * Our own network is told as it is for any destination (`timeout`, `dns`, `blocked`, …); what the store has against the
 * object is category `storage`. It stands here and not in a library, for nobody but a dispatcher writes; what the
 * management plane must know of it, the rules of a prefix, is in `libs/domain`.
 */
import type { StorageCredentials, StorageTarget } from '@posthorn/contracts/storage-config'
import { filePath, objectKey } from '@posthorn/domain/object-key'
import type { Egress, SendError, SendResponse } from '@posthorn/egress/egress'
import type { Log } from '@posthorn/runtime/log'
import { createFileSink } from './file-sink.ts'
import { createS3Sink } from './s3-sink.ts'

export interface ResolvedStorage {
  /** Another whenever target or credentials are. */
  key: string
  tenantId: string
  target: StorageTarget
  /** null: requests go unsigned. Throws when they were sealed under a master key that is not given. */
  credentials(): StorageCredentials | null
  timeoutMs: number
  allowedCidrs: readonly string[] | undefined
  blockedCidrs: readonly string[] | undefined
}

export interface StoredEvent {
  eventId: string
  eventType: string | null
  /** Epoch ms. */
  createdAt: number
  body: string
}

/** The store answered, and did not take the object. */
export interface RefusedWrite extends SendResponse {
  refusal: string
}

export interface StorageError extends Omit<SendError, 'category'> {
  category: 'storage'
}

export type WriteResult = SendResponse | RefusedWrite | SendError | StorageError

/** Never rejects. */
export type WriteObject = (way: ResolvedStorage, event: StoredEvent) => Promise<WriteResult>

export interface SinkConfig {
  /** `STORAGE_DIR`; undefined: no files are written. */
  storageDir: string | undefined
  userAgent: string
}

export interface SinkDeps {
  send: Egress['send']
  /** ms of the clock that egress uses. */
  now(): number
  log: Pick<Log, 'error'>
}

export function createSink(config: SinkConfig, { send, now, log }: SinkDeps): WriteObject {
  const putObject = createS3Sink(config, { send })
  const { storageDir } = config
  const putFile = storageDir === undefined ? null : createFileSink(storageDir, { now })

  return async (way, event) => {
    const startedAt = now()
    const { target } = way
    const failed = (category: 'storage' | 'internal', detail: string): WriteResult => {
      const lastByteInAt = now()
      const times = { firstByteOutAt: null, lastByteInAt, durationMs: lastByteInAt - startedAt }
      return { outcome: 'error', category, detail, ...times }
    }
    try {
      const identity = { prefix: target.prefix, ...event }
      if (target.type === 's3') return await putObject(way, target, objectKey(identity), event)
      if (putFile === null) return failed('storage', 'files are off here: STORAGE_DIR is not set')
      return await putFile(filePath(way.tenantId, identity), event.body, way.timeoutMs)
    } catch (error) {
      log.error('storage.not-tried', { eventId: event.eventId, storage: way.key, error })
      return failed('internal', (error as Error).message)
    }
  }
}
