/**
 * The generated part of the SDK for Python: two classes of methods for each resource, one whose
 * calls wait and one whose calls are awaited.
 */
import type { ApiDescription, Operation } from './operations.ts'
import { isKeyword, oneLine, pythonTypes } from './python-types.ts'
import type { Schema } from './type-text.ts'

export { pythonTypes }

/** Options that every call takes: no parameter of a query may have such a name. */
const OPTIONS = [
  'project_id',
  'sub_account_id',
  'idempotency_key',
  'timeout_seconds',
  'max_retries',
]

interface Flavour {
  prefix: '' | 'Async'
  request: 'Request' | 'AsyncRequest'
  def: 'def' | 'async def'
  await: '' | 'await '
  paginator: 'Paginator' | 'AsyncPaginator'
}

const SYNC: Flavour = {
  prefix: '',
  request: 'Request',
  def: 'def',
  await: '',
  paginator: 'Paginator',
}
const ASYNC: Flavour = {
  prefix: 'Async',
  request: 'AsyncRequest',
  def: 'async def',
  await: 'await ',
  paginator: 'AsyncPaginator',
}

export function pythonResources({ operations, schemas }: ApiDescription): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource)
  const classes = [SYNC, ASYNC].flatMap((flavour) => [
    ...[...byResource].map(([resource, methods]) =>
      resourceText(flavour, resource, methods, schemas),
    ),
    allText(flavour, [...byResource.keys()]),
  ])
  return `"""All resources of the API. Generated from the route catalog by \`npm run sdks\`: do not edit."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._paging import AsyncPaginator, Paginator
from ._request import Call, segment

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types
    from ._request import AsyncRequest, Request, RequestOptions


${classes.join('\n\n')}`
}

function className({ prefix }: Flavour, resource: string): string {
  return `${prefix}${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`
}

function resourceText(
  flavour: Flavour,
  resource: string,
  methods: readonly Operation[],
  schemas: Record<string, Schema>,
): string {
  return `class ${className(flavour, resource)}:
    def __init__(self, request: ${flavour.request}) -> None:
        self._request = request
${methods.map((method) => methodText(flavour, method, schemas)).join('')}`
}

function allText(flavour: Flavour, resources: readonly string[]): string {
  const fields = resources.map(
    (resource) => `        self.${snake(resource)} = ${className(flavour, resource)}(request)\n`,
  )
  return `class ${flavour.prefix}Resources:
    """All resources of the API."""

    def __init__(self, request: ${flavour.request}) -> None:
${fields.join('')}`
}

function methodText(
  flavour: Flavour,
  operation: Operation,
  schemas: Record<string, Schema>,
): string {
  const { method, summary, body, answer, item } = operation
  const isList = item !== undefined
  const type = isList
    ? `${flavour.paginator}[${itemType(operation, schemas)}]`
    : answer === undefined
      ? 'None'
      : referenceOf(answer)
  const call = callText(operation)
  const returned = isList
    ? `${flavour.paginator}(self._request, ${call}, options)`
    : `${flavour.await}self._request(${call}, options)`
  const parameters = parametersOf(operation).map((parameter) => `        ${parameter},\n`)
  return `
    ${isList ? 'def' : flavour.def} ${snake(method)}(
        self,
${parameters.join('')}        **options: Unpack[RequestOptions],
    ) -> ${type}:
        """${docText(operation, summary)}"""
        ${body === undefined || !operation.bodyOptional ? '' : 'body = body or {}\n        '}return ${returned}
`
}

function parametersOf({ pathParameters, body, bodyOptional, query }: Operation): string[] {
  const bodyType = body === undefined ? undefined : referenceOf(body)
  return [
    ...pathParameters.map((name) => `${parameterName(name)}: ${name === 'n' ? 'int' : 'str'}`),
    ...(bodyType === undefined
      ? []
      : [bodyOptional ? `body: ${bodyType} | None = None` : `body: ${bodyType}`]),
    ...(query.length === 0 ? [] : ['*']),
    ...query.map(({ name, schema, required }) => {
      const type = scalarType(schema, name)
      return `${parameterName(name)}: ${required ? type : `${type} | None = None`}`
    }),
  ]
}

function docText({ query }: Operation, summary: string): string {
  const described = query
    .map(({ name, schema, description = schema.description }) =>
      description === undefined
        ? undefined
        : `        ${parameterName(name)}: ${oneLine(description)}\n`,
    )
    .filter((line) => line !== undefined)
  return described.length === 0 ? `${summary}.` : `${summary}.\n\n${described.join('')}        `
}

function callText({ httpMethod, path, query, body, hasKey }: Operation): string {
  const given = [
    JSON.stringify(httpMethod),
    pathText(path),
    ...(query.length === 0
      ? []
      : [`query={${query.map(({ name }) => `"${name}": ${parameterName(name)}`).join(', ')}}`]),
    ...(body === undefined ? [] : ['body=body']),
    ...(hasKey ? ['has_key=True'] : []),
  ]
  return `Call(${given.join(', ')})`
}

function pathText(path: string): string {
  const text = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `{segment(${parameterName(name)})}`,
  )
  return `${path.includes('{') ? 'f' : ''}"${text}"`
}

function parameterName(name: string): string {
  const parameter = snake(name)
  if (OPTIONS.includes(parameter)) throw new Error(`${name} is an option of every call`)
  return isKeyword(parameter) ? `${parameter}_` : parameter
}

export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Bodies and answers have names in the OpenAPI document. */
function referenceOf({ $ref }: Schema): string {
  if ($ref === undefined) throw new Error('a body, or an answer, has no name')
  return `types.${$ref.split('/').at(-1)}`
}

/** A record that has no name is, in `types`, named after its page. */
function itemType({ item, answer }: Operation, schemas: Record<string, Schema>): string {
  if (item?.$ref !== undefined) return referenceOf(item)
  const page = answer?.$ref?.split('/').at(-1) ?? ''
  if (schemas[page] === undefined) throw new Error('a page has no name')
  return `types.${page}DataItem`
}

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

function scalarType({ enum: values, type }: Schema, name: string): string {
  if (values !== undefined)
    return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
  const scalar = SCALARS[String(type)]
  if (scalar === undefined) throw new Error(`the parameter ${name} is no scalar`)
  return scalar
}
