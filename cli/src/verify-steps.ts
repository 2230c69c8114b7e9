/**
 * The verification of a captured request, step by step, each with what was found. Where the
 * signature does not match, it is tried with what usually went wrong: a body that was parsed and
 * written again, a line break that an editor added, a secret with blanks around it.
 */
import { sign } from '../../sdks/node/src/webhooks.ts'
import type { CapturedRequest } from './captured-request.ts'

export interface VerifyStep {
  step: string
  isOk: boolean
  found: string
}

export interface VerifyInput {
  request: CapturedRequest
  secret: string
  brand: string
  /** Epoch ms. */
  now: number
  toleranceMs: number
}

interface Given {
  /** The name of the header that carries it. */
  name: string
  signature: string
  id: string
  timestamp: string
}

export async function verifySteps(input: VerifyInput): Promise<VerifyStep[]> {
  const { request, secret, brand } = input
  const steps: VerifyStep[] = []
  const given = givenIn(request, brand)
  const names = given.map(({ name }) => name).join(', ')
  const header = `x-${brand.toLowerCase()}-signature`
  steps.push({
    step: 'signature headers',
    isOk: given.length > 0,
    found:
      given.length > 0
        ? names
        : `neither ${header} nor webhook-signature, each with its id and timestamp`,
  })
  const [first] = given
  if (first === undefined) return steps
  steps.push(timestampStep(first, input), secretStep(secret))
  for (const one of given) {
    const expected = await signatureOf(one, request.body, secret, brand)
    const isOk = expected !== null && one.signature.split(/[\s]+/).includes(expected)
    const found = expected === null ? 'the secret is not whsec_ and base64' : `computed ${expected}`
    steps.push({
      step: one.name,
      isOk,
      found: isOk ? 'it matches' : `given ${one.signature}, ${found}`,
    })
  }
  if (steps.some(({ step, isOk }) => isOk && given.some(({ name }) => name === step))) return steps
  const cause = await causeOf(first, input)
  steps.push({ step: 'likely cause', isOk: false, found: cause })
  return steps
}

/** One scheme that holds is enough: only the standard's has the former secret's signature too. */
export function isVerified(steps: readonly VerifyStep[]): boolean {
  const signatures = steps.filter(({ step }) => step.endsWith('-signature'))
  const others = steps.filter((step) => !signatures.includes(step))
  return signatures.some(({ isOk }) => isOk) && others.every(({ isOk }) => isOk)
}

function givenIn({ headers }: CapturedRequest, brand: string): Given[] {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const prefixes = [`x-${brand.toLowerCase()}-`, 'webhook-']
  return prefixes.flatMap((prefix) => {
    const id = lower.get(prefix === 'webhook-' ? 'webhook-id' : `${prefix}event-id`)
    const timestamp = lower.get(`${prefix}timestamp`)
    const signature = lower.get(`${prefix}signature`)
    if (id === undefined || timestamp === undefined || signature === undefined) return []
    return [{ name: `${prefix}signature`, id, timestamp, signature }]
  })
}

function timestampStep({ timestamp }: Given, { now, toleranceMs }: VerifyInput): VerifyStep {
  const step = 'timestamp'
  if (!/^\d{1,12}$/.test(timestamp))
    return { step, isOk: false, found: `"${timestamp}" is no number of seconds` }
  const age = Math.round(now / 1_000) - Number(timestamp)
  const at = new Date(Number(timestamp) * 1_000).toISOString()
  const found = `${at}, ${Math.abs(age)} s ${age < 0 ? 'in the future' : 'ago'}`
  const isOk = Math.abs(age) * 1_000 <= toleranceMs
  return {
    step,
    isOk,
    found: isOk ? found : `${found}; at most ${toleranceMs / 1_000} s are taken`,
  }
}

function secretStep(secret: string): VerifyStep {
  const isStandard = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)
  const shape = isStandard ? 'whsec_ and base64' : 'a text of your own'
  const isOk = secret === secret.trim() && secret !== ''
  const found = isOk
    ? `${shape}, ${secret.length} characters`
    : 'it has blanks around it, or is empty'
  return { step: 'secret', isOk, found }
}

async function signatureOf(
  { name, id, timestamp }: Given,
  body: string,
  secret: string,
  brand: string,
): Promise<string | null> {
  const signed = await sign(body, secret, { id, brand, now: Number(timestamp) * 1_000 })
  const found = Object.entries(signed).find(([header]) => header.toLowerCase() === name)
  return found?.[1] ?? null
}

async function causeOf(given: Given, { request, secret, brand }: VerifyInput): Promise<string> {
  const { body } = request
  const bodies: [string, string | undefined][] = [
    ['the body has a line break at its end that was not sent', body.replace(/\r?\n$/, '')],
    ['the body has blanks around it that were not sent', body.trim()],
    ['the line breaks of the body were changed', body.replaceAll('\r\n', '\n')],
    ['the body was parsed and written again: verify the raw body', rewritten(body, undefined)],
    ['the body was parsed and written again: verify the raw body', rewritten(body, 2)],
    ['the body lost a line break at its end', `${body}\n`],
  ]
  const matches = async (text: string, key: string): Promise<boolean> => {
    const expected = await signatureOf(given, text, key, brand)
    return expected !== null && given.signature.split(/\s+/).includes(expected)
  }
  for (const [cause, text] of bodies)
    if (text !== undefined && text !== body && (await matches(text, secret))) return cause
  const secrets = [secret.trim(), secret.replace(/^whsec_/, ''), `whsec_${secret}`]
  for (const key of secrets)
    if (key !== secret && key !== '' && (await matches(body, key)))
      return 'the secret was not copied as a whole, or has something around it'
  return 'another secret, or another body: compare the secret of the endpoint, and use the raw body'
}

function rewritten(body: string, indent: number | undefined): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, indent)
  } catch {
    return undefined
  }
}
