/**
 * The flow of the storage: an attempt of an endpoint in storage mode writes its event as one object
 * of the endpoint's store, S3 (`s3-sink.ts`) or a folder (`file-sink.ts`). Each attempt writes the
 * same key, so a repeat replaces what an earlier one may have left.
 *
 * Failures of the network have the categories that they have for any destination (`timeout`, `dns`,
 * `blocked`, …); a store that refuses the object is category `storage`. All this stands here and
 * not in a library, for nobody but a dispatcher writes; the rules of a prefix, which the management
 * plane must know, are in `libs/domain`.
 */
import { filePath, objectKey } from '@posthorn/domain/object-key'
import type { Egress } from '@posthorn/egress/egress'
import type { Log } from '@posthorn/runtime/log'
import { createFileSink } from './file-sink.ts'
import type { ResolvedStorage } from './resolve-storage.ts'
import { createS3Sink } from './s3-sink.ts'
import type { StoredEvent, WriteResult } from './write-result.ts'

/** Never rejects. */
export type WriteObject = (storage: ResolvedStorage, event: StoredEvent) => Promise<WriteResult>

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

  return async (storage, event) => {
    const startedAt = now()
    const { target } = storage
    const failed = (category: 'storage' | 'internal', detail: string): WriteResult => {
      const lastByteInAt = now()
      const times = { firstByteOutAt: null, lastByteInAt, durationMs: lastByteInAt - startedAt }
      return { outcome: 'error', category, detail, ...times }
    }
    try {
      const identity = { prefix: target.prefix, ...event }
      if (target.type === 's3') return await putObject(storage, target, objectKey(identity), event)
      if (putFile === null) return failed('storage', 'files are off here: STORAGE_DIR is not set')
      return await putFile(filePath(storage.tenantId, identity), event.body, storage.timeoutMs)
    } catch (error) {
      log.error('storage.not-tried', { eventId: event.eventId, storage: storage.key, error })
      return failed('internal', (error as Error).message)
    }
  }
}
