/** The storage sink of an endpoint in storage mode: where it writes the objects of its events. */
import { z } from 'zod'
import { DestinationUrl } from './fields.ts'

/** Its segments are checked before the endpoint is saved. */
const StoragePrefix = z.string().max(512)
/** The bucket becomes part of a host name, where any other character could name another host. */
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

/** The sink without its credentials: this is stored as configuration and shown. */
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
 * Any S3-compatible store, or files below `STORAGE_DIR`. Both credentials are sealed and never
 * returned. When they are left out they stay as they are as long as `type` and `endpoint` do. Null
 * for both removes them; requests are then sent unsigned.
 */
export const StorageConfig = z.discriminatedUnion('type', [
  z.strictObject({ ...s3Fields, accessKeyId: Credential, secretAccessKey: Credential }),
  FileStorage,
])
export type StorageConfig = z.infer<typeof StorageConfig>

/** The JSON that is sealed in an endpoint's row. */
export interface StorageCredentials {
  accessKeyId: string
  secretAccessKey: string
}
