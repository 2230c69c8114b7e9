/**
 * `posthorn doctor`: what stands between this machine, the installation and an endpoint, checked
 * one after the other. It sends nothing to an endpoint unless `--send` says so.
 */
import type { Endpoint, Posthorn } from '../../sdks/node/src/posthorn-node.ts'
import { sign, verify } from '../../sdks/node/src/webhooks.ts'
import { connect, type GlobalOptions } from './connect.ts'
import { checkForgery, checkName, checkTls, type Finding } from './endpoint-checks.ts'
import { describeError, exitCodeOf, failure } from './failure.ts'
import { eventuallyEnded } from './ended-event.ts'
import { findMe } from './login.ts'
import type { Output } from './output.ts'
import type { Account } from './profiles.ts'

export interface DoctorOptions extends GlobalOptions {
  send?: boolean
}

/** Receivers refuse a timestamp that is five minutes off; well below, it is worth a word. */
const CLOCK_WARN_MS = 30_000
const CLOCK_FAIL_MS = 300_000

export async function doctor(
  target: string | undefined,
  options: DoctorOptions,
  out: Output,
): Promise<void> {
  let failed = 0
  let exitCode: number | undefined
  const show = (finding: Finding): void => {
    if (finding.result === 'failed') failed += 1
    const { check, result, found } = finding
    out.result(finding, `${result.padEnd(6)}  ${check}: ${found}`)
  }
  const { posthorn, account } = await connect(options, out)
  for (const check of installationChecks(account)) {
    try {
      show(await check.run())
    } catch (error) {
      exitCode ??= exitCodeOf(error)
      show({ check: check.name, result: 'failed', found: describeError(error).error })
    }
  }
  if (target !== undefined && failed === 0) {
    const endpoint = /^https?:\/\//i.test(target) ? null : await posthorn.endpoints.get(target)
    for (const finding of await endpointFindings(posthorn, target, endpoint, options)) show(finding)
  }
  if (failed > 0) throw failure(`${failed} checks failed`, exitCode)
}

interface Check {
  name: string
  run(): Promise<Finding>
}

function installationChecks({ url, apiKey }: Account): Check[] {
  return [
    { name: 'connection', run: async () => await checkConnection(url) },
    { name: 'clock', run: async () => await checkClock(url) },
    {
      name: 'API key',
      async run() {
        const me = await findMe(url, apiKey)
        const found = me === null ? 'one' : `of ${me.name}, with ${me.scopes.join(', ')}`
        return { check: 'API key', result: 'ok', found }
      },
    },
    { name: 'signature', run: checkSignature },
  ]
}

async function checkConnection(url: string): Promise<Finding> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) })
  const ms = Math.round(performance.now() - startedAt)
  const isOk = response.status === 200
  const found = `${url} answered ${response.status} in ${ms} ms${isOk ? '' : ': it is not ready'}`
  return { check: 'connection', result: isOk ? 'ok' : 'failed', found }
}

async function checkClock(url: string): Promise<Finding> {
  const before = Date.now()
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) })
  const after = Date.now()
  const there = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(there))
    return { check: 'clock', result: 'warn', found: 'the installation does not tell its time' }
  // Its header has whole seconds: half a second is added, on average.
  const off = Math.round((before + after) / 2 - (there + 500))
  const seconds = Math.abs(off / 1_000).toFixed(1)
  const found = `this machine is ${seconds} s ${off < 0 ? 'behind' : 'ahead'}`
  const result =
    Math.abs(off) > CLOCK_FAIL_MS ? 'failed' : Math.abs(off) > CLOCK_WARN_MS ? 'warn' : 'ok'
  return { check: 'clock', result, found }
}

/** This machine's own cryptography: what it signs, it verifies. */
async function checkSignature(): Promise<Finding> {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  await verify('{}', await sign('{}', secret), secret)
  return { check: 'signature', result: 'ok', found: 'what is signed here is verified here' }
}

async function endpointFindings(
  posthorn: Posthorn,
  target: string,
  endpoint: Endpoint | null,
  { send }: DoctorOptions,
): Promise<Finding[]> {
  const findings: Finding[] = endpoint === null ? [] : [stateOf(endpoint)]
  if (endpoint !== null && endpoint.deliveryMode !== 'push') return findings
  const url = new URL(endpoint === null ? target : endpoint.url)
  const name = await checkName(url)
  findings.push(name)
  if (name.result === 'failed') return findings
  if (url.protocol === 'https:') findings.push(await checkTls(url))
  else
    findings.push({
      check: 'TLS',
      result: 'warn',
      found: 'none: payloads can be read on their way',
    })
  if (send !== true) {
    const found = 'not asked for: --send sends a test event, and a forged request'
    return [...findings, { check: 'delivery', result: 'skip', found }]
  }
  if (endpoint !== null) findings.push(await checkDelivery(posthorn, endpoint.id))
  findings.push(await checkForgery(url))
  return findings
}

function stateOf({ status, circuitState, signingSecretHint }: Endpoint): Finding {
  const secret = signingSecretHint === null ? 'the global secret' : `a secret …${signingSecretHint}`
  const found = `${status}, circuit ${circuitState}, signed with ${secret}`
  const isOk = status === 'active' && circuitState === 'closed'
  return { check: 'endpoint', result: isOk ? 'ok' : 'failed', found }
}

/** The way of an event: from the installation to the endpoint, signed. */
async function checkDelivery(posthorn: Posthorn, endpointId: string): Promise<Finding> {
  const { id } = await posthorn.endpoints.test(endpointId)
  const { status, attempt } = await eventuallyEnded(posthorn, id)
  const answer = attempt === undefined ? 'no attempt yet' : attempt.error || attempt.statusCode
  const found = `test event ${id}: ${status}, ${answer}`
  return { check: 'delivery', result: status === 'delivered' ? 'ok' : 'failed', found }
}
