/**
 * What tests share that start the services of a cluster themselves, on stores of their own: which
 * services these are, and a call of their API.
 */
import { type ClusterService, SERVICES } from '../scripts/cluster/options.ts'

export type OwnService = Exclude<ClusterService, 'inbound-receiver'>

/** All but the inbound receiver: these tests are REST clients, not platforms. */
export const OWN_SERVICES: readonly OwnService[] = SERVICES.filter(
  (service) => service !== 'inbound-receiver',
)

/** A service that is frozen does not answer: its caller goes on after this. */
const ANSWER_TIMEOUT_MS = 30_000

export async function callApi(
  { url, apiKey }: { url: string; apiKey: string },
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}
