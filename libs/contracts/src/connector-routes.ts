/** The routes of connectors: where rules notify, and where events are told of besides. */
import { may } from './access.ts'
import { NotificationTested } from './alerting.ts'
import * as connectors from './connectors.ts'
import { API, entry } from './route.ts'

const FEATURE = { feature: 'alerting' } as const
const READ = may('connectors:read', FEATURE)
const WRITE = may('connectors:write', FEATURE)
/** Three templates of 16 KiB with half of their characters escaped, headers and recipients. */
const MAX_CONNECTOR_BYTES = 160 * 1024

export function connectorRoutes(brand: string) {
  const schemas = connectors.connectorSchemas(brand)
  return { ...writingRoutes(schemas), ...otherRoutes }
}

function writingRoutes(schemas: connectors.ConnectorSchemas) {
  return {
    createConnector: entry({
      method: 'POST',
      path: `${API}/connectors`,
      service: 'alerting',
      access: WRITE,
      audit: 'connector.create',
      summary: 'Create a connector',
      status: 201,
      body: schemas.CreateConnector,
      answer: connectors.Connector,
      errors: ['CONFLICT', 'INVALID_STATE', 'DESTINATION_BLOCKED'],
      maxBodyBytes: MAX_CONNECTOR_BYTES,
      example: {
        name: 'ops-chat',
        type: 'slack',
        config: { webhookUrl: 'https://hooks.slack.com/services/T000/B000/XXXX' },
        template: { text: '{{.event_type}}: {{.message}}' },
        eventTypes: ['order.*'],
      },
    }),
    updateConnector: entry({
      method: 'PUT',
      path: `${API}/connectors/:name`,
      service: 'alerting',
      access: WRITE,
      audit: 'connector.update',
      summary: 'Change a connector; fields left out stay as they are, also within config',
      status: 200,
      body: schemas.UpdateConnector,
      answer: connectors.Connector,
      errors: ['DESTINATION_BLOCKED'],
      maxBodyBytes: MAX_CONNECTOR_BYTES,
      example: { template: { text: '{{.event_type}} {{json .payload}}' } },
    }),
  }
}

const otherRoutes = {
  listConnectors: entry({
    method: 'GET',
    path: `${API}/connectors`,
    service: 'alerting',
    access: READ,
    summary: 'List connectors, newest first',
    status: 200,
    query: connectors.ConnectorListQuery,
    answer: connectors.ConnectorPage,
  }),
  getConnector: entry({
    method: 'GET',
    path: `${API}/connectors/:name`,
    service: 'alerting',
    access: READ,
    summary: 'Read a connector; its secrets are masked',
    status: 200,
    answer: connectors.Connector,
  }),
  deleteConnector: entry({
    method: 'DELETE',
    path: `${API}/connectors/:name`,
    service: 'alerting',
    access: WRITE,
    audit: 'connector.delete',
    summary: 'Delete a connector that no alert rule names',
    status: 204,
    errors: ['INVALID_STATE'],
  }),
  testConnector: entry({
    method: 'POST',
    path: `${API}/connectors/:name/test`,
    service: 'alerting',
    access: WRITE,
    // It changes nothing.
    audit: null,
    summary: 'Send a sample through a connector, at once and without retries',
    status: 200,
    answer: NotificationTested,
  }),
}
