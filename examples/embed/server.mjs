/**
 * A host page that has the portal in it: `node examples/embed/server.mjs`, beside a Posthorn that
 * may be framed by it. It stands for your own product, so it has no framework and no build. Whoever
 * opens it is taken for one customer; yours have signed in.
 */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'

const posthorn = process.env.POSTHORN_URL ?? 'http://127.0.0.1:8080'
const port = Number(process.env.PORT ?? 3000)
const host = `http://127.0.0.1:${port}`
const apiKey = process.env.POSTHORN_API_KEY ?? (await readKey())

/** In your product: the customer whose session the request has. */
function signedInCustomer() {
  return { id: 'customer-42', name: 'Ada & Co' }
}

async function readKey() {
  const file = new URL('../../.posthorn/api-key', import.meta.url)
  return (await readFile(file, 'utf8').catch(() => '')).trim()
}

async function call(method, path, body) {
  const response = await fetch(posthorn + path, {
    method,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

/** The sub-account of a customer: made at their first visit, found by your own id afterwards. */
async function subAccountOf(customer) {
  const wanted = { externalId: customer.id, name: customer.name }
  const made = await call('POST', '/api/v1/sub-accounts', wanted)
  if (made.status === 201) return made.body.id
  if (made.body.code === 'CONFLICT') return made.body.details.id
  throw new Error(made.body.error)
}

/** A link that opens once: made when it is needed, for whoever has signed in here. */
async function portalLink(customer) {
  const id = await subAccountOf(customer)
  const minted = await call('POST', `/api/v1/sub-accounts/${id}/sessions`, {
    returnURL: `${host}/portal-ended`,
    scopes: ['endpoints:read', 'endpoints:write', 'events:read', 'events:retry', 'deliveries:read'],
    expiresIn: 3600,
  })
  if (minted.status !== 201) throw new Error(minted.body.error)
  return minted.body.url
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  `frame-src ${posthorn} ${host}`,
  "frame-ancestors 'self'",
].join('; ')

const files = {
  '/': ['host.html', 'text/html; charset=utf-8'],
  '/host.js': ['host.js', 'text/javascript; charset=utf-8'],
  '/host.css': ['host.css', 'text/css; charset=utf-8'],
  '/portal-ended': ['ended.html', 'text/html; charset=utf-8'],
  '/ended.js': ['ended.js', 'text/javascript; charset=utf-8'],
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', host)
  const [name, type] = files[pathname] ?? []
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('Cache-Control', 'no-store')
  if (request.method === 'POST' && pathname === '/portal-link') {
    // The link is a credential: only your own pages may ask for one.
    if (request.headers.origin !== host) return response.writeHead(403).end()
    const answer = await portalLink(signedInCustomer()).then(
      (url) => ({ url }),
      (error) => ({ error: String(error.message) }),
    )
    response.writeHead(answer.url ? 200 : 502, { 'Content-Type': 'application/json' })
    return response.end(JSON.stringify(answer))
  }
  if (request.method !== 'GET' || name === undefined) return response.writeHead(404).end()
  response.setHeader('Content-Type', type)
  response.end(await readFile(new URL(name, import.meta.url)))
})

server.listen(port, '127.0.0.1', () => {
  process.stdout.write(`The host page is at ${host}, and expects Posthorn at ${posthorn}.\n`)
  process.stdout.write(`Start that with SUBACCOUNT_ALLOWED_FRAME_ANCESTORS=${host}\n`)
})
