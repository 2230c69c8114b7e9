/** Bodies and answers of the alerting routes. */
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  DEFAULT_COOLDOWN,
  DEFAULT_WINDOW,
  MAX_CONDITION_CHARACTERS,
  windowProblem,
} from '@posthorn/domain/alert-condition'
import { z } from 'zod'
import { EmailAddress } from './email-address.ts'
import {
  Cursor,
  DestinationUrl,
  headersField,
  pageOf,
  queryInteger,
  textOf,
  textOfBytes,
  Timestamp,
} from './fields.ts'

/** A template of more is refused before it is read. */
export const MAX_TEMPLATE_BYTES = 16 * 1024
const MAX_RECIPIENTS = 20
const MAX_PREVIEW_HOURS = 168
/** Beyond it two neighbouring numbers are one. */
const MAX_THRESHOLD = 1e15

/** Checked as a Go template before it is saved. */
export const TemplateText = textOfBytes(MAX_TEMPLATE_BYTES)

export const ConnectorName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, - and _')

const DurationText = z
  .string()
  .max(32)
  .superRefine((text, context) => {
    const message = windowProblem(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .meta({
    override: {
      type: 'string',
      description: 'a duration as Go writes it, from 1m to 720h',
      pattern: '^(\\d{1,12}(\\.\\d{1,9})?(ms|s|m|h))+$',
      maxLength: 32,
    },
  })

export const AlertCondition = z.strictObject({
  metric: z.enum(ALERT_METRICS),
  operator: z.enum(ALERT_OPERATORS),
  value: z.number().min(-MAX_THRESHOLD).max(MAX_THRESHOLD),
  window: DurationText.default(DEFAULT_WINDOW),
})

/** Such as `failure_rate > 5 over 5m`; it is read before the rule is saved. */
const ConditionText = z.string().min(1).max(MAX_CONDITION_CHARACTERS)

export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const

export const Recipients = z.array(EmailAddress).min(1).max(MAX_RECIPIENTS)

const OBJECT = { type: 'object' }
const TEXT = { type: 'string' }
const NULL = { type: 'null' }

export function alertSchemas(brand: string) {
  const message = TemplateText.nullable().optional()
  const AlertAction = z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('slack'),
      webhookUrl: DestinationUrl,
      channel: z.string().max(80).nullable().optional(),
      message,
    }),
    z.strictObject({
      type: z.literal('email'),
      to: Recipients,
      subject: TemplateText.nullable().optional(),
      message,
    }),
    z.strictObject({
      type: z.literal('webhook'),
      webhookUrl: DestinationUrl,
      headers: headersField(brand).nullable().optional(),
      message,
    }),
    z.strictObject({
      type: z.literal('pagerduty'),
      routingKey: z.string().min(1).max(255),
      severity: z.enum(SEVERITIES).nullable().optional(),
      message,
    }),
  ])
  const about = {
    name: textOf(1, 255),
    description: textOf(0, 1_000).nullable().optional(),
    enabled: z.boolean().optional(),
    cooldown: DurationText.optional(),
    endpointId: z.uuid().nullable().optional(),
  }
  const sentTo = {
    action: AlertAction.nullable().optional(),
    connectorName: ConnectorName.nullable().optional(),
  }
  const oneTarget = {
    oneOf: [
      { required: ['action'], properties: { action: OBJECT, connectorName: NULL } },
      { required: ['connectorName'], properties: { connectorName: TEXT, action: NULL } },
    ],
  }
  const CreateAlertRule = z
    .strictObject({ ...about, condition: AlertCondition, ...sentTo })
    .superRefine((body, context) => requireOneTarget(body, context, 'one of them is needed'))
    .meta({ also: oneTarget })
  const UpdateAlertRule = z
    .strictObject({ ...about, condition: AlertCondition, ...sentTo })
    .partial()
    .superRefine((body, context) => requireOneTarget(body, context, null))
  const CreateConnectorAlertRule = z.strictObject({
    ...about,
    condition: ConditionText,
    connectorName: ConnectorName,
  })
  return {
    AlertAction,
    CreateAlertRule,
    UpdateAlertRule,
    CreateConnectorAlertRule,
  }
}

export const PreviewAlertRule = z.strictObject({
  condition: z.union([AlertCondition, ConditionText]),
  hours: z.number().int().min(1).max(MAX_PREVIEW_HOURS).default(24),
  endpointId: z.uuid().nullable().optional(),
})

