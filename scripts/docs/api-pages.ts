/** The API reference as Markdown, from the OpenAPI document: a page for each group of routes. */
import { ENDPOINT_DEFAULTS } from '@posthorn/contracts/endpoints'
import { openApiDocument } from '@posthorn/contracts/openapi'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { describeApi } from '../sdks/operations.ts'
import { API_GROUPS, type ApiGroup } from './api-groups.ts'
import type { ApiDocument, ApiOperation } from './api-document.ts'
import { exampleOf } from './example.ts'
import { type FieldRow, rowsOf, type DocumentedSchemas, typeOf } from './schema-rows.ts'

/** What the page of the API as a whole tells, once for all routes. */
const COMMON_HEADER = 'X-Project-ID'
const HEAD = '<!-- Made by `npm run docs` from the route catalog. -->\n'
const INTRODUCTION = `# API reference

Every route, with who may call it, its fields and their bounds, its answers and its errors. An installation serves the same at \`/docs\`, to try out, and as OpenAPI 3.1 at \`/openapi.json\`.

- **Key.** Send an API key in \`X-API-Key\`. Where a session is named, a person's cookie does as well; state-changing requests by cookie must come from the installation's own origin.
- **Bodies and answers** are JSON in UTF-8. A field without a value is \`null\`, never left out; an unknown field in a body is refused. Answers gain fields from time to time, so ignore those that you do not know.
- **Projects.** \`X-Project-ID\` confines a request to one project. Without it all projects of the workspace are read, and the default one is written.
- **Sub-accounts.** Where a route takes \`X-Sub-Account-ID\`, the request acts in that sub-account: name it by its id or its \`externalId\` ([sub-accounts](../sub-accounts.md)).
- **Lists** come newest first. \`pagination.cursor\` of one page is the \`cursor\` of the next ([an example](../guides/sending-events.md#read-lists)).
- **Errors** have a \`code\`, with cause and remedy in [errors](../errors.md). Every answer has \`X-Request-Id\`.
- **Times** are RFC 3339, durations that end in \`Ms\` milliseconds, ids UUIDs.

The examples use \`POSTHORN_URL\` and \`POSTHORN_API_KEY\`. SDKs have a method for each route that a key may call, named with it.
`
/** Fields that have a default which their schema does not say. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createEndpoint: ENDPOINT_DEFAULTS,
  createSubAccountEndpoint: ENDPOINT_DEFAULTS,
}
const catalog: Readonly<Record<string, Route>> = routeCatalog('Service')

export function apiPages(): Record<string, string> {
  const { paths, components } = openApiDocument('Service', '1') as unknown as ApiDocument
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const unknown = operations.filter(({ tags: [tag = ''] }) =>
    API_GROUPS.every(({ tags }) => !tags.includes(tag)),
  )
  if (unknown.length > 0)
    throw new Error(`name the page of ${unknown.map(({ path }) => path).join(', ')} in API_GROUPS`)
  const calls = new Map(
    describeApi().operations.map(({ resource, method, httpMethod, path }) => [
      `${httpMethod} ${path}`,
      `${resource}.${method}`,
    ]),
  )
  const pages = API_GROUPS.map((group): [string, string] => {
    const own = operations.filter(({ tags: [tag = ''] }) => group.tags.includes(tag))
    return [`docs/api/${group.name}.md`, pageOf(group, own, components.schemas, calls)]
  })
  return { 'docs/api/README.md': apiIndex(), ...Object.fromEntries(pages) }
}

function apiIndex(): string {
  const rows = API_GROUPS.map(
    ({ name, title, about }) => `| [${title}](${name}.md) | ${about} |`,
  ).join('\n')
  return `${HEAD}\n${INTRODUCTION}\n| page | |\n|---|---|\n${rows}\n`
}

function pageOf(
  group: ApiGroup,
  operations: readonly ApiOperation[],
  schemas: DocumentedSchemas,
  calls: ReadonlyMap<string, string>,
): string {
  const list = operations.map((operation) => {
    const name = titleOf(operation)
    return `| [${name}](#${anchorOf(name)}) | ${routeOf(operation)} |`
  })
  const { title, about } = group
  const table = ['| | route |', '|---|---|', ...list].join('\n')
  const sections = operations.map((operation) => sectionOf(operation, group, schemas, calls))
  return `${HEAD}\n# API: ${title}\n\n${about}\n\n${table}\n\n${sections.join('\n')}`
}

/** As GitHub makes them. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** The summary up to its first stop; what follows stands below the title. */
function titleOf({ summary }: ApiOperation): string {
  return summary.split(/[;:]/, 1)[0] ?? summary
}

