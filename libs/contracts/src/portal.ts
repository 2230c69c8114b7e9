/**
 * Bodies and answers of the sessions of sub-accounts, and of the routes that the portal calls with
 * them. The portal's records are those of the API without the fields that are the operator's:
 * projects and storage.
 */
import { PORTAL_CAPABILITIES } from '@posthorn/domain/portal-capabilities'
import { z } from 'zod'
import { DeliveryListQuery } from './deliveries.ts'
import { Endpoint, EndpointCreated, EndpointRotated } from './endpoints.ts'
import { EventType } from './event-types.ts'
import { EventDetail, EventListItem, EventSummary } from './events.ts'
import { PageQuery, pageOf, textOf } from './fields.ts'
import { ReturnUrl, SubAccountSettings } from './sub-accounts.ts'

export const DEFAULT_SESSION_SECONDS = 3_600
const seconds = z.number().int().min(60).max(86_400)
const capability = z.enum(PORTAL_CAPABILITIES)

export const MintSubAccountSession = z
  .strictObject({
    expiresIn: seconds.optional().describe('seconds; 3,600 where it is not given'),
    ttlSeconds: seconds.optional().describe('another name of expiresIn'),
    returnURL: ReturnUrl.optional().describe('where the portal leads back to, for this session'),
    returnUrl: ReturnUrl.optional().describe('another name of returnURL'),
    scopes: z.array(capability).min(1).max(20).optional().describe('all where they are not given'),
  })
  .superRefine((body, context) => {
    for (const [name, alias] of [
      ['expiresIn', 'ttlSeconds'],
      ['returnURL', 'returnUrl'],
    ] as const) {
      if (body[name] === undefined || body[alias] === undefined) continue
      context.addIssue({ code: 'custom', path: [alias], message: `is the same field as ${name}` })
    }
  })
export type MintSubAccountSession = z.infer<typeof MintSubAccountSession>

export const SubAccountSessionMinted = z.object({
  id: z.string(),
  token: z.string().describe('taken once, by POST /sub-account-api/auth/exchange'),
  url: z.string().describe('the link to give to the customer: it opens once'),
  expiresAt: z.string(),
  returnURL: z.string(),
  scopes: z.array(capability),
})

export const SubAccountSessionItem = z.object({
  id: z.string(),
  scopes: z.array(capability),
  return_url: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  max_expires_at: z.string(),
  consumed_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  use_count: z.number().int(),
})
export type SubAccountSessionItem = z.infer<typeof SubAccountSessionItem>
export const SubAccountSessionPage = pageOf(SubAccountSessionItem)
export const SubAccountSessionListQuery = PageQuery

/** Ours have some 500 characters. */
const MAX_TOKEN_CHARACTERS = 2_048
export const ExchangeToken = z.strictObject({ token: textOf(1, MAX_TOKEN_CHARACTERS) })

export const PortalSession = z.object({
  subAccountId: z.string(),
  name: z.string().nullable(),
  scopes: z.array(capability),
  expiresAt: z.string(),
  returnUrl: z.string(),
  theme: SubAccountSettings.shape.theme,
})
export type PortalSession = z.infer<typeof PortalSession>

const OPERATOR_FIELDS = { projectId: true, storageConfig: true, storageKeyHint: true } as const
export const PortalEndpoint = Endpoint.omit(OPERATOR_FIELDS)
export const PortalEndpointCreated = EndpointCreated.omit(OPERATOR_FIELDS)
export const PortalEndpointRotated = EndpointRotated.omit(OPERATOR_FIELDS)
export const PortalEndpointPage = pageOf(PortalEndpoint)

export const PortalEventType = EventType.omit({ projectId: true })
export const PortalEventTypePage = pageOf(PortalEventType)

export const PortalEventSummary = EventSummary.omit({ projectId: true })
export const PortalEventDetail = EventDetail.omit({ projectId: true })
export const PortalEventListItem = EventListItem.omit({ projectId: true })
export const PortalEventPage = pageOf(PortalEventListItem)

export const PortalDeliveryListQuery = DeliveryListQuery.omit({ endpoint_id: true })
