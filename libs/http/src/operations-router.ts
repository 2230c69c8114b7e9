/**
 * Answers what people and machines ask a process about itself: whether it lives, is ready, is well,
 * and what it can do. It takes no key and is there in every process. Nothing here loads from
 * another host, so the reference works in a closed network.
 */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { IRouter, Response } from 'express'
import type { KnownRoute } from './allowed-methods.ts'
import { sendJson } from './answer.ts'
import type { Router } from './router.ts'

export interface OperationsDeps {
  /** False until started, and while draining. */
  isReady(): boolean
  health(): Promise<{ ok: boolean; checks: { name: string; ok: boolean; detail: string }[] }>
  metrics(): Promise<{ contentType: string; body: string }>
}

const GETS = ['/live', '/ready', '/health', '/metrics', '/openapi.json', '/docs', '/docs/start.js']
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js']
const ASSET_AGE = '1h'

export const OPERATION_ROUTES: readonly KnownRoute[] = [
  ...GETS,
  ...ASSETS.map((name) => `/docs/${name}`),
].map((path) => ({ method: 'GET', path }))

/** @param document the OpenAPI document, made once, when first asked for */
export function createOperationsRouter(operations: OperationsDeps, document: () => object): Router {
  let openApi: string | undefined
  function mount(router: IRouter): void {
    router.get('/live', (_request, response) => sendJson(response, 200, '{"status":"ok"}'))
    router.get('/ready', (_request, response) => {
      if (operations.isReady()) sendJson(response, 200, '{"status":"ready"}')
      else sendJson(response, 503, '{"status":"not ready"}')
    })
    router.get('/health', async (_request, response) => {
      const { ok, checks } = await operations.health()
      sendJson(response, ok ? 200 : 503, JSON.stringify({ status: ok ? 'ok' : 'down', checks }))
    })
    router.get('/metrics', async (_request, response) => {
      const { contentType, body } = await operations.metrics()
      response.writeHead(200, { 'Content-Type': contentType }).end(body)
    })
    router.get('/openapi.json', (_request, response) => {
      openApi ??= JSON.stringify(document())
      sendJson(response, 200, openApi)
    })
    addDocs(router)
  }
  return { mount }
}

function addDocs(router: IRouter): void {
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  router.get('/docs', (_request, response) => sendText(response, 'text/html', PAGE))
  router.get('/docs/start.js', (_request, response) => sendText(response, 'text/javascript', START))
  for (const name of ASSETS) {
    router.get(`/docs/${name}`, (_request, response, next) => {
      response.removeHeader('Cache-Control')
      response.sendFile(name, { root: assets, maxAge: ASSET_AGE }, (error) => {
        if (error && !response.headersSent) next(error)
      })
    })
  }
}

function sendText(response: Response, type: string, text: string): void {
  response.setHeader('Content-Security-Policy', DOCS_POLICY)
  response.writeHead(200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** Swagger UI sets style attributes and draws its icons from data URLs. */
const DOCS_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

// Absolute paths: `/docs/` shows the same page.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Posthorn</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: true,
  defaultModelsExpandDepth: 0,
})
`
