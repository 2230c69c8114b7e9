/** What a request tells about the change that it asks for, as its audit row keeps it. */
import type { IncomingMessage } from 'node:http'
import type { AuditScope, CallerActor } from '@posthorn/contracts/audit'
import type { Route } from '@posthorn/contracts/routes'
import type { Caller, ScimCaller } from './handlers.ts'

/** As long as a session keeps it. */
const MAX_USER_AGENT_CHARACTERS = 400
/** Whoever calls without being a member is in no row: such routes are not audited. */
const NOBODY: CallerActor = { type: 'system', id: null, name: null, userId: null }

export function auditScope(
  { audit = null }: Pick<Route, 'audit'>,
  caller: Caller | ScimCaller | null,
  { headers }: Pick<IncomingMessage, 'headers'>,
  { ip, id }: { ip: string; id: string },
): AuditScope {
  const member = caller !== null && 'actor' in caller ? caller : null
  return {
    tenantId: caller?.tenantId ?? '',
    action: member === null ? null : audit,
    actor: member?.actor ?? NOBODY,
    ip,
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
    requestId: id,
    isRecorded: false,
  }
}

/** Whether a request that was answered with 2xx lacks the row that its route promises. */
export function isUnaudited(
  { audit: action, status: wellDone }: Pick<Route, 'audit' | 'status'>,
  status: number = wellDone,
  scope?: AuditScope,
): boolean {
  if (typeof action !== 'string' || status < 200 || status > 299) return false
  return scope?.isRecorded !== true
}
