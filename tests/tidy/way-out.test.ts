/** The way out of the product is `libs/egress` alone. */
import { describe, expect, test } from '@jest/globals'
import { expectNone, places, product } from './broken-rules.ts'
import { importsOf, type SourceFile } from './source-files.ts'

describe('the way out', () => {
  /** What opens connections to what the operator has set and tenants can't name. */
  const toOperators = ['libs/bus/src/kafka-sockets.ts', 'libs/async/src/post-text.ts']
  const elsewhere = product.filter(
    ({ path }) =>
      !path.startsWith('libs/egress/') &&
      !path.startsWith('libs/testing/') &&
      !path.endsWith('/test-portal.ts') &&
      !toOperators.includes(path),
  )
  /** Of Node's modules for networks, what reaches nobody: servers, words, judging texts. */
  const harmless: Readonly<Record<string, readonly string[]>> = {
    'node:http': ['createServer', 'ServerResponse', 'STATUS_CODES'],
    'node:https': ['createServer'],
    'node:net': ['createServer', 'isIP', 'isIPv4', 'isIPv6', 'BlockList'],
    'node:tls': ['createSecureContext', 'rootCertificates'],
    'node:http2': [],
    'node:dgram': [],
    'node:dns': [],
    'node:dns/promises': [],
    ws: ['WebSocketServer'],
  }
  const clients =
    /^(undici|got|axios|ws|node-fetch|cross-fetch|superagent|request|ky|needle|phin)(\/|$)/

  /** What a file takes from modules for networks beyond the harmless. */
  function reachesOut({ path, text }: SourceFile): string[] {
    const statements = text.matchAll(/\bimport\s+(type\s+)?([^'"]*?)\s*from\s*'([^']+)'/g)
    const taken = [...statements].flatMap(([, isType, names = '', module = '']) => {
      const known = harmless[module] ?? harmless[module.replace(/^(node:)?/, 'node:')]
      if (isType !== undefined || (known === undefined && !clients.test(module))) return []
      const values = names
        .replaceAll(/[{}\n]/g, ' ')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => name.split(/\s+as\s+/)[0] as string)
      return values
        .filter((name) => known?.includes(name) !== true)
        .map((name) => `${name} of ${module}`)
    })
    const dynamic = importsOf(text).filter(
      (module) => clients.test(module) && !text.includes(`from '${module}'`),
    )
    return [...taken, ...dynamic].map((what) => `${path}: takes ${what}`)
  }

  test('the rule sees what reaches out, and not what listens', () => {
    const seen = (text: string) => reachesOut({ path: 'x.ts', text }).length
    expect(seen("import { createServer, type Socket } from 'node:net'")).toBe(0)
    expect(seen("import type { Agent } from 'node:http'")).toBe(0)
    expect(seen("import { connect } from 'node:tls'")).toBe(1)
    expect(seen("import http, { STATUS_CODES } from 'http'")).toBe(1)
    expect(seen("import * as net from 'node:net'")).toBe(1)
    expect(seen("import {\n  request,\n  createServer,\n} from 'node:https'")).toBe(1)
    expect(seen("import { Pool } from 'undici'")).toBe(1)
    expect(seen("import { WebSocketServer } from 'ws'")).toBe(0)
    expect(seen("import { WebSocket } from 'ws'")).toBe(1)
    expect(seen("const { request } = await import('undici')")).toBe(1)
  })

  test('what tenants name is not posted past it', () => {
    const users = elsewhere.filter(({ text }) =>
      importsOf(text).includes('@posthorn/async/post-text'),
    )
    expect(users.map(({ path }) => path)).toEqual([
      'libs/bus/src/oauth-tokens.ts',
      'libs/runtime/src/otlp-exporter.ts',
    ])
  })

  test('is libs/egress alone', () => {
    expectNone(
      [
        ...elsewhere.flatMap(reachesOut),
        ...places(elsewhere, /(?<![.\w])(globalThis\.)?fetch\(\s*[^)\s:]+\s*[,)](?!.*:\s*Promise)/),
        ...places(elsewhere, /\bnew (WebSocket|EventSource|XMLHttpRequest)\(/),
      ],
      'send it through createEgress (libs/egress), which judges every address before it connects.',
    )
  })
})
