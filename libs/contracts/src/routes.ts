/**
 * The catalog of routes: method, path, owning service, who may call it, and the schemas of request
 * and answer. Routers (a route without a handler does not compile), authorisation, OpenAPI and the
 * gateway's path rules are derived from it.
 */
import type { z } from 'zod'
import { accessRoutes } from './access-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { analyticsRoutes } from './analytics-routes.ts'
import { authRoutes } from './auth-routes.ts'
import { billingRoutes } from './billing-routes.ts'
import { complianceRoutes } from './compliance-routes.ts'
import { connectorRoutes } from './connector-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { endpointControlRoutes } from './endpoint-control-routes.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { eventTypeRoutes } from './event-type-routes.ts'
import { inboundRoutes } from './inbound-routes.ts'
import { mfaRoutes } from './mfa-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { portalRoutes } from './portal-routes.ts'
import { pollRoutes } from './poll-routes.ts'
import type { ServiceName } from './route.ts'
import { statsRoutes } from './stats-routes.ts'
import { teamRoutes } from './team-routes.ts'
import { subAccountRoutes } from './sub-account-routes.ts'
import { ssoRoutes } from './sso-routes.ts'
import { samlRoutes } from './saml-routes.ts'
import { scimRoutes } from './scim-routes.ts'
import { transformationRoutes } from './transformations.ts'
import { usageRoutes } from './usage-routes.ts'

export {
  isOfPortal,
  SUB_ACCOUNT_API,
  maxBodyBytes,
  maxBodyValues,
  type PathParameter,
  pathParameter,
  type Route,
  type ServiceName,
} from './route.ts'

/**
 * @param brand the word in the service's own header names, which decides which headers a request
 *   may not set
 */
export function routeCatalog(brand: string) {
  return {
    ...eventRoutes(brand),
    ...deliveryRoutes,
    ...pollRoutes,
    ...endpointRoutes(brand),
    ...endpointControlRoutes,
    ...transformationRoutes(brand),
    ...eventTypeRoutes,
    ...inboundRoutes,
    ...accessRoutes,
    ...auditRoutes,
    ...authRoutes,
    ...usageRoutes,
    ...analyticsRoutes,
    ...statsRoutes,
    ...mfaRoutes,
    ...passkeyRoutes,
    ...teamRoutes,
    ...subAccountRoutes,
    ...portalRoutes(brand),
    ...ssoRoutes,
    ...samlRoutes,
    ...scimRoutes,
    ...billingRoutes,
    ...complianceRoutes,
    ...alertRoutes(brand),
    ...connectorRoutes(brand),
  }
}

export type RouteCatalog = ReturnType<typeof routeCatalog>
export type RouteName = keyof RouteCatalog
export type RoutesOf<Service extends ServiceName> = {
  [Name in RouteName as RouteCatalog[Name]['service'] extends Service
    ? Name
    : never]: RouteCatalog[Name]
}

type Parsed<Schema> = Schema extends z.ZodType<infer Output> ? Output : undefined
export type BodyOf<Name extends RouteName> = Parsed<
  RouteCatalog[Name] extends { body: infer Body } ? Body : undefined
>
export type QueryOf<Name extends RouteName> = Parsed<
  RouteCatalog[Name] extends { query: infer Query } ? Query : undefined
>
export type AnswerOf<Name extends RouteName> = Parsed<
  RouteCatalog[Name] extends { answer: infer Answer } ? Answer : undefined
>
export type AccessOf<Name extends RouteName> = RouteCatalog[Name]['access']['by']
