/** The end of a server's life, on real sockets. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { expect, test } from '@jest/globals'
import { Router } from 'express'
import { createErrorAnswerer } from './errors.ts'
import { createHttpServer } from './http-server.ts'

async function startServer() {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const router = Router()
  router.get('/slow', async (_request, response) => {
    began.resolve()
    await release.promise
    response.end('done')
  })
  const log = { error: () => {} }
  const server = createHttpServer({
    routers: [router],
    routes: [],
    operations: {
      isReady: () => false,
      health: async () => ({ ok: true, checks: [] }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
    },
    document: () => ({}),
    answerError: createErrorAnswerer({ isUnavailable: () => false, log }),
    observe: () => {},
  })
  const port = await server.listen('127.0.0.1', 0)
  const agent = new Agent({ keepAlive: true })
  const get = (path: string) => getText({ agent, port, path })
  return { server, agent, get, began: began.promise, release: release.resolve }
}

function getText(options: { agent: Agent; port: number; path: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, host: '127.0.0.1' }, (response: IncomingMessage) => {
      let text = `${response.statusCode} `
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('a server that closes finishes what runs, on connections that would be kept', async () => {
  const { server, agent, get, began, release } = await startServer()
  expect(await get('/live')).toMatch(/^200/)
  expect(await get('/ready')).toMatch(/^503/)
  const running = get('/slow')
  await began
  const closed = server.close(10_000)
  release()
  expect(await running).toBe('200 done')
  await closed
  await expect(get('/live')).rejects.toThrow()
  agent.destroy()
})

test('what does not finish in time is cut off', async () => {
  const { server, agent, get, began, release } = await startServer()
  const running = get('/slow')
  await began
  const [result] = await Promise.allSettled([running, server.close(20)])
  expect(result.status).toBe('rejected')
  release()
  agent.destroy()
})