interface TargetFields {
  action?: unknown
  connectorName?: unknown
}

/** @param whenNone what to say where neither is given; null: that is no fault */
function requireOneTarget(
  { action, connectorName }: TargetFields,
  context: { addIssue(issue: { code: 'custom'; message: string; path: string[] }): void },
  whenNone: string | null,
): void {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null
  const given = Number(isGiven(action)) + Number(isGiven(connectorName))
  const bothTakenAway = action === null && connectorName === null
  const message =
    given === 2
      ? 'a rule has an action or a connectorName, not both'
      : given === 0 && (whenNone !== null || bothTakenAway)
        ? 'a rule has an action or a connectorName: one of them is needed'
        : null
  if (message !== null) context.addIssue({ code: 'custom', message, path: ['action'] })
}

export type AlertSchemas = ReturnType<typeof alertSchemas>
export type AlertAction = z.infer<AlertSchemas['AlertAction']>
export type CreateAlertRule = z.infer<AlertSchemas['CreateAlertRule']>
export type UpdateAlertRule = z.infer<AlertSchemas['UpdateAlertRule']>

export const DEFAULT_RULE_COOLDOWN = DEFAULT_COOLDOWN

/** As it is shown: secrets are masked, and a field that has no value is null. */
const ShownAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('slack'),
    webhookUrl: z.string(),
    channel: z.string().nullable(),
    message: z.string().nullable(),
  }),
  z.object({
    type: z.literal('email'),
    to: z.array(z.string()),
    subject: z.string().nullable(),
    message: z.string().nullable(),
  }),
  z.object({
    type: z.literal('webhook'),
    webhookUrl: z.string(),
    headers: z.record(z.string(), z.string()).nullable(),
    message: z.string().nullable(),
  }),
  z.object({
    type: z.literal('pagerduty'),
    routingKey: z.string(),
    severity: z.enum(SEVERITIES).nullable(),
    message: z.string().nullable(),
  }),
])
export type ShownAction = z.infer<typeof ShownAction>

export const AlertRule = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  condition: z.object({
    metric: z.enum(ALERT_METRICS),
    operator: z.enum(ALERT_OPERATORS),
    value: z.number(),
    window: z.string(),
  }),
  conditionText: z.string().describe('the condition as `POST /api/v1/alert-rules` takes it'),
  action: ShownAction.nullable(),
  connectorName: z.string().nullable(),
  cooldown: z.string(),
  endpointId: z.string().nullable().describe('the only endpoint that counts; null: all of them'),
  state: z.enum(['ok', 'firing']),
  stateSince: Timestamp,
  lastValue: z.number().nullable(),
  lastEvaluatedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type AlertRule = z.infer<typeof AlertRule>
export const AlertRulePage = pageOf(AlertRule)

export const AlertsEvaluated = z.object({
  evaluated: z.number().int(),
  firing: z.number().int(),
  results: z.array(
    z.object({
      ruleId: z.string(),
      value: z.number().nullable().describe('null: there is no data in the window'),
      matched: z.boolean(),
      state: z.enum(['ok', 'firing']),
    }),
  ),
})

export const AlertPreview = z.object({
  firings: z.array(z.object({ from: Timestamp, to: Timestamp, peak: z.number() })),
})
export type AlertPreview = z.infer<typeof AlertPreview>

export const NotificationTested = z.object({
  delivery: z.enum(['sent', 'failed']),
  statusCode: z.number().int().nullable(),
  error: z.string().nullable(),
})
export type NotificationTested = z.infer<typeof NotificationTested>

export const AlertHistoryItem = z.object({
  id: z.string(),
  ruleId: z.string(),
  ruleName: z.string(),
  status: z.enum(['firing', 'resolved']),
  value: z.number().nullable(),
  threshold: z.number(),
  at: Timestamp,
  delivery: z.enum(['pending', 'sent', 'failed']),
  attempts: z.number().int(),
  error: z.string().nullable(),
})
export type AlertHistoryItem = z.infer<typeof AlertHistoryItem>
export const AlertHistoryPage = pageOf(AlertHistoryItem)
export const AlertHistoryQuery = z.object({
  limit: queryInteger(1, 200, 50),
  cursor: Cursor.optional(),
  ruleId: z.string().max(64).optional(),
})
