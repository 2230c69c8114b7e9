/** The mailbox that shows what would have been sent. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import express from 'express'
import { createDemoMailbox, type DemoMailbox } from './demo-mailbox.ts'

let mailbox: DemoMailbox
let server: Server
let base: string

beforeEach(async () => {
  mailbox = createDemoMailbox(() => 1_793_491_200_000)
  server = createServer(express().use(mailbox.routes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/receiver/mail`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function mail(id: string, to: string) {
  const link = 'https://hooks.example.com/reset?token=s'
  return { id, to, kind: 'invite', subject: '<b>Join</b>', text: 'text', html: '<p>HTML</p>', link }
}

async function read(path = '', headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(base + path, {
    method,
    headers: { Connection: 'close', ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('mails are there as JSON, newest first, all or those to one address', async () => {
  expect(JSON.parse((await read()).text)).toEqual({ mails: [] })
  mailbox.keep(mail('m1', 'ada@example.com'))
  mailbox.keep(mail('m2', 'bob@example.com'))
  const all = JSON.parse((await read()).text).mails
  expect(all.map(({ id }: { id: string }) => id)).toEqual(['m2', 'm1'])
  expect(all[1]).toEqual({
    ...mail('m1', 'ada@example.com'),
    sentAt: '2026-11-01T00:00:00.000Z',
  })
  const own = JSON.parse((await read('?to=ada@example.com')).text).mails
  expect(own.map(({ id }: { id: string }) => id)).toEqual(['m1'])
})

test('a browser gets pages, in which nothing runs', async () => {
  mailbox.keep(mail('m1', 'ada@example.com'))
  const page = await read('', { Accept: 'text/html' })
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.text).toContain('&#60;b&#62;Join')
  expect(page.text).toContain('href="https://hooks.example.com/reset?token=s"')
  const html = await read('/m1', { Accept: 'text/html' })
  expect([html.status, html.text]).toEqual([200, '<p>HTML</p>'])
  expect(html.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await read('/m2')).status).toBe(404)
})

test('only the last hundred are kept', async () => {
  for (let n = 0; n < 105; n++) mailbox.keep(mail(`m${n}`, 'ada@example.com'))
  const { mails } = JSON.parse((await read()).text)
  expect([mails.length, mails[0].id, mails[99].id]).toEqual([100, 'm104', 'm5'])
})

test('it receives nothing', async () => {
  expect((await read('', {}, 'POST')).status).toBe(404)
})
