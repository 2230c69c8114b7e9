/**
 * How an accepted event is answered where its platform demands more than a status, and what a
 * refusal asks for.
 */
import type { Preset } from './preset.ts'
import type { Verification } from './verification-rules.ts'
import type { InboundRequest } from './request.ts'

export interface AcceptedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null stands for the event's id, which is the usual answer. */
  readonly body: string | null
}

export function acceptedAnswer({ accepted }: Preset, request: InboundRequest): AcceptedAnswer {
  const { status = 202, body, type, echo } = accepted ?? {}
  const repeated = echo === undefined ? undefined : request.headers.get(echo.toLowerCase())?.[0]
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    // Any other character could end the header.
    ...(echo === undefined || repeated === undefined || !/^[\x20-\x7e]*$/.test(repeated)
      ? {}
      : { [echo]: repeated }),
  }
  return { status, headers, body: body ?? null }
}

/**
 * The headers beside a 401: some platforms send a name and a password only when they are asked for
 * them.
 */
export function refusalHeaders({ verify }: Preset): Record<string, string> {
  return asksBasic(verify) ? { 'www-authenticate': 'Basic realm="webhooks"' } : {}
}

function asksBasic(rule: Verification): boolean {
  if (rule.kind === 'any' || rule.kind === 'all') return rule.of.some(asksBasic)
  return rule.kind === 'basic'
}
