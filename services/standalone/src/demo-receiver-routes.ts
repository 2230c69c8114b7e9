/**
 * The demo receiver over HTTP: it receives requests with any method but GET. GET shows what came,
 * as JSON, or as a page to a browser.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type BodyCapacity, createBodyCapacity } from '@posthorn/http/body-capacity'
import { readBytes } from '@posthorn/http/read-body'
import express, { type Request, type Response, type Router } from 'express'
import type { DemoRequest, DemoReceiver } from './demo-receiver.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** The memory for bodies that are being read, apart from that of the API. */
const MAX_BYTES_HELD = 16 * 1024 * 1024
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

export function createDemoReceiverRoutes(receiver: DemoReceiver): Router {
  const router = express.Router()
  const bodyRooms = createBodyCapacity({ largestBody: MAX_BODY_BYTES, maxBytes: MAX_BYTES_HELD })
  router.all('/receiver/:name', async (request: Request, response: Response) => {
    const name = String(request.params.name)
    if (!NAME.test(name)) {
      response.status(404).json({ error: 'no such receiver', code: 'NOT_FOUND' })
      return
    }
    if (request.method === 'GET') {
      show(name, receiver.list(name), request, response)
      return
    }
    const { status, delayMs } = await receiver.receive(
      name,
      new URL(request.url, 'http://receiver').searchParams,
      {
        method: request.method,
        headers: flat(request),
        body: await readBody(request, name, bodyRooms),
      },
    )
    if (delayMs > 0) await delay(delayMs)
    response.status(status).json({ received: true })
  })
  return router
}

async function readBody(
  request: Request,
  name: string,
  capacityFor: BodyCapacity,
): Promise<string> {
  const capacity = capacityFor({ tenantId: name, senderId: name })
  try {
    return (await readBytes(request, MAX_BODY_BYTES, capacity)).toString('utf8')
  } finally {
    capacity.release()
  }
}

function flat(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

function show(
  name: string,
  requests: readonly DemoRequest[],
  request: Request,
  response: Response,
): void {
  response.setHeader('Cache-Control', 'no-store')
  if (request.accepts(['json', 'html']) === 'html') response.type('html').send(page(name, requests))
  else response.json({ requests })
}

function page(name: string, requests: readonly DemoRequest[]): string {
  const rows = requests.map(row).join('\n')
  const none = '<p>Nothing has arrived yet. Send an event to this address and it shows up here.</p>'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<title>Receiver ${escape(name)} · Posthorn</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  article { border: 1px solid #8884; border-radius: 8px; padding: .75rem 1rem; margin: 1rem 0; }
  header { display: flex; gap: 1rem; align-items: baseline; }
  .yes { color: #15803d; } .no { color: #b91c1c; }
  pre { overflow-x: auto; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
  time { margin-left: auto; opacity: .7; }
</style></head><body>
<h1>Receiver ${escape(name)}</h1>
<p>The last ${requests.length === 1 ? 'request' : `${requests.length} requests`}, newest first.
The page reloads by itself.</p>
${requests.length === 0 ? none : rows}
</body></html>`
}

function row(request: DemoRequest): string {
  const badge = request.verified
    ? '<span class="yes">signature verified</span>'
    : '<span class="no">signature not verified</span>'
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return `<article><header><strong>${escape(request.method)}</strong> ${badge}
<time>${escape(request.receivedAt)}</time></header>
<pre>${escape(request.body)}</pre>
<details><summary>${headers.length} headers</summary>
<pre>${escape(headers.join('\n'))}</pre></details></article>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
