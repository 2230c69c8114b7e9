/** What the verifiers by libraries have in common: `sdks.fixture.ts` has them all. */
import type { SignedRequest } from './signer.fixture.ts'

export interface Sdk {
  readonly name: string
  readonly source: string
  readonly variant?: string
  /** @throws or returns false for a request that it refuses */
  accepts(sent: SignedRequest, secret: string): unknown
  signs?(body: string, secret: string, now: number): SignedRequest | Promise<SignedRequest>
}

export function header({ headers }: SignedRequest, name: string): string {
  return String(headers[name] ?? '')
}

export function texts({ headers }: SignedRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

export const JSON_TYPE = { 'Content-Type': 'application/json' }
export const seconds = (now: number) => Math.floor(now / 1000)
