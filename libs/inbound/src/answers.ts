/** What a platform must hear about its event, where more than a status is demanded. */
import type { Preset, Verification } from './preset.ts'
import type { InboundRequest } from './request.ts'

export interface AcceptedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null: the event's id, as everybody gets it. */
  readonly body: string | null
}

export function acceptedAnswer({ accepted }: Preset, request: InboundRequest): AcceptedAnswer {
  const { status = 202, body, type, echo } = accepted ?? {}
  const repeated = echo === undefined ? undefined : request.headers.get(echo.toLowerCase())?.[0]
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    // A header must not carry what would end it.
    ...(echo === undefined || repeated === undefined || !/^[\x20-\x7e]*$/.test(repeated)
      ? {}
      : { [echo]: repeated }),
  }
  return { status, headers, body: body ?? null }
}

/** Beside a 401: some send their name and password only when they are asked for them. */
export function refusalHeaders({ verify }: Preset): Record<string, string> {
  return asksBasic(verify) ? { 'www-authenticate': 'Basic realm="webhooks"' } : {}
}

function asksBasic(rule: Verification): boolean {
  if (rule.kind === 'any' || rule.kind === 'all') return rule.of.some(asksBasic)
  return rule.kind === 'basic'
}
