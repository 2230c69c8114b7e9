/** JSON Schema as TypeScript types. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** @param indent of the line that the type begins in */
export function typeText(schema: Schema | boolean, indent = ''): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return unique(schema.enum.map((one) => JSON.stringify(one)))
  const choices = schema.anyOf ?? schema.oneOf
  // Rules over several fields of an object refine it, and say nothing about its type.
  if (choices !== undefined && schema.properties === undefined && schema.type === undefined)
    return unique(choices.map((choice) => typeText(choice, indent)))
  if (Array.isArray(schema.type))
    return unique(schema.type.map((type) => typeText({ ...schema, type }, indent)))
  if (schema.type === 'array') return arrayText(typeText(schema.items ?? {}, indent))
  if (schema.type === 'object' || schema.properties !== undefined) return objectText(schema, indent)
  return PRIMITIVES[schema.type ?? ''] ?? 'unknown'
}

function arrayText(item: string): string {
  return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`
}

function unique(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ')
}

function objectText({ properties = {}, required = [], ...schema }: Schema, indent: string): string {
  const names = Object.keys(properties)
  const { additionalProperties: others } = schema
  if (names.length === 0) {
    if (others === false) return 'Record<string, never>'
    const value = typeof others === 'object' ? typeText(others, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const inner = `${indent}  `
  const lines = names.flatMap((name) => {
    const property = properties[name] as Schema
    const mark = required.includes(name) ? '' : '?'
    const line = `${inner}${quoted(name)}${mark}: ${typeText(property, inner)}`
    return property.description === undefined
      ? [line]
      : [
          `${inner}/** ${property.description.replaceAll('*/', '* /').replaceAll('\n', ' ')} */`,
          line,
        ]
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

export function quoted(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
