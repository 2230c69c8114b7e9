/**
 * JSON Schema as Python types. An object within an object is a class of its own there: it is named
 * after the type and the field that it is in.
 */
import { camel, reachable, type ApiDescription } from './operations.ts'
import type { Schema } from './type-text.ts'

const NOTICE =
  '"""Types of the API. Generated from the route catalog by `npm run sdks`: do not edit."""\n'

const PRIMITIVES: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}
const ANY = 'Any'
const ANY_OBJECT = 'dict[str, Any]'

/** What cannot be the name of a field or of a parameter. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield'
  ).split(' '),
)

export function isKeyword(name: string): boolean {
  return KEYWORDS.has(name)
}

export function pythonTypes({ schemas, operations }: ApiDescription): string {
  const used = reachable(schemas, operations)
  const types = new TypeWriter(new Set(Object.keys(schemas)))
  for (const [name, schema] of Object.entries(schemas)) if (used.has(name)) types.add(name, schema)
  return `${NOTICE}
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired

${types.text()}`
}

/** Collects declarations; whatever a declaration needs comes before it. */
class TypeWriter {
  readonly #declared = new Map<string, string>()
  readonly #schemas: ReadonlySet<string>

  constructor(schemas: ReadonlySet<string>) {
    this.#schemas = schemas
  }

  text(): string {
    return `\n${[...this.#declared.values()].join('\n\n')}`
  }

  /** A type of this name. */
  add(name: string, schema: Schema): void {
    if (isObject(schema)) return this.#addClass(name, schema)
    const choices = choicesOf(schema)
    if (choices === undefined)
      return this.#declare(name, `${name} = ${this.typeOf(schema, name)}\n`)
    // It is evaluated when the module is imported, where Python 3.9 has no `|`.
    const types = this.#unionOf(choices, name).map((type) => JSON.stringify(type))
    const text = types.length === 1 ? (JSON.parse(types[0] as string) as string) : union(types)
    this.#declare(name, `${name} = ${text}\n`)
  }

  /** @param name for a class that it needs */
  typeOf(schema: Schema | boolean, name: string): string {
    if (typeof schema === 'boolean') return ANY
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ANY
    if ('const' in schema) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
    const choices = choicesOf(schema)
    if (choices !== undefined) return this.#unionOf(choices, name).join(' | ')
    if (Array.isArray(schema.type))
      return unique(schema.type.map((type) => this.typeOf({ ...schema, type }, name))).join(' | ')
    if (schema.type === 'array') return `list[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`
    if (!isObject(schema)) return this.#plainOf(schema, name)
    this.#addClass(name, schema)
    return name
  }

  #plainOf(schema: Schema, name: string): string {
    const { type, additionalProperties: others } = schema
    if (type !== 'object' && schema.properties === undefined) return PRIMITIVES[String(type)] ?? ANY
    if (typeof others !== 'object') return ANY_OBJECT
    return `dict[str, ${this.typeOf(others, `${name}Value`)}]`
  }

  #unionOf(choices: readonly Schema[], name: string): string[] {
    const objects = choices.filter(isObject)
    return unique(
      choices.map((choice) =>
        isObject(choice) && objects.length > 1
          ? this.typeOf(choice, name + variantName(choice, objects.indexOf(choice)))
          : this.typeOf(choice, name),
      ),
    )
  }

  #addClass(name: string, { properties = {}, required = [] }: Schema): void {
    const fields = Object.entries(properties).filter(([, schema]) => !isForbidden(schema))
    const typed = fields.map(([field, schema]) => {
      const type = this.typeOf(schema, name + pascal(field))
      const { description } = schema
      return { field, description, type: required.includes(field) ? type : `NotRequired[${type}]` }
    })
    const isClass = typed.every(({ field }) => /^[A-Za-z]\w*$/.test(field) && !isKeyword(field))
    const lines = typed.map(({ field, type, description }) => {
      const comment = description === undefined ? '' : `    # ${oneLine(description)}\n`
      return isClass
        ? `${comment}    ${field}: ${type}\n`
        : `${comment}    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`
    })
    this.#declare(
      name,
      isClass
        ? `class ${name}(TypedDict):\n${lines.join('')}`
        : `${name} = TypedDict(${JSON.stringify(name)}, {\n${lines.join('')}})\n`,
    )
  }

  #declare(name: string, text: string): void {
    const isTaken = this.#declared.has(name) && this.#declared.get(name) !== text
    // A name made of a type's and a field's could be that of another type.
    if (isTaken) throw new Error(`two types are named ${name}`)
    if (!this.#schemas.has(name) && /^(Any|Literal|TypedDict|Union|NotRequired)$/.test(name))
      throw new Error(`a type may not be named ${name}`)
    this.#declared.set(name, text)
  }
}

/** An object whose fields are known. */
function isObject(schema: Schema): boolean {
  return Object.values(schema.properties ?? {}).some((property) => !isForbidden(property))
}

/** `false`: a rule over several fields, which says nothing about the type of this one. */
function isForbidden(schema: Schema | boolean): boolean {
  return schema === false
}

/** Rules over several fields of an object refine it, and say nothing about its type. */
function choicesOf(schema: Schema): readonly Schema[] | undefined {
  if (schema.properties !== undefined || schema.type !== undefined) return undefined
  return schema.anyOf ?? schema.oneOf
}

/** A variant is named after the constant that tells it from the others, or counted. */
function variantName({ properties = {} }: Schema, at: number): string {
  const told = Object.values(properties).find(({ const: value }) => typeof value === 'string')
  return told === undefined ? String(at + 1) : pascal(told.const as string)
}

function union(types: readonly string[]): string {
  return `Union[\n${types.map((type) => `    ${type},\n`).join('')}]`
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function pascal(text: string): string {
  const joined = camel(text.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, ''))
  return joined.charAt(0).toUpperCase() + joined.slice(1)
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
