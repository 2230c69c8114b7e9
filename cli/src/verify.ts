/** `posthorn verify`: whether a captured request is what the installation sent, and if not, why. */
import { readFile } from 'node:fs/promises'
import { readCaptured } from './captured-request.ts'
import { connect, type GlobalOptions } from './connect.ts'
import { failure, usage } from './failure.ts'
import type { Output } from './output.ts'
import { pointInTime } from './points-in-time.ts'
import { readStandardInput } from './standard-input.ts'
import { isVerified, verifySteps } from './verify-steps.ts'

export interface VerifyOptions extends GlobalOptions {
  secretFile?: string
  global?: boolean
  brand: string
  tolerance: string
  at?: string
}

const MAX_TOLERANCE_SECONDS = 1_000_000_000

export async function verify(file: string, options: VerifyOptions, out: Output): Promise<void> {
  const tolerance = /^\d{1,10}$/.test(options.tolerance) ? Number(options.tolerance) : -1
  if (tolerance < 0 || tolerance > MAX_TOLERANCE_SECONDS)
    throw usage('--tolerance must be a number of seconds')
  if (!/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(options.brand))
    throw usage('--brand must be letters and digits')
  const secret = await readSecret(options, out)
  out.hide(secret)
  const text = file === '-' ? await readStandardInput() : await readFile(file, 'utf8')
  const steps = await verifySteps({
    request: readCaptured(text),
    secret,
    brand: options.brand,
    now: options.at === undefined ? Date.now() : Date.parse(pointInTime(options.at, Date.now())),
    toleranceMs: tolerance * 1_000,
  })
  for (const one of steps) {
    const record = { step: one.step, ok: one.isOk, found: one.found }
    out.result(record, `${one.isOk ? 'ok    ' : 'FAILED'}  ${one.step}: ${one.found}`)
  }
  if (!isVerified(steps)) throw failure('the request does not verify')
}

async function readSecret({ secretFile, ...options }: VerifyOptions, out: Output): Promise<string> {
  if (options.global === true) {
    const { posthorn } = await connect(options, out)
    return (await posthorn.signingSecret.get()).signingSecret
  }
  if (secretFile !== undefined) return (await readFile(secretFile, 'utf8')).replace(/\r?\n$/, '')
  const secret = process.env['POSTHORN_SIGNING_SECRET']
  if (!secret)
    throw usage('the secret: set POSTHORN_SIGNING_SECRET, or give --secret-file or --global')
  return secret
}
