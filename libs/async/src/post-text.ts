/**
 * One POST to an address that the operator has set: a token endpoint, a collector. It guards no
 * address, so it is not for what tenants name.
 */
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'

export interface TextPost {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  timeoutMs: number
  /** An answer that is longer is an error. */
  maxBytes: number
  /** The authority that signed its certificate, as PEM; default: the public ones. */
  ca?: string | undefined
}

export async function postText(post: TextPost): Promise<{ status: number; text: string }> {
  const { url, headers, body, timeoutMs, maxBytes, ca } = post
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const send = url.startsWith('https:') ? requestTls : requestPlain
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.timeout(timeoutMs),
    agent: false as const,
    ...(ca !== undefined && { ca }),
  }
  const asked = send(url, options, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      text += part
      if (text.length > maxBytes) asked.destroy(new Error(`${url} answered too much`))
    })
    response.once('error', reject)
    response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
  })
  asked.once('error', reject)
  asked.end(body)
  return await promise
}
