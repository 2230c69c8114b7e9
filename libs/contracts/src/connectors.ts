/** Bodies and answers of the connector routes. */
import { z } from 'zod'
import { ConnectorName, Recipients, TemplateText } from './alerting.ts'
import { EmailAddress } from './email-address.ts'
import {
  DestinationUrl,
  EventTypePattern,
  headersField,
  PageQuery,
  pageOf,
  recordOf,
} from './fields.ts'

export const CONNECTOR_TYPES = ['slack', 'discord', 'teams', 'email', 'webhook'] as const
export type ConnectorType = (typeof CONNECTOR_TYPES)[number]

const MAX_EVENT_TYPES = 100
/** The host of a mail server: a name or an address. Where it leads is checked besides. */
const Host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be a host name or an address')
const Credential = z.string().min(1).max(1_024)
const text = z.string().min(1).max(255).nullable().optional()

/** The fields of each type's `config`. A secret that is sent back masked keeps its value. */
export function connectorConfigs(brand: string) {
  return {
    slack: z.strictObject({
      webhookUrl: DestinationUrl,
      channel: text,
      username: text,
      iconEmoji: text,
    }),
    discord: z.strictObject({ webhookUrl: DestinationUrl, username: text }),
    teams: z.strictObject({ webhookUrl: DestinationUrl }),
    email: z.strictObject({
      smtpHost: Host,
      smtpPort: z.number().int().min(1).max(65_535).nullable().optional(),
      smtpUsername: Credential.nullable().optional(),
      smtpPassword: Credential.nullable().optional(),
      fromEmail: EmailAddress,
      to: Recipients,
    }),
    webhook: z.strictObject({
      url: DestinationUrl,
      headers: headersField(brand).nullable().optional(),
      secret: z.string().min(16).max(256).nullable().optional(),
    }),
  } satisfies Record<ConnectorType, z.ZodType>
}

/** The keys of `config` that are shown masked. */
export const SECRET_KEYS: readonly string[] = ['webhookUrl', 'smtpPassword', 'secret', 'routingKey']

const ConnectorTemplate = z
  .strictObject({ title: TemplateText, text: TemplateText, color: TemplateText })
  .partial()

/** No type has more than a handful. */
const MAX_CONFIG_FIELDS = 50

export function connectorSchemas(brand: string) {
  const configs = connectorConfigs(brand)
  const more = {
    template: ConnectorTemplate.nullable().optional(),
    eventTypes: z.array(EventTypePattern).max(MAX_EVENT_TYPES).optional(),
  }
  const ofType = <Type extends ConnectorType>(type: Type) =>
    z.strictObject({
      name: ConnectorName,
      type: z.literal(type),
      config: configs[type],
      ...more,
    })
  const CreateConnector = z.discriminatedUnion('type', [
    ofType('slack'),
    ofType('discord'),
    ofType('teams'),
    ofType('email'),
    ofType('webhook'),
  ])
  const UpdateConnector = z.strictObject({
    config: recordOf(z.string().max(64), z.unknown(), MAX_CONFIG_FIELDS).optional(),
    ...more,
  })
  return { CreateConnector, UpdateConnector }
}

export type ConnectorSchemas = ReturnType<typeof connectorSchemas>
export type CreateConnector = z.infer<ConnectorSchemas['CreateConnector']>
export type UpdateConnector = z.infer<ConnectorSchemas['UpdateConnector']>
export type ConnectorTemplate = z.infer<typeof ConnectorTemplate>

export const Connector = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(CONNECTOR_TYPES),
  config: z.record(z.string(), z.unknown()).describe('secrets are masked'),
  template: z
    .object({
      title: z.string().nullable(),
      text: z.string().nullable(),
      color: z.string().nullable(),
    })
    .nullable(),
  eventTypes: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Connector = z.infer<typeof Connector>
export const ConnectorPage = pageOf(Connector)
export const ConnectorListQuery = PageQuery
