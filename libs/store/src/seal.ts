/**
 * Seals secrets at rest: AES-256-GCM under the master key. A sealed text names its key, so that the master key can be
 * rotated: new secrets are sealed under the first key, and every key given still opens what it sealed.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const VERSION = 's1'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export interface Seal {
  seal(secret: string): string
  /** Throws when the text was sealed under a key that is not given, or was changed. */
  open(sealed: string): string
}

/** @param keys 32 bytes in base64 each; the first one seals */
export function createSeal(keys: readonly string[]): Seal {
  const byId = new Map<string, Buffer>()
  for (const text of keys) {
    const key = Buffer.from(text, 'base64')
    if (key.length !== KEY_BYTES) throw new Error('MASTER_KEY must be 32 bytes in base64')
    byId.set(keyId(key), key)
  }
  const [current] = byId
  if (current === undefined) throw new Error('MASTER_KEY is missing: set 32 bytes in base64')
  return { seal: (secret) => sealWith(current[0], current[1], secret), open }

  function open(sealed: string): string {
    const [version, id, data] = sealed.split(':')
    const key = byId.get(id ?? '')
    if (version !== VERSION || data === undefined) throw new Error('not a sealed secret')
    if (key === undefined) throw new Error(`sealed under a master key that is not given: ${id}`)
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('a sealed secret is cut short')
    const iv = bytes.subarray(0, IV_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }
}

function sealWith(id: string, key: Buffer, secret: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${VERSION}:${id}:${Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64')}`
}

/** Names a key without telling it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('posthorn master key').update(key).digest('hex').slice(0, 8)
}
