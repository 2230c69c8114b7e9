/**
 * Checks on an endpoint that its schema can't express: those of `endpoint-config.ts`, and where its
 * URL leads.
 */
import type { EndpointConfig, PatchEndpoint } from '@posthorn/contracts/endpoints'
import { ApiError } from '@posthorn/contracts/errors'
import { isValidCidr } from '@posthorn/egress/addresses'
import type { DestinationCheck } from '@posthorn/egress/check-destination'
import { PLANS } from '@posthorn/domain/plans'
import { badField } from '@posthorn/http/errors'
import type { Caller } from '@posthorn/http/handlers'
import { refusal } from '@posthorn/http/refusal'
import { configProblems } from './endpoint-config.ts'

/** Resolves no names: a name that leads to a blocked address is stopped when connecting. */
export type CheckEndpointDestination = (url: string) => DestinationCheck

const LABELS = { poll: /^poll:\/\/[\w.~:/-]{1,255}$/, storage: /^storage:\/\/[\w.~:/-]{1,255}$/ }

/** In poll and storage mode the URL is a label: nothing is ever sent there. */
export function checkUrl(
  { url, deliveryMode }: Pick<EndpointConfig, 'url' | 'deliveryMode'>,
  checkDestination: CheckEndpointDestination,
): void {
  if (deliveryMode !== 'push') {
    if (LABELS[deliveryMode].test(url)) return
    const form = `${deliveryMode}://<label> in ${deliveryMode} mode`
    throw badField('url', `must be ${form}, a label of letters, digits and . _ ~ : / -`)
  }
  const check = checkDestination(url)
  if (check.outcome === 'invalid') throw badField('url', check.reason)
  if (check.outcome === 'blocked') {
    throw new ApiError(
      'DESTINATION_BLOCKED',
      `deliveries to this url are blocked: ${check.reason}`,
      {
        details: [{ path: 'url', message: check.reason }],
      },
    )
  }
}

/**
 * The rate that is asked for must be one that the plan allows. What is stored may be higher, from a
 * plan before.
 */
export function checkRate(
  { plan }: Pick<Caller, 'plan'>,
  { rateLimitPerSec = 0 }: Pick<PatchEndpoint, 'rateLimitPerSec'>,
): void {
  const most = PLANS[plan].limits.endpointRatePerSec
  if (most > 0 && rateLimitPerSec > most)
    throw badField('rateLimitPerSec', `must be at most ${most} in the plan ${plan}`)
}

export function checkConfig(config: EndpointConfig, body: PatchEndpoint): void {
  const problems = configProblems(config, body, isValidCidr)
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
}
