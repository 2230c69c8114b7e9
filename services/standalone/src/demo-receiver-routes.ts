/**
 * The demo receiver over HTTP: it receives requests with any method but GET. GET shows what came,
 * as JSON, or as a page to a browser; the page reads the JSON and sets how the name answers.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type BodyCapacity, createBodyCapacity } from '@posthorn/http/body-capacity'
import type { PageAnswer } from '@posthorn/http/pages-router'
import { readBytes } from '@posthorn/http/read-body'
import express, { type Request, type Response, type Router } from 'express'
import type { DemoReceiver } from './demo-receiver.ts'

export interface DemoReceiverRoutesDeps {
  receiver: DemoReceiver
  /** The page that a browser is shown, with a nonce of its own each time. */
  openPage(): PageAnswer
  /** The lowercase names of the headers that the page shows apart from the others. */
  headerNames: { timestamp: string; signature: string; eventType: string }
}

const MAX_BODY_BYTES = 1024 * 1024
/** The memory for bodies that are being read, apart from that of the API. */
const MAX_BYTES_HELD = 16 * 1024 * 1024
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

export function createDemoReceiverRoutes({
  receiver,
  openPage,
  headerNames,
}: DemoReceiverRoutesDeps): Router {
  const router = express.Router()
  const bodyRooms = createBodyCapacity({ largestBody: MAX_BODY_BYTES, maxBytes: MAX_BYTES_HELD })
  router.param('name', (_request, response, next, name: string) => {
    if (NAME.test(name)) next()
    else response.status(404).json({ error: 'no such receiver', code: 'NOT_FOUND' })
  })
  // Deliveries are POST requests, so none of them can change how a name answers. A page of another
  // origin can't either: its browser would ask first, and nobody answers that.
  router.put('/receiver/:name/answer', async (request: Request, response: Response) => {
    const name = nameOf(request)
    const answer = answerIn(await readBody(request, name, bodyRooms))
    if (answer !== null && receiver.setAnswer(name, answer)) response.json(receiver.answerOf(name))
    else
      response.status(400).json({
        error: 'give status (200 to 599) and delayMs (0 to 60000)',
        code: 'BAD_REQUEST',
      })
  })
  router.all('/receiver/:name', async (request: Request, response: Response) => {
    const name = nameOf(request)
    if (request.method === 'GET') {
      if (request.accepts(['json', 'html']) === 'html') {
        const page = openPage()
        response.writeHead(page.status, { ...page.headers }).end(page.body)
        return
      }
      response.setHeader('Cache-Control', 'no-store')
      response.json({
        requests: receiver.list(name),
        answer: receiver.answerOf(name),
        headerNames,
      })
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

function nameOf(request: Request): string {
  return String(request.params['name'])
}

function answerIn(text: string): { status: unknown; delayMs: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { status, delayMs = 0 } = value as Record<string, unknown>
    return { status, delayMs }
  } catch {
    return null
  }
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
