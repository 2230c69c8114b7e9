/** What an endpoint is said to be: its status, unless its circuit keeps deliveries waiting. */
import type { Schemas } from '../api/client.ts'

export type EndpointState = Pick<Schemas['Endpoint'], 'status' | 'circuitState'>

export function endpointState({ status, circuitState }: EndpointState): string {
  return status === 'active' && circuitState !== 'closed' ? circuitState : status
}
