/** What `doctor` sees of an endpoint from here: its name, its TLS, and whether it verifies. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import { sign } from '../../sdks/node/src/webhooks.ts'
import { reasonOf } from './failure.ts'

export interface Finding {
  check: string
  result: 'ok' | 'warn' | 'failed' | 'skip'
  found: string
}

const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000
/** Renewals are due a month before the end. */
const WARN_DAYS = 21
const PRIVATE =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0\.|::1$|f[cd]|fe80:)/i

export async function checkName({ hostname }: URL): Promise<Finding> {
  const name = hostname.replace(/^\[|\]$/g, '')
  try {
    const found = isIP(name) === 0 ? await lookup(name, { all: true }) : [{ address: name }]
    const addresses = found.map(({ address }) => address)
    const inside = addresses.filter((address) => PRIVATE.test(address))
    if (inside.length === 0) return { check: 'DNS', result: 'ok', found: addresses.join(', ') }
    const told = `${inside.join(', ')}: an installation refuses private addresses unless allowed`
    return { check: 'DNS', result: 'warn', found: told }
  } catch (error) {
    return { check: 'DNS', result: 'failed', found: reasonOf(error) }
  }
}

export async function checkTls(url: URL): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    const { certificate, protocol, refusal } = await shakeHands(host, Number(url.port) || 443)
    if (refusal !== null) return { check: 'TLS', result: 'failed', found: refusal }
    const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / DAY_MS)
    const issuer = [certificate.issuer?.O ?? certificate.issuer?.CN ?? 'nobody'].flat()[0]
    const found = `${protocol}, issued by ${issuer}, valid for ${days} days`
    return { check: 'TLS', result: days < WARN_DAYS ? 'warn' : 'ok', found }
  } catch (error) {
    return { check: 'TLS', result: 'failed', found: reasonOf(error) }
  }
}

interface Handshake {
  certificate: PeerCertificate
  protocol: string
  /** null: the certificate is one that deliveries take. */
  refusal: string | null
}

async function shakeHands(host: string, port: number): Promise<Handshake> {
  return await new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? { servername: host } : {}
    // It is looked at, and nothing is sent to it.
    const socket = connectTls({ host, port, rejectUnauthorized: false, ...servername }, () => {
      resolve({
        certificate: socket.getPeerCertificate(),
        protocol: socket.getProtocol() ?? 'TLS',
        refusal: socket.authorized ? null : String(socket.authorizationError),
      })
      socket.destroy()
    })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no handshake within 10 s')))
    socket.on('error', reject)
  })
}

/** A request that nobody signed: an endpoint that answers it with 2xx does not verify. */
export async function checkForgery(url: URL): Promise<Finding> {
  const body = '{"forged":"by posthorn doctor, to see that it is refused"}'
  try {
    const headers = await sign(body, `whsec_${btoa(crypto.randomUUID())}`)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.body?.cancel()
    const found = `a forged request was answered ${response.status}`
    if (!response.ok) return { check: 'verification', result: 'ok', found }
    return { check: 'verification', result: 'failed', found: `${found}: verify the signature` }
  } catch (error) {
    return { check: 'verification', result: 'warn', found: reasonOf(error) }
  }
}
