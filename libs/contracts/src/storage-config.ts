/** Where an endpoint in storage mode writes its events' objects. */
import { z } from 'zod'
import { DestinationUrl } from './fields.ts'

/** Judged further before it is saved. */
const StoragePrefix = z.string().max(512)
/** Part of a host name: what is not of these would name another host. */
const Bucket = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/, 'must be the name of a bucket')
const Region = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be letters, digits and dashes')

const s3Fields = {
  type: z.literal('s3'),
  bucket: Bucket,
  region: Region,
  prefix: StoragePrefix.optional(),
  endpoint: DestinationUrl.optional().describe('of a store other than Amazon’s'),
  forcePathStyle: z
    .boolean()
    .optional()
    .describe('the bucket in the path, not in the host; default: true with an `endpoint`'),
}
const FileStorage = z.strictObject({ type: z.literal('file'), prefix: StoragePrefix.optional() })

/** Where objects go, without the credentials: what is kept as configuration, and what is shown. */
export const StorageTarget = z.discriminatedUnion('type', [z.strictObject(s3Fields), FileStorage])
export type StorageTarget = z.infer<typeof StorageTarget>

const Credential = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
  .nullable()
  .optional()

/**
 * Any S3-compatible store, or files below `STORAGE_DIR`. Both credentials are sealed and never returned. Left out, they
 * stay as they are while `type` and `endpoint` do; null for both removes them: requests go out unsigned then.
 */
export const StorageConfig = z.discriminatedUnion('type', [
  z.strictObject({ ...s3Fields, accessKeyId: Credential, secretAccessKey: Credential }),
  FileStorage,
])
export type StorageConfig = z.infer<typeof StorageConfig>

/** As the sealed text of an endpoint's row holds them, in JSON. */
export interface StorageCredentials {
  accessKeyId: string
  secretAccessKey: string
}
