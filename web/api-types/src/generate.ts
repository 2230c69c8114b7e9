/**
 * Makes the types of our own API for the pages, from the same document that `/openapi.json` answers.
 * It is a package of its own because openapi-typescript runs on TypeScript 5 only.
 */
import { openApiDocument } from '@posthorn/contracts/openapi'
import openapiTypescript, { astToString } from 'openapi-typescript'

const HEADER = `/**
 * The types of our own API, made from the route catalog by \`npm run api-types\`. Not written by
 * hand.
 */
`

export async function generateApiTypes(): Promise<string> {
  // Any brand and version: they show in descriptions alone.
  const document = openApiDocument('Service', '0.0.0')
  const nodes = await openapiTypescript(JSON.stringify(document), { alphabetize: true })
  return HEADER + astToString(nodes)
}
