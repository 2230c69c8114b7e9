/**
 * Forged key ids and certificate addresses, a new one in each request, at sources whose platforms
 * publish their keys. What a neighbour's source is sent meanwhile is verified all the same, with
 * keys that are known and with keys that have to be fetched first.
 */
import { randomUUID } from 'node:crypto'
import { eventually } from '@posthorn/testing/eventually'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import { inBase64 } from '../key-server.ts'

const FLOOD_MS = 3_000
const AT_ONCE = 16
const SIGNED_EVERY_MS = 50
/** More key sets than a source may have fetched in a minute, all at the neighbour's platform. */
const KEY_SETS = 25

interface ForgedRequest {
  headers: Record<string, string>
  body: string
}

/** A signature that is none, behind a head that names a key. */
function forgedToken(alg: string): string {
  const iat = Math.floor(Date.now() / 1_000)
  const head = { alg, kid: randomUUID(), typ: 'JWT' }
  return `${inBase64(head)}.${inBase64({ iat, exp: iat + 180 })}.${'A'.repeat(86)}`
}

function forgeFusionauth(): ForgedRequest {
  return {
    headers: { 'X-FusionAuth-Signature-JWT': forgedToken('ES256') },
    body: '{"event":{"type":"user.create"}}',
  }
}

const FORGERIES: Readonly<Record<string, () => ForgedRequest>> = {
  paypal: () => ({
    headers: {
      'PAYPAL-TRANSMISSION-ID': randomUUID(),
      'PAYPAL-TRANSMISSION-TIME': new Date().toISOString(),
      'PAYPAL-CERT-URL': `https://api.paypal.com/v1/notifications/certs/CERT-${randomUUID()}`,
      'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
      'PAYPAL-TRANSMISSION-SIG': Buffer.alloc(256).toString('base64'),
    },
    body: '{"event_type":"PAYMENT.SALE.COMPLETED"}',
  }),
  plaid: () => ({ headers: { 'Plaid-Verification': forgedToken('ES256') }, body: '{}' }),
  circle: () => ({
    headers: {
      'X-Circle-Key-Id': randomUUID(),
      'X-Circle-Signature': Buffer.alloc(70).toString('base64'),
    },
    body: '{"notificationType":"transactions.inbound"}',
  }),
  ebay: () => ({
    headers: {
      'x-ebay-signature': Buffer.from(
        JSON.stringify({ alg: 'ecdsa', kid: randomUUID(), signature: 'AAAA', digest: 'SHA1' }),
      ).toString('base64'),
    },
    body: '{"metadata":{"topic":"MARKETPLACE_ACCOUNT_DELETION"}}',
  }),
  'atlassian-connect': () => ({
    headers: { Authorization: `JWT ${forgedToken('RS256')}` },
    body: JSON.stringify({
      eventType: 'installed',
      key: 'app',
      clientKey: 'jira:1',
      sharedSecret: 'made-up',
      baseUrl: 'https://site.atlassian.net',
    }),
  }),
  'aws-sns': () => ({
    headers: { 'x-amz-sns-message-type': 'Notification' },
    body: JSON.stringify({
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: 'arn:aws:sns:us-east-1:123456789012:topic',
      Message: '{}',
      Timestamp: new Date().toISOString(),
      SignatureVersion: '1',
      Signature: Buffer.alloc(256).toString('base64'),
      SigningCertURL: `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${randomUUID().replaceAll('-', '')}.pem`,
    }),
  }),
  fusionauth: forgeFusionauth,
}

interface Signed {
  url: string
  answers: Map<number, number>
}

async function forgedKeyIds(arena: Arena): Promise<Dose> {
  const { keyServer } = arena
  const [attacker, neighbour] = [await arena.newTenant(), await arena.newTenant()]
  const keySet = (path: string) => ({ jwks_uri: `${keyServer.url}/${path}` })
  const attacked: { url: string; forge: () => ForgedRequest }[] = []
  for (const [platform, forge] of Object.entries(FORGERIES)) {
    const config = platform === 'fusionauth' ? keySet('shared') : undefined
    attacked.push({ url: (await attacker.createSource(platform, config)).url, forge })
  }

  const keySets: string[] = []
  for (let n = 0; n < KEY_SETS; n += 1) {
    keySets.push((await attacker.createSource('fusionauth', keySet(randomUUID()))).url)
  }

  async function sendForgery(url: string, { headers, body }: ForgedRequest): Promise<void> {
    const own = { 'Content-Type': 'application/json', ...headers }
    await arena.send(url, { method: 'POST', headers: own, body })
  }

  async function sendForged(): Promise<void> {
    const until = performance.now() + FLOOD_MS
    for (let n = Math.floor(Math.random() * attacked.length); performance.now() < until; n += 1) {
      const { url, forge } = attacked[n % attacked.length] as (typeof attacked)[number]
      await sendForgery(url, forge())
    }
  }

  async function sendSigned({ url, answers }: Signed): Promise<void> {
    const body = JSON.stringify({ event: { id: randomUUID(), type: 'user.create' } })
    const headers = {
      'Content-Type': 'application/json',
      'X-FusionAuth-Signature-JWT': keyServer.tokenFor(body),
    }
    const { status } = await arena.send(url, { method: 'POST', headers, body })
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }

  return async () => {
    await Promise.all(keySets.map((url) => sendForgery(url, forgeFusionauth())))
    // One source's keys are those that the attack asks for again and again, the other's are fetched
    // in the midst of it.
    const signed: Signed[] = []
    for (const path of ['shared', randomUUID()]) {
      const { url } = await neighbour.createSource('fusionauth', keySet(path))
      signed.push({ url, answers: new Map() })
    }
    const flood = Array.from({ length: AT_ONCE * attacked.length }, sendForged)
    const asking: Promise<void>[] = []
    const until = performance.now() + FLOOD_MS
    await eventually(
      () => {
        for (const one of signed) asking.push(sendSigned(one))
        return performance.now() > until
      },
      { timeoutMs: 2 * FLOOD_MS, everyMs: SIGNED_EVERY_MS },
    )
    await Promise.all([...flood, ...asking])
    return signed.flatMap(({ answers }) =>
      [...answers]
        .filter(([status]) => status >= 300)
        .map(
          ([status, times]) => `a neighbour’s signed request was answered ${status}, ${times} x`,
        ),
    )
  }
}

export const KEY_IDS: readonly Attack[] = [
  attack(
    'inbound: forged key ids at sources whose keys are fetched',
    '20 a minute stopped PayPal, Plaid, Circle, eBay, Atlassian and SNS for all tenants',
    forgedKeyIds,
  ),
]
