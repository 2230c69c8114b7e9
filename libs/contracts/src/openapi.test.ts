import { expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from './openapi.ts'
import { routeCatalog } from './routes.ts'

const routes = routeCatalog('Service')
// Serialised, as it is served.
const document = JSON.parse(
  JSON.stringify(openApiDocument('Service', '1.2.3', 'https://hooks.example.com')),
)

function operation(path: string, method: string) {
  return document.paths[path][method]
}

test('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(validator.version).toBe('3.1')
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, to = '']) => to,
  )
  expect(references.length).toBeGreaterThan(50)
  for (const reference of references) {
    const target = reference.split('/').reduce((value, part) => value?.[part], document)
    expect({ reference, found: target !== undefined }).toEqual({ reference, found: true })
  }
})

test('has every route of the catalog, each with its status', () => {
  for (const [name, route] of Object.entries(routes)) {
    const found = operation(route.path.replace(/:(\w+)/g, '{$1}'), route.method.toLowerCase())
    expect(found.operationId).toBe(name)
    expect(found.responses).toHaveProperty(String(route.status))
    const always = route.access.by === 'member' ? ['401', '403', '429', '500', '503'] : ['500']
    expect(Object.keys(found.responses)).toEqual(expect.arrayContaining(always))
  }
})

test('query parameters have the types that they stand for', () => {
  const { parameters } = operation('/api/v1/deliveries', 'get')
  const limit = parameters.find(({ name }: { name: string }) => name === 'limit')
  expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
})

test('bodies are described as they are sent, answers as they come', () => {
  const { CreateEvent, EventPage, EventListItem } = document.components.schemas
  expect(CreateEvent.required).toEqual(['payload'])
  expect(CreateEvent.additionalProperties).toBe(false)
  expect(EventPage.properties.data.items).toEqual({ $ref: '#/components/schemas/EventListItem' })
  expect(EventListItem).not.toHaveProperty('additionalProperties')
  expect(
    operation('/api/v1/events', 'post').requestBody.content['application/json'].example,
  ).toBeDefined()
})

test('examples of bodies fit their schemas', () => {
  for (const [name, route] of Object.entries(routes)) {
    if (!('body' in route)) continue
    expect({ name, ...route.body.safeParse(route.example) }).toMatchObject({ name, success: true })
  }
})

test('the brand is not in it unless it was asked for', () => {
  expect(JSON.stringify(openApiDocument('Acme', '1'))).not.toMatch(/X-Service/)
  expect(openApiDocument('Acme', '1').servers).toEqual([{ url: '/' }])
})
