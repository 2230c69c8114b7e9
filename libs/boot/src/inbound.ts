/**
 * Opens the verifier of inbound webhooks, and its way to what platforms publish: through the
 * guarded egress, for small answers that come soon.
 */
import { createEgress } from '@posthorn/egress/egress'
import type { FetchOptions, FetchText } from '@posthorn/inbound/fetched-keys'
import { createVerifier, type Verifier } from '@posthorn/inbound/verifier'
import type { Settings } from '@posthorn/runtime/config'
import { VERSION } from './version.ts'

export interface OpenVerifier extends Verifier {
  /** What a platform's own address answers. @throws unless it answers 200 in time */
  fetchText: FetchText
  close(): Promise<void>
}

/** A key set or a chain of certificates is some kilobytes. */
const MAX_BYTES = 256 * 1024
/**
 * Platforms want their answer within seconds, and two things may be fetched one after the other:
 * what names the sender, and its key.
 */
const TIMEOUT_MS = 5_000

export function openVerifier(settings: Settings): OpenVerifier {
  const egress = createEgress({
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
    requireHttps: true,
    maxResponseBodyBytes: MAX_BYTES,
    maxReadBytes: MAX_BYTES,
  })
  async function fetchText(url: URL, asking?: FetchOptions): Promise<string> {
    const answer = await egress.send({
      url: url.href,
      method: asking?.body === undefined ? 'GET' : 'POST',
      headers: {
        accept: '*/*',
        'user-agent': `${settings.BRAND}/${VERSION}`,
        ...asking?.headers,
      },
      body: asking?.body ?? '',
      timeoutMs: TIMEOUT_MS,
    })
    if (answer.outcome === 'error') throw new Error(`${url.host}: ${answer.detail}`)
    if (answer.statusCode !== 200) {
      const error = new Error(`${url.host} answered ${answer.statusCode}`)
      throw Object.assign(error, { status: answer.statusCode })
    }
    return answer.body
  }
  return {
    ...createVerifier({ fetchText, now: Date.now }),
    fetchText,
    close: () => egress.close(),
  }
}
