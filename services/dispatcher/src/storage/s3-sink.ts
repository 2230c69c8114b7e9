/**
 * Writes an object to an S3-compatible store, through Amazon's SDK for what it knows (signatures,
 * hosts, errors) and through egress for the rest. The SDK is loaded when the first object is
 * written: it takes 0.15 s and 30 MB, which most installations never need.
 *
 * What the environment says of Amazon (credentials, profiles, endpoints) is not read: it is the
 * operator's, and a request is a tenant's. Nothing is repeated here: retries are the pipeline's.
 */
import type * as sdkTypes from '@aws-sdk/client-s3'
import type { StorageTarget } from '@posthorn/contracts/storage-config'
import type { Egress, SendResult } from '@posthorn/egress/egress'
import { createS3Handler, type S3SendOptions } from './s3-handler.ts'
import { describeRefusal, withoutKey } from './s3-refusal.ts'
import type { ResolvedStorage } from './resolve-storage.ts'
import type { StoredEvent, WriteResult } from './write-result.ts'

type S3Target = Extract<StorageTarget, { type: 's3' }>
type Sdk = typeof sdkTypes

interface Opened {
  client: sdkTypes.S3Client
  accessKeyId: string | null
}

/** Beyond this the one that was made first goes: making another takes 0.3 ms. */
const MAX_CLIENTS = 256

export type PutObject = (
  storage: ResolvedStorage,
  target: S3Target,
  key: string,
  event: StoredEvent,
) => Promise<WriteResult>

/** Rejects with a failure that is none of the store's doing. */
export function createS3Sink(
  config: { userAgent: string },
  { send }: { send: Egress['send'] },
): PutObject {
  const opened = new Map<string, Opened>()
  let loading: Promise<Sdk> | undefined

  function open(sdk: Sdk, storage: ResolvedStorage, target: S3Target): Opened {
    const known = opened.get(storage.key)
    if (known !== undefined) return known
    const [oldest] = opened.keys()
    if (opened.size >= MAX_CLIENTS && oldest !== undefined) opened.delete(oldest)
    const made = openClient(sdk, storage, target, config.userAgent, send)
    opened.set(storage.key, made)
    return made
  }

  return async (storage, target, key, { eventId, eventType, body }) => {
    const sdk = await (loading ??= import('@aws-sdk/client-s3'))
    const { client, accessKeyId } = open(sdk, storage, target)
    let sent: SendResult | undefined
    const onSent: S3SendOptions['onSent'] = (result) => void (sent = result)
    const command = new sdk.PutObjectCommand({
      Bucket: target.bucket,
      Key: key,
      Body: body,
      ContentType: 'application/json',
      Metadata: { 'event-id': eventId, ...(eventType === null ? {} : { 'event-type': eventType }) },
    })
    let failure: unknown
    let isStored = false
    try {
      isStored = (await client.send(command, { onSent } as object)).ETag !== undefined
    } catch (error) {
      failure = error
    }
    if (sent === undefined) throw failure
    return classify(sent, failure, isStored, { bucket: target.bucket, accessKeyId })
  }
}

function classify(
  sent: SendResult,
  failure: unknown,
  isStored: boolean,
  place: { bucket: string; accessKeyId: string | null },
): WriteResult {
  if (sent.outcome === 'error' || isStored) return sent
  const { firstByteOutAt, lastByteInAt, durationMs, statusCode } = sent
  const times = { firstByteOutAt, lastByteInAt, durationMs }
  // A store names the object that it has taken by an ETag; some other server answers whatever it is
  // sent with 200.
  if (statusCode >= 200 && statusCode < 300) {
    const detail = `status ${statusCode} without an ETag: is this an S3 endpoint?`
    return { outcome: 'error', category: 'storage', detail, ...times }
  }
  const error = failure instanceof Error ? failure : new Error('no reason')
  const body = withoutKey(sent.body, place.accessKeyId)
  return { ...sent, body, refusal: describeRefusal(error, statusCode, place) }
}

function openClient(
  sdk: Sdk,
  storage: ResolvedStorage,
  { region, endpoint, forcePathStyle }: S3Target,
  userAgent: string,
  send: Egress['send'],
): Opened {
  const credentials = storage.credentials()
  const { tenantId: owner, timeoutMs, allowedCidrs, blockedCidrs } = storage
  const client = new sdk.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    forcePathStyle: forcePathStyle ?? endpoint !== undefined,
    ...(credentials === null ? UNSIGNED : { credentials: { ...credentials } }),
    requestHandler: createS3Handler(send, {
      owner,
      timeoutMs,
      allowedCidrs,
      blockedCidrs,
    }) as never,
    customUserAgent: userAgent,
    // Each is asked of the environment where it is not given.
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    disableS3ExpressSessionAuth: true,
    authSchemePreference: [],
    sigv4aSigningRegionSet: [],
    userAgentAppId: async () => undefined,
    // The signature covers the body; checksums beside it are not known to every store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  })
  return { client, accessKeyId: credentials?.accessKeyId ?? null }
}

/**
 * Without these the SDK looks for credentials by itself: in the environment, in files, at the
 * cloud's metadata service.
 */
const UNSIGNED = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: async <Request>(request: Request): Promise<Request> => request },
}
