/**
 * Answers the paths of the web pages. A page is a shell: the same for everybody, with a nonce of
 * its own under a policy that runs no other script and makes no markup from text. Its files have a
 * hash in their names, so browsers keep them for ever.
 */
import { randomBytes } from 'node:crypto'
import type { PageAnswer, PageRequest } from '@posthorn/http/pages-router'
import type { PageFile, PageFiles } from './page-files.ts'

const DASHBOARD = /^\/(?:dashboard(?:\/.*)?|login|signup|invite|reset|verify)\/?$/
const NONCE = '__NONCE__'
const NOT_BUILT =
  'The web pages are not built. Build them with: npx pnpm --filter @posthorn/web build\n'

/** The dashboard and the files of both; the portal's page is a route of the catalog. */
export function createPages(files: PageFiles): (request: PageRequest) => PageAnswer | null {
  return ({ path, acceptEncoding }) => {
    const asset = files.assets.get(path)
    if (asset !== undefined) return answerAsset(asset, acceptEncoding)
    if (path === '/') return { status: 302, headers: { Location: '/dashboard' }, body: '' }
    if (DASHBOARD.test(path)) return answerDashboard(files.shells.dashboard)
    return null
  }
}

function answerAsset({ contentType, bodies }: PageFile, acceptEncoding: string): PageAnswer {
  const accepted = acceptEncoding.split(',', 20).map((part) => part.trim().split(';')[0])
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name))
  const compressed = encoding === undefined ? undefined : bodies.get(encoding)
  const headers: Record<string, string> = {
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  }
  if (compressed !== undefined) headers['Content-Encoding'] = encoding as string
  return { status: 200, headers, body: compressed ?? (bodies.get('identity') as Buffer) }
}

export function answerDashboard(shell: string | null): PageAnswer {
  if (shell === null) {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
    return { status: 503, headers, body: NOT_BUILT }
  }
  const { html, policy } = openShell(shell, "frame-ancestors 'none'")
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    // The queries of links in mails are secrets.
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
  return { status: 200, headers, body: html }
}

/** @param framing the directive that says who may show the page in a frame */
export function openShell(shell: string, framing: string): { html: string; policy: string } {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    // Logos of themes are data URLs.
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    framing,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return { html: shell.replaceAll(NONCE, nonce), policy: policy.join('; ') }
}