function routeOf({ method, path }: ApiOperation): string {
  return `\`${method.toUpperCase()} ${path}\``
}

function sectionOf(
  operation: ApiOperation,
  group: ApiGroup,
  schemas: DocumentedSchemas,
  calls: ReadonlyMap<string, string>,
): string {
  const call = calls.get(`${operation.method.toUpperCase()} ${operation.path}`)
  const title = titleOf(operation)
  const parts = [
    `## ${title}`,
    routeOf(operation) + (call === undefined ? '' : `, in the SDKs \`${call}\``),
    operation.summary === title ? '' : `${operation.summary}.`,
    operation.description + subAccountText(operation),
    parametersTable(operation, schemas),
    ...bodyParts(operation, schemas, group),
    exampleOf(operation),
    ...answerParts(operation, schemas, group),
    errorsLine(operation),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function subAccountText({ operationId }: ApiOperation): string {
  const access = catalog[operationId]?.access
  const mayAct = access?.by === 'member' && access.subAccount === true
  return mayAct ? ' Takes `X-Sub-Account-ID`.' : ''
}

function parametersTable({ parameters }: ApiOperation, schemas: DocumentedSchemas): string {
  const own = parameters.filter(({ name }) => name !== COMMON_HEADER)
  if (own.length === 0) return ''
  const rows = own.map(({ name, in: place, required, description, schema }) => {
    const meaning = description ?? schema.description ?? ''
    const otherwise =
      schema.default === undefined ? '' : `default: \`${JSON.stringify(schema.default)}\``
    const text = [meaning, otherwise].filter((part) => part !== '').join('; ')
    return row([`\`${name}\``, place + mark(required), typeOf(schema, schemas), text])
  })
  return ['| parameter | in | type | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function mark(required: boolean): string {
  return required ? ', required' : ''
}

function bodyParts(
  { requestBody, operationId }: ApiOperation,
  schemas: DocumentedSchemas,
  group: ApiGroup,
): string[] {
  if (requestBody === undefined) return []
  const [[type, media] = ['', undefined]] = Object.entries(requestBody.content)
  const kind = type === 'application/json' ? '' : `, \`${type}\``
  const optional = requestBody.required ? '' : ', which may be left out'
  const rows = rowsOf(media?.schema ?? {}, schemas, DEFAULTS[operationId])
  if (rows.length === 0) return [`**Body**${kind}${optional}.`]
  return [
    `**Body**${kind}${optional}`,
    [
      '| field | type | meaning |',
      '|---|---|---|',
      ...rows.map(({ name, required, type: fieldType, meaning }) =>
        row([`\`${name}\``, `${fieldType}${mark(required)}`, meant(group, name, meaning)]),
      ),
    ].join('\n'),
  ]
}

function answerParts(
  { responses }: ApiOperation,
  schemas: DocumentedSchemas,
  group: ApiGroup,
): string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { description = '', content = {} }]) => {
      const [[type, media] = ['', undefined]] = Object.entries(content)
      const kind = type === '' || type === 'application/json' ? '' : `, \`${type}\``
      const rows: FieldRow[] = media?.schema === undefined ? [] : rowsOf(media.schema, schemas)
      const head = `**Answer \`${status}\`**${kind}: ${description.toLowerCase()}`
      if (rows.length === 0) return [head]
      return [
        head,
        [
          '| field | type | meaning |',
          '|---|---|---|',
          ...rows.map(({ name, type: fieldType, meaning }) =>
            row([`\`${name}\``, fieldType, meant(group, name, meaning)]),
          ),
        ].join('\n'),
      ]
    })
}

/** What the schema says of a field, else what the page's group says of its name. */
function meant({ meanings = {} }: ApiGroup, name: string, meaning: string): string {
  const own = meanings[name.replace(/^data\[\]\./, '')]
  if (own === undefined) return meaning
  if (meaning.startsWith('default: ')) return `${own}; ${meaning}`
  return meaning === '' ? own : meaning
}

function errorsLine({ responses }: ApiOperation): string {
  const codes = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { $ref, description = '' }]) =>
      ($ref?.split('/').at(-1) ?? description).split(', ').map((code) => {
        const isOurs = /^[A-Z_]+$/.test(code) && code !== 'SCIM_ERROR'
        return isOurs ? `[\`${code}\`](../errors.md#${code.toLowerCase()})` : `\`${status}\``
      }),
    )
  return `**Errors**: ${[...new Set(codes)].join(', ')}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
