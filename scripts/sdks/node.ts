/** The generated part of the SDK for Node: types, and a class of methods for each resource. */
import { type ApiDescription, type Operation, reachable } from './operations.ts'
import { quoted, type Schema, typeText } from './type-text.ts'

const NOTICE = '// Generated from the route catalog by `npm run sdks`: do not edit.\n'

export function nodeTypes({ schemas, operations }: ApiDescription): string {
  const used = reachable(schemas, operations)
  const types = Object.keys(schemas)
    .filter((name) => used.has(name))
    .map((name) => `export type ${name} = ${typeText(schemas[name] as Schema)}\n`)
  return `${NOTICE}\n${types.join('\n')}`
}

export function nodeResources({ operations, schemas }: ApiDescription): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource)
  const used = [...reachable(schemas, operations)].toSorted()
  const text = [...byResource].map(([resource, methods]) => resourceText(resource, methods))
  const mentioned = used.filter((name) => new RegExp(`\\b${name}\\b`).test(text.join('\n')))
  const fields = [...byResource.keys()].map(
    (resource) => `  readonly ${resource}: ${className(resource)}`,
  )
  const made = [...byResource.keys()].map(
    (resource) => `    this.${resource} = new ${className(resource)}(request)`,
  )
  return `${NOTICE}import { Paginator } from '../paginator.ts'
import type { Request, RequestOptions } from '../request.ts'
import type {
${mentioned.map((name) => `  ${name},`).join('\n')}
} from './types.ts'

${text.join('\n')}
/** All resources of the API. */
export class Resources {
${fields.join('\n')}

  constructor(request: Request) {
${made.join('\n')}
  }
}
`
}

function className(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`
}

function resourceText(resource: string, methods: readonly Operation[]): string {
  return `class ${className(resource)} {
  readonly #request: Request
  constructor(request: Request) {
    this.#request = request
  }
${methods.map(methodText).join('')}}
`
}

function methodText(operation: Operation): string {
  const { method, summary, pathParameters, body, item, answer } = operation
  const query = queryText(operation)
  const isQueryRequired = operation.query.some(({ required }) => required)
  const bodyType = body === undefined ? undefined : typeText(body, '    ')
  const parameters = [
    ...pathParameters.map((name) => `${name}: ${name === 'n' ? 'number' : 'string'}`),
    ...(bodyType === undefined
      ? []
      : [operation.bodyOptional ? `body: ${bodyType} = {}` : `body: ${bodyType}`]),
    ...(query === undefined ? [] : [isQueryRequired ? `query: ${query}` : `query: ${query} = {}`]),
    'options: RequestOptions = {}',
  ]
  const given = [
    `method: '${operation.httpMethod}'`,
    ...pathOf(operation),
    ...(query === undefined ? [] : ['query']),
    ...(body === undefined ? [] : ['body']),
    ...(operation.hasKey ? ['hasKey: true'] : []),
  ].join(', ')
  const head = `\n  /** ${summary}. */\n  ${method}(${parameters.join(', ')})`
  if (item !== undefined) {
    const type = typeText(item, '  ')
    return `${head}: Paginator<${type}> {
    return new Paginator((cursor) =>
      this.#request({ ${[`method: '${operation.httpMethod}'`, ...pathOf(operation)].join(', ')}, query: { ...query, ...cursor } }, options),
    )
  }
`
  }
  const type = answer === undefined ? 'void' : typeText(answer, '  ')
  return `${head}: Promise<${type}> {
    return this.#request({ ${given} }, options)
  }
`
}

/** The path as the catalog has it, and what stands for its parameters. */
function pathOf({ path, pathParameters }: Operation): string[] {
  const inPath = pathParameters.length === 0 ? [] : [`inPath: { ${pathParameters.join(', ')} }`]
  return [`path: '${path}'`, ...inPath]
}

function queryText({ query }: Operation): string | undefined {
  if (query.length === 0) return undefined
  const fields = query.map(({ name, schema, required, description = schema.description }) => {
    const comment = description === undefined ? '' : `/** ${description} */ `
    return `    ${comment}${quoted(name)}${required ? '' : '?'}: ${typeText(schema, '    ')}`
  })
  return `{\n${fields.join('\n')}\n  }`
}
