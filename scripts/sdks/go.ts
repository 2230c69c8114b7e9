/** The generated part of the SDK for Go: structs, and a type with methods for each resource. */
import { alignedFields, comment, exported, unexported } from './go-names.ts'
import { createGoTypes, type GoTypes, oneOf } from './go-types.ts'
import type { ApiDescription, Operation } from './operations.ts'
import type { Schema } from './type-text.ts'

const NOTICE = '// Code generated from the route catalog by `npm run sdks`; DO NOT EDIT.\n'

export function goFiles(api: ApiDescription): Record<string, string> {
  const types = createGoTypes(api.schemas)
  const resources = goResources(api, types)
  const structs = types.text()
  return {
    'sdks/go/resources_gen.go': resources,
    'sdks/go/types_gen.go': `${NOTICE}\npackage posthorn\n\n${imports(structs)}${structs}`,
  }
}

const PACKAGES = ['context', 'encoding/json', 'iter', 'net/url', 'strconv', 'time']

function imports(code: string): string {
  const used = PACKAGES.filter((path) =>
    new RegExp(`\\b${path.split('/').at(-1)}\\.[A-Z]`).test(code),
  )
  return `import (\n${used.map((path) => `\t"${path}"\n`).join('')})\n\n`
}

function goResources({ operations }: ApiDescription, types: GoTypes): string {
  const byResource = [...Map.groupBy(operations, ({ resource }) => resource)]
  const texts = byResource.map(([resource, methods]) => resourceText(resource, methods, types))
  const names = byResource.map(([resource]) => exported(resource))
  const width = Math.max(...names.map((name) => name.length))
  const fields = names.map((name) => `\t${name.padEnd(width)} ${name}Resource\n`)
  const made = names.map((name) => `\tc.${name} = ${name}Resource{core}\n`)
  const client = `// Client has all resources of the API. It may be used by many goroutines at once.
type Client struct {
${fields.join('')}}

func newClient(core *core) *Client {
	c := &Client{}
${made.join('')}	return c
}
`
  const code = [client, ...texts].join('\n')
  return `${NOTICE}\npackage posthorn\n\n${imports(code)}${code}`
}

function resourceText(resource: string, methods: readonly Operation[], types: GoTypes): string {
  const name = `${exported(resource)}Resource`
  const head = `${comment(`${name} has the calls of the API under /api/v1/${dashed(resource)}.`)}type ${name} struct{ core *core }\n`
  return [head, ...methods.flatMap((one) => methodTexts(name, one, types))].join('\n')
}

function dashed(resource: string): string {
  return resource.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function methodTexts(receiver: string, operation: Operation, types: GoTypes): string[] {
  const { item, answer, body } = operation
  const title = `${exported(operation.resource)}${exported(operation.method)}`
  const shown = `${exported(operation.resource)}.${exported(operation.method)}`
  const params = operation.query.length === 0 ? undefined : `${title}Params`
  const before = params === undefined ? [] : [paramsText(params, shown, operation)]
  const bodyType =
    body === undefined
      ? undefined
      : types.typeOf(body, 'request', `${title}Body`, `the body of ${shown}`)
  const signature = { receiver, operation, params, bodyType }
  if (item !== undefined) {
    const type = types.typeOf(item, 'answer', `${title}Item`, `a record of ${shown}`)
    return [...before, ...listTexts(signature, type)]
  }
  const type =
    answer === undefined
      ? undefined
      : types.typeOf(answer, 'answer', `${title}Answer`, `what ${shown} answers`)
  const call = callText(signature)
  const [result, made] =
    type === undefined
      ? ['error', `r.core.do(ctx, ${call}, options, nil)`]
      : [`(*${type}, error)`, `send[${type}](ctx, r.core, ${call}, options)`]
  return [
    ...before,
    `${methodComment(operation)}${headOf(signature, exported(operation.method))} ${result} {
	return ${made}
}
`,
  ]
}

interface Signature {
  receiver: string
  operation: Operation
  params: string | undefined
  bodyType: string | undefined
}

function listTexts(signature: Signature, type: string): string[] {
  const method = exported(signature.operation.method)
  const call = callText(signature)
  return [
    `${methodComment(signature.operation, 'It goes on from page to page.')}${headOf(signature, method)} iter.Seq2[${type}, error] {
	return sendForAll[${type}](ctx, r.core, ${call}, options)
}
`,
    `${comment(`${method}Page reads one page of ${method}: the first, or the one that the cursor of params leads to.`)}${headOf(signature, `${method}Page`)} (*Page[${type}], error) {
	return send[Page[${type}]](ctx, r.core, ${call}, options)
}
`,
  ]
}

function methodComment({ method, httpMethod, path, summary }: Operation, more = ''): string {
  return comment(`${exported(method)} calls ${httpMethod} ${path}: ${summary}. ${more}`.trimEnd())
}

function headOf({ receiver, operation, params, bodyType }: Signature, method: string): string {
  const parameters = [
    'ctx context.Context',
    ...operation.pathParameters.map(
      (name) => `${unexported(name)} ${isNumber(name) ? 'int' : 'string'}`,
    ),
    ...(bodyType === undefined ? [] : [`body ${bodyType}`]),
    ...(params === undefined ? [] : [`params ${params}`]),
    'options ...Option',
  ]
  return `func (r ${receiver}) ${method}(${parameters.join(', ')})`
}

/** The number of a version. */
function isNumber(pathParameter: string): boolean {
  return pathParameter === 'n'
}

function callText({ operation, params, bodyType }: Signature): string {
  const inPath = operation.pathParameters.map((name) =>
    isNumber(name) ? `strconv.Itoa(${unexported(name)})` : unexported(name),
  )
  const fields = [
    `method: "${operation.httpMethod}"`,
    `path: "${operation.path}"`,
    ...(inPath.length === 0 ? [] : [`inPath: []string{${inPath.join(', ')}}`]),
    ...(params === undefined ? [] : ['query: params.query()']),
    ...(bodyType === undefined ? [] : ['body: body']),
    ...(operation.hasKey ? ['hasKey: true'] : []),
  ]
  return `apiCall{${fields.join(', ')}}`
}

/** What the query may hold; a field that is zero is left out. */
function paramsText(name: string, method: string, { query }: Operation): string {
  const fields = query.map((one) => {
    const description = one.description ?? one.schema.description
    const notes = [
      ...(one.required ? ['required'] : []),
      ...(description === undefined ? [] : [description]),
      ...(one.schema.enum === undefined ? [] : [oneOf(one.schema.enum)]),
    ]
    const note = notes.length === 0 ? '' : comment(notes.join('; '), '\t')
    return { name: exported(one.name), type: queryType(one.schema), tag: '', comment: note }
  })
  const set = query.map((one) => `\tset(q, "${one.name}", p.${exported(one.name)})\n`)
  return `${comment(`${name} is what ${method} may be asked for; what is zero is left out.`)}type ${name} struct {
${alignedFields(fields)}}

func (p ${name}) query() url.Values {
	q := url.Values{}
${set.join('')}	return q
}
`
}

function queryType(schema: Schema): string {
  if (schema.type === 'integer') return 'int'
  if (schema.format === 'date-time') return 'time.Time'
  if (schema.type === 'string' || schema.enum !== undefined) return 'string'
  throw new Error(`a query of ${JSON.stringify(schema)} has no type in Go yet`)
}
