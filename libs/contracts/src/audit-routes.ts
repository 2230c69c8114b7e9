/** The routes of the two logs: of changes, and of sign-ins. */
import { may, mayInSubAccount } from './access.ts'
import * as audit from './audit.ts'
import { API, entry } from './route.ts'

export const auditRoutes = {
  listAuditLogs: entry({
    method: 'GET',
    path: `${API}/audit-logs`,
    service: 'compliance',
    access: mayInSubAccount('audit:read'),
    summary: 'List who changed what, newest first',
    status: 200,
    query: audit.AuditLogQuery,
    answer: audit.AuditLogPage,
  }),
  listAuthAudit: entry({
    method: 'GET',
    path: `${API}/auth-audit`,
    service: 'compliance',
    access: may('audit:read', { sessionOnly: true, role: 'admin' }),
    summary: 'List who signed in, how, and what went wrong, newest first',
    status: 200,
    query: audit.AuthAuditQuery,
    answer: audit.AuthAuditPage,
  }),
}
