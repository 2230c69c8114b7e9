/** What deploy/ and k8s/ have from the catalogs is what the catalogs say. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { routeCatalog } from '@posthorn/contracts/routes'
import { deploymentFiles } from '../../scripts/deployment/files.ts'
import { exampleOf, OTHERWISE, pathRules } from '../../scripts/deployment/path-rules.ts'
import { root } from './tools.ts'

test('generated files are up to date: else run `npm run deployment`', async () => {
  const files = deploymentFiles()
  expect(Object.keys(files).length).toBeGreaterThan(1)
  for (const [path, text] of Object.entries(files))
    expect({ path, text: await readFile(join(root, path), 'utf8') }).toEqual({ path, text })
})

function serviceOf(path: string, rules = pathRules()): string {
  return rules.find(({ pattern }) => new RegExp(pattern).test(path))?.service ?? OTHERWISE
}

test('every route of the catalog goes to its service', () => {
  const routes = [...Object.values(routeCatalog('Service')), ...PUBLIC_INBOUND_ROUTES]
  const wrong = routes.filter(({ path, service }) => serviceOf(exampleOf(path)) !== service)
  expect(wrong).toEqual([])
  expect(serviceOf('/docs')).toBe(OTHERWISE)
})

test('no path matches rules of two services: some ingresses do not keep the order', () => {
  const routes = [...Object.values(routeCatalog('Service')), ...PUBLIC_INBOUND_ROUTES]
  const ambiguous = routes.filter(({ path }) => {
    const matching = pathRules().filter(({ pattern }) => new RegExp(pattern).test(exampleOf(path)))
    return new Set(matching.map(({ service }) => service)).size > 1
  })
  expect(ambiguous.map(({ path }) => path)).toEqual([])
})

test('a literal path of another service comes before the parameter that would match it', () => {
  const rules = pathRules([
    { path: '/a/:id', service: 'ingest-api' },
    { path: '/a/b', service: OTHERWISE },
    { path: '/c', service: OTHERWISE },
  ])
  expect(rules.map(({ service }) => service)).toEqual([OTHERWISE, 'ingest-api'])
  expect([serviceOf('/a/b', rules), serviceOf('/a/c', rules)]).toEqual([OTHERWISE, 'ingest-api'])
})
