/** Serves the documents that tell what of SCIM there is. */
import type { Handlers } from '@posthorn/http/handlers'
import { notFound } from '../refusals.ts'
import * as documents from './discovery-documents.ts'

type DiscoveryHandlers = Pick<
  Handlers<'portal-api'>,
  | 'getScimConfig'
  | 'listScimResourceTypes'
  | 'getScimResourceType'
  | 'listScimSchemas'
  | 'getScimSchema'
>

export function createScimDiscovery(publicUrl: string): DiscoveryHandlers {
  return {
    getScimConfig: async () => ({ ...documents.serviceProviderConfig(publicUrl) }),
    listScimResourceTypes: async () => ({ ...documents.resourceTypes(publicUrl) }),
    async getScimResourceType({ params }) {
      const found = documents.resourceType(publicUrl, params['id'] ?? '')
      if (found === null) throw notFound('resource type')
      return { ...found }
    },
    listScimSchemas: async () => ({ ...documents.schemas(publicUrl) }),
    async getScimSchema({ params }) {
      const found = documents.schema(publicUrl, params['id'] ?? '')
      if (found === null) throw notFound('schema')
      return { ...found }
    },
  }
}
