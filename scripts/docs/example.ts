/** A call of a route by curl, for the API reference. */
import type { ApiOperation } from './api-document.ts'

export function exampleOf(operation: ApiOperation): string {
  const { method, path, parameters, requestBody } = operation
  const words = [
    method === 'get' ? 'curl' : `curl -X ${method.toUpperCase()}`,
    `"$POSTHORN_URL${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)}${queryOf(operation)}"`,
  ]
  const options = [...credentialOf(operation)]
  for (const { name, required } of parameters.filter((one) => one.in === 'header'))
    if (required) options.push(`-H '${name}: order-1'`)
  const [[type, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {})
  if (media !== undefined) {
    if (type.startsWith('application/')) options.push(`-H 'Content-Type: ${type}'`)
    options.push(`-d ${quoted(media.example ?? {})}`)
  }
  return ['```sh', [words.join(' '), ...options].join(' \\\n  '), '```'].join('\n')
}

/** Parameters that a request can't do without. */
function queryOf({ parameters }: ApiOperation): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required)
  if (required.length === 0) return ''
  const pairs = required.map(({ name, schema }) =>
    schema.type === 'integer' ? `${name}=1` : `${name}=$${variableOf(name)}`,
  )
  return `?${pairs.join('&')}`
}

function credentialOf({ security }: ApiOperation): string[] {
  const schemes = security.flatMap((one) => Object.keys(one))
  if (schemes.includes('apiKey')) return ['-H "X-API-Key: $POSTHORN_API_KEY"']
  if (schemes.includes('scimToken')) return ['-H "Authorization: Bearer $SCIM_TOKEN"']
  return schemes.length > 0 ? ['-b cookies'] : []
}

/** `eventId` is `EVENT_ID`. */
function variableOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
}

function quoted(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example)
  return `'${text.replaceAll("'", "'\\''")}'`
}
