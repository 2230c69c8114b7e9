/**
 * What a `standalone` answers while another owns the database: that it lives, that it is not ready
 * and why, and 503 to everything else. A load balancer that asks `/ready` sends it nothing.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { ErrorBody } from '@posthorn/contracts/errors'
import { commonHeaders, sendError, sendJson, sendText } from '@posthorn/http/answer'
import type { Operations } from '@posthorn/runtime/operations'

export interface WaitingServer {
  /** Its port is free once this resolves. */
  close(): Promise<void>
}

const RETRY_AFTER_SECONDS = 1

/** @param reason why it is not ready, in words */
export async function startWaitingServer(
  { host, port }: { host: string; port: number },
  operations: Pick<Operations, 'health' | 'metrics'>,
  reason: () => string,
): Promise<WaitingServer> {
  async function answer(url: string, response: ServerResponse): Promise<void> {
    switch (url.replace(/\?.*/, '')) {
      case '/live':
        return sendJson(response, 200, '{"status":"ok"}')
      case '/ready':
        return sendJson(response, 503, JSON.stringify({ status: 'not ready', reason: reason() }))
      case '/health': {
        const { ok, checks } = await operations.health()
        const status = ok ? 'ok' : 'down'
        return sendJson(response, ok ? 200 : 503, JSON.stringify({ status, checks }))
      }
      case '/metrics': {
        const { contentType, body } = await operations.metrics()
        return sendText(response, 200, contentType, body)
      }
      default:
        return refuse(url, response, reason())
    }
  }

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(commonHeaders(randomUUID())))
      response.setHeader(name, value)
    const { url = '' } = request
    answer(url, response).catch(() => {
      if (response.headersSent) response.destroy()
      else refuse(url, response, reason())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function refuse(url: string, response: ServerResponse, reason: string): void {
  const body: ErrorBody = { error: reason, code: 'UNAVAILABLE' }
  // What is sent with the request is not read.
  response.setHeader('Connection', 'close')
  sendError(
    response,
    { status: 503, body, headers: {}, retryAfterSeconds: RETRY_AFTER_SECONDS },
    url,
  )
}
