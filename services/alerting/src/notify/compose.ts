/**
 * Makes of an alert or an event, and of where it goes, what is sent: the target with its settings,
 * and the texts, from the customer's templates or the default ones. All texts are rendered, so that
 * data is escaped as the target needs it. A template that fails leaves its default, and says why;
 * what is too large for the default is shown by its beginning.
 */
import type { AlertAction } from '@posthorn/contracts/alerting'
import type { ConnectorTemplate, ConnectorType } from '@posthorn/contracts/connectors'
import { inTurns } from '@posthorn/async/in-turns'
import { isCrowded } from '@posthorn/domain/json-in-steps'
import { parseJsonInSteps } from '@posthorn/domain/parse-json'
import { parseData } from '@posthorn/go-template/parse-data'
import type { AlertFacts } from '@posthorn/store/alerting/evaluations'
import { cutText } from '../targets/escape.ts'
import type { Notification, Severity, Target, TargetType } from '../targets/target.ts'
import { alertMessageData } from './alert-message.ts'

export type RenderText = (
  template: string,
  data: Readonly<Record<string, unknown>>,
  type: TargetType,
) => { outcome: 'ok'; text: string } | { outcome: 'failed'; message: string }

export interface Composed {
  target: Target
  notification: Notification
  /** What a template failed for; null: none did. */
  problem: string | null
}

/** A connector with its settings opened. */
export interface OpenConnector {
  type: ConnectorType
  config: Readonly<Record<string, unknown>>
  template: ConnectorTemplate | null
}

interface Texts {
  title: string
  text: string
  color?: string
  problem: string | null
}

type Templates = Partial<Record<'title' | 'text' | 'color', string | null | undefined>>

const DEFAULT_SEVERITY: Severity = 'error'
const ALERT_TITLE = '[{{.label}}] {{.rule}}'
const ALERT_TEXT = '{{.message}}'
const EVENT_TEXT = '{{.event_type}}: {{.message}}'
const ALL_FIELDS = '{{range $name, $value := .payload}}{{$name}}: {{$value}}\n{{end}}'
const SHORTENED =
  '{{.event_type}}: the event is too large to be shown here whole. It begins with\n\n{{.beginning}}'
/** In code points, each of two characters at most. */
const MAX_BEGINNING = 1_000

/** What is rendered where the customer has no template, or where it fails. */
interface Defaults {
  title: string
  text: string
  /** Where the default fails too, because the data is too large: few data that always fit. */
  short: { data: Readonly<Record<string, string>>; title: string; text: string }
}

/** Renders what a target shows, each text by the first of its templates that succeeds. */
function createTextsOf(render: RenderText) {
  return (
    type: TargetType,
    data: Readonly<Record<string, unknown>>,
    templates: Templates,
    { short, ...defaults }: Defaults,
  ): Texts => {
    const problems: string[] = []
    const rendered = (field: 'title' | 'text' | 'color', otherwise: string, least = ''): string => {
      const template = templates[field]
      if (typeof template === 'string') {
        const own = render(template, data, type)
        if (own.outcome === 'ok') return own.text
        problems.push(`the template of ${field} failed: ${own.message}`)
      }
      const ours = render(otherwise, data, type)
      const shown = ours.outcome === 'ok' ? ours : render(least, short.data, type)
      return shown.outcome === 'ok' ? shown.text : ''
    }
    const title = rendered('title', defaults.title, short.title)
    const text = rendered('text', defaults.text, short.text)
    const color = rendered('color', '').trim()
    const problem = problems.length === 0 ? null : problems.join('; ')
    return { title: oneLine(title), text, ...(color === '' ? {} : { color }), problem }
  }
}

