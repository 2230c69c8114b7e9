/** Why a store did not take an object, in words that tell what to change. Pure. */

/** What the SDK makes of the store's response. */
export interface S3Failure {
  /**
   * The store's code, such as `NoSuchBucket`; where the response is not S3's, whatever there is.
   */
  name: string
  message: string
}

export interface S3Place {
  bucket: string
  /** null: the request was not signed. */
  accessKeyId: string | null
}

const CREDENTIALS = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidClientTokenId',
  'InvalidSecurity',
  'InvalidToken',
  'ExpiredToken',
  'UnrecognizedClientException',
  'XAdminUserNotFound',
]
const DENIED = ['AccessDenied', 'AllAccessDisabled', 'AccountProblem', 'Forbidden', 'Unauthorized']
const ELSEWHERE = [
  'PermanentRedirect',
  'TemporaryRedirect',
  'Redirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]
const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'EntityTooLarge']
const BUSY = ['SlowDown', 'ServiceUnavailable', 'RequestLimitExceeded', 'InternalError', 'Busy']
const MAX_MESSAGE_CHARACTERS = 300

export function describeRefusal(
  { name, message }: S3Failure,
  statusCode: number,
  place: S3Place,
): string {
  return `${reasonOf(name, message, statusCode, place)} (${codeOf(name)}, status ${statusCode})`
}

function reasonOf(name: string, message: string, statusCode: number, place: S3Place): string {
  const { bucket, accessKeyId } = place
  if (name === 'NoSuchBucket') return `there is no bucket ${bucket}`
  if (CREDENTIALS.includes(name)) {
    return accessKeyId === null ? 'the store asks for credentials' : 'the credentials are refused'
  }
  if (name === 'RequestTimeTooSkewed') return 'the clocks of the store and of this service differ'
  if (FULL.includes(name) || statusCode === 507) return 'the store is full'
  if (BUSY.includes(name) || statusCode >= 500) return 'the store is in trouble'
  if (ELSEWHERE.includes(name) || (statusCode >= 300 && statusCode < 400)) {
    return `bucket ${bucket} is in another region or at another endpoint`
  }
  if (DENIED.includes(name) || statusCode === 401 || statusCode === 403) {
    return accessKeyId === null
      ? `access denied to bucket ${bucket}: there are no credentials`
      : `access denied: these credentials may not write to bucket ${bucket}`
  }
  const [line = ''] = withoutKey(message, accessKeyId).split('\n')
  return `the store refused the object: ${line.slice(0, MAX_MESSAGE_CHARACTERS)}`
}

function codeOf(name: string): string {
  return /^[A-Za-z][\w.]{0,63}$/.test(name) ? name : 'no code'
}

/** Stores repeat the key id in their responses; no more of it is shown than its end. */
export function withoutKey(text: string, accessKeyId: string | null): string {
  if (accessKeyId === null) return text
  return text.replaceAll(accessKeyId, `***${accessKeyId.slice(-4)}`)
}
