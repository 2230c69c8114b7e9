/**
 * A browser as sign-in needs one: it follows redirects and keeps cookies by origin. What it asks of
 * the public address goes to the portal of the test. For tests.
 */
import { expect } from '@jest/globals'
import { PUBLIC_URL } from '../portal.fixture.ts'

export interface TestBrowser {
  /** The cookies of the public address. */
  cookies: Map<string, string>
  /** Goes to an address and on, until it is at one that `until` names, or at a page of ours. */
  go(address: string, until?: (url: URL) => boolean): Promise<URL>
  /** The whole way of a sign-in, up to our callback, which is not visited. */
  goToCallback(address: string): Promise<URL>
}

const MAX_REDIRECTS = 20

export function openBrowser(portalUrl: string): TestBrowser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const isPage = (url: URL): boolean =>
    url.origin === PUBLIC_URL && !url.pathname.startsWith('/auth/')

  async function visit(url: URL): Promise<URL> {
    const jar = jarOf(url.origin)
    const asked = url.origin === PUBLIC_URL ? portalUrl + url.pathname + url.search : url.href
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(asked, {
      redirect: 'manual',
      headers: { Connection: 'close', ...(cookie === '' ? {} : { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    const location = response.headers.get('location')
    const text = await response.text()
    if (location === null) throw new Error(`${url.href}: ${response.status} ${text}`)
    expect([302, 303]).toContain(response.status)
    return new URL(location, url)
  }

  async function go(address: string, until = isPage): Promise<URL> {
    let url = new URL(address, PUBLIC_URL)
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      url = await visit(url)
      if (until(url) || isPage(url)) return url
    }
    throw new Error(`it goes on for ever, at last to ${url.href}`)
  }

  return {
    cookies: jarOf(PUBLIC_URL),
    go,
    goToCallback: (address) => go(address, ({ pathname }) => pathname.endsWith('/callback')),
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/;\s*Max-Age=0(?:;|$)/i.test(line) || value === '') jar.delete(name)
  else jar.set(name, value)
}
