/**
 * A configuration as a file: endpoints, event types, connectors and alert rules, in YAML or JSON.
 * A section that is missing is not managed; a field that is left out has its default. A secret is
 * named by the variable that holds it: `{ $env: NAME }`.
 */
import { Document, parse, visit } from 'yaml'
import { usage } from '../failure.ts'
import { hasUnsafe, withUnicodeEscapes } from '../terminal-text.ts'
import { ENDPOINT_DEFAULTS } from '../generated/endpoint-defaults.ts'

export const KINDS = ['eventTypes', 'endpoints', 'connectors', 'alertRules'] as const
export type Kind = (typeof KINDS)[number]
export type Fields = Record<string, unknown>
export type ConfigDocument = { version: 1 } & Partial<Record<Kind, Fields[]>>

/** What one of each kind is called in messages. */
export const NOUNS: Readonly<Record<Kind, string>> = {
  eventTypes: 'event type',
  endpoints: 'endpoint',
  connectors: 'connector',
  alertRules: 'alert rule',
}

/** The fields of each kind; those with a default may be left out. */
const FIELDS: Readonly<Record<Kind, { required: readonly string[]; optional: readonly string[] }>> =
  {
    eventTypes: { required: ['name'], optional: ['description', 'schema', 'schemaVersion'] },
    endpoints: {
      required: ['url', 'eventTypes'],
      optional: ['id', 'status', 'signingSecret', ...Object.keys(ENDPOINT_DEFAULTS)],
    },
    connectors: { required: ['name', 'type', 'config'], optional: ['template', 'eventTypes'] },
    alertRules: {
      required: ['name', 'condition'],
      optional: ['description', 'enabled', 'action', 'connectorName', 'cooldown', 'endpointId'],
    },
  }

type Environment = Readonly<Record<string, string | undefined>>

export interface ReadDocument {
  document: ConfigDocument
  /** The values of the variables that it names. */
  secrets: string[]
}

export function readDocument(text: string, env: Environment): ReadDocument {
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (error) {
    throw usage(`the file is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`)
  }
  const secrets: string[] = []
  const document = withVariables(parsed, env, secrets)
  if (!isRecord(document) || document['version'] !== 1)
    throw usage('the file must begin with "version: 1"')
  for (const [section, items] of Object.entries(document)) {
    if (section === 'version') continue
    const kind = KINDS.find((one) => one === section)
    if (kind === undefined) throw usage(`there is no section ${section}: ${KINDS.join(', ')}`)
    if (!Array.isArray(items)) throw usage(`${kind} must be a list`)
    for (const [at, item] of items.entries()) checkItem(kind, at, item)
    checkUnique(kind, items as Fields[])
  }
  return { document: document as ConfigDocument, secrets }
}

export function writeDocument(document: ConfigDocument): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false })
  visit(yaml, {
    Scalar(_key, scalar) {
      const { value } = scalar
      if (typeof value === 'string' && hasUnsafe(value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  // In double quotes, where alone they are now, YAML has the same escapes as JSON.
  return yaml.toString({ lineWidth: 0 }).replaceAll(/[^\n\t]+/g, withUnicodeEscapes)
}

function checkItem(kind: Kind, at: number, item: unknown): void {
  const place = `${kind}[${at}]`
  if (!isRecord(item)) throw usage(`${place} must be an object`)
  const { required, optional } = FIELDS[kind]
  for (const name of required) if (item[name] === undefined) throw usage(`${place} has no ${name}`)
  const known = [...required, ...optional]
  for (const name of Object.keys(item))
    if (!known.includes(name))
      throw usage(`${place} has a field ${name}; there are ${known.join(', ')}`)
  if (kind === 'endpoints' && !['active', 'paused', undefined].includes(item['status'] as string))
    throw usage(`${place}.status must be active or paused`)
}

function checkUnique(kind: Kind, items: readonly Fields[]): void {
  const keys = items.map((item) => String(kind === 'endpoints' ? (item['id'] ?? '') : item['name']))
  const twice = keys.find((key, at) => key !== '' && keys.indexOf(key) !== at)
  if (twice !== undefined) throw usage(`${kind} has ${twice} twice`)
}

function withVariables(value: unknown, env: Environment, secrets: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withVariables(one, env, secrets))
  if (!isRecord(value)) return value
  const name = value['$env']
  if (typeof name === 'string' && Object.keys(value).length === 1) {
    const found = env[name]
    if (!found) throw usage(`the file names the variable ${name}, which is not set`)
    secrets.push(found)
    return found
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withVariables(one, env, secrets)]),
  )
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