export function createCompose({ brand, render }: { brand: string; render: RenderText }) {
  const textsOf = createTextsOf(render)

  return {
    /** @param status `test`: a sample, of which nobody keeps an incident */
    alert(
      facts: AlertFacts,
      to: { action: AlertAction } | { connector: OpenConnector },
      status: 'firing' | 'resolved' | 'test' = facts.status,
    ): Composed {
      const own = alertMessageData(facts)
      const label = status.toUpperCase()
      const defaults = { title: ALERT_TITLE, text: ALERT_TEXT }
      const short = { ...defaults, data: { label, rule: own.rule, message: own.message } }
      const eventType = `alert.${facts.status}`
      const data =
        'action' in to ? { ...own, label } : { ...own, label, event_type: eventType, payload: own }
      const [target, templates, severity]: [Target, Templates, Severity] =
        'action' in to
          ? [targetOfAction(to.action), templatesOf(to.action), severityOf(to.action)]
          : [targetOfConnector(to.connector), to.connector.template ?? {}, DEFAULT_SEVERITY]
      const { problem, ...texts } = textsOf(target.type, data, templates, {
        ...defaults,
        short,
      })
      const fields = { ruleId: facts.ruleId, ...own, message: texts.text }
      const notification: Notification = { ...texts, severity, status, fields }
      if (status !== 'test') notification.dedupKey = `posthorn:${facts.ruleId}:${facts.episode}`
      return { target, notification, problem }
    },

    /** @param payload the event's JSON, as it was sent */
    async event(
      { eventType, payload }: { eventType: string; payload: string },
      connector: OpenConnector,
      status: 'event' | 'test' = 'event',
    ): Promise<Composed> {
      const { type, template } = connector
      const target = targetOfConnector(connector)
      const fields = { event_type: eventType }
      // What a webhook is sent is the payload as it is: nothing has to be read or rendered for it.
      if (type === 'webhook') {
        const notification = { title: eventType, text: '', severity: 'info' as const, status }
        return { target, notification: { ...notification, fields, payload }, problem: null }
      }
      const data = await eventData(eventType, payload)
      const isMail = type === 'email'
      const defaults = {
        title: isMail ? `[${brand}] {{.event_type}}` : '{{.event_type}}',
        text: isMail ? ALL_FIELDS : EVENT_TEXT,
      }
      const beginning = cutText(payload.slice(0, 2 * MAX_BEGINNING + 2), MAX_BEGINNING)
      const short = { data: { ...fields, beginning }, title: defaults.title, text: SHORTENED }
      const all = { ...defaults, short }
      const { problem, ...texts } = textsOf(type, data, template ?? {}, all)
      const notification: Notification = { ...texts, severity: 'info', status, fields, payload }
      return { target, notification, problem }
    },
  }
}

export type Compose = ReturnType<typeof createCompose>

/** Reading a longer one with the spelling of its numbers would take over 5 ms. */
const MAX_SPELLED_CHARACTERS = 64 * 1024

/**
 * Every top-level field of the payload, but for the names that mean something of their own. Where
 * they are so many that listing them takes over 15 ms, they are found in `payload` alone.
 */
async function eventData(eventType: string, text: string): Promise<Record<string, unknown>> {
  const payload =
    text.length > MAX_SPELLED_CHARACTERS ? await inTurns(parseJsonInSteps(text)) : parseData(text)
  const isObject =
    typeof payload === 'object' &&
    payload !== null &&
    !Array.isArray(payload) &&
    !isCrowded(payload)
  // A spread makes own properties alone, so that a field named __proto__ is a field.
  return { ...(isObject ? payload : {}), event_type: eventType, payload }
}

function templatesOf(action: AlertAction): Templates {
  return action.type === 'email'
    ? { title: action.subject, text: action.message }
    : { text: action.message }
}

function severityOf(action: AlertAction): Severity {
  return (action.type === 'pagerduty' ? action.severity : null) ?? DEFAULT_SEVERITY
}

function targetOfConnector({ type, config }: OpenConnector): Target {
  return toTarget(type, config)
}

function targetOfAction(action: AlertAction): Target {
  switch (action.type) {
    case 'slack':
      return toTarget('slack', { webhookUrl: action.webhookUrl, channel: action.channel })
    case 'email':
      return toTarget('email', { to: action.to })
    case 'webhook':
      return toTarget('webhook', { url: action.webhookUrl, headers: action.headers })
    case 'pagerduty':
      return toTarget('pagerduty', { routingKey: action.routingKey })
  }
}

/** Both have been checked together when they were saved. */
function toTarget(type: TargetType, config: Readonly<Record<string, unknown>>): Target {
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== undefined)
  return { type, config: Object.fromEntries(given) } as unknown as Target
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
