/**
 * A browser without scripts, as somebody's sign-in needs it: it follows redirects, keeps cookies by
 * origin, and fills in the forms that it meets.
 */

export interface FormBrowser {
  /** The cookies of an origin. */
  cookiesOf(origin: string): Map<string, string>
  /** Goes to an address and on, until a page comes or `until` names the next address. */
  go(address: string, until?: (url: URL) => boolean): Promise<Visit>
  submit(
    form: HtmlForm,
    fields: Record<string, string>,
    until?: (url: URL) => boolean,
  ): Promise<Visit>
}

/**
 * A proxy that has TLS before a site that has none. There is no such process: the browser asks the
 * site itself, with the headers that a proxy adds.
 */
export interface TlsProxy {
  /** What the site is called in front, such as `https://idp.example`. */
  origin: string
  /** What is behind it, without TLS. */
  target: string
}

export interface Visit {
  /** Where it is, or where it was about to go. */
  url: URL
  /** 0: `until` stopped it before it went there. */
  status: number
  text: string
}

export interface HtmlForm {
  action: string
  /** The hidden fields. */
  fields: Record<string, string>
}

const MAX_REDIRECTS = 10
const REQUEST_MS = 30_000
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  '#x2F': '/',
  '#x3D': '=',
  '#x2B': '+',
}
const never = (): boolean => false

export function openFormBrowser(proxy?: TlsProxy): FormBrowser {
  const jars = new Map<string, Map<string, string>>()
  function cookiesOf(origin: string): Map<string, string> {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }

  async function visit(start: URL, body: URLSearchParams | null, until: (url: URL) => boolean) {
    let [url, form] = [start, body]
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      if (until(url)) return { url, status: 0, text: '' }
      const jar = cookiesOf(url.origin)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const behind = url.origin === proxy?.origin ? proxy : undefined
      const response = await fetch(addressOf(url, behind), {
        redirect: 'manual',
        headers: {
          ...(cookie === '' ? {} : { Cookie: cookie }),
          ...(behind === undefined ? {} : forwardedFor(url)),
        },
        signal: AbortSignal.timeout(REQUEST_MS),
        ...(form === null ? {} : { method: 'POST', body: form }),
      })
      for (const line of response.headers.getSetCookie()) keep(jar, line)
      const text = await response.text()
      const location = response.headers.get('location')
      if (location === null) return { url, status: response.status, text }
      url = new URL(location, url)
      form = null
    }
    throw new Error(`it goes on for ever, at last to ${url.href}`)
  }

  return {
    cookiesOf,
    go: async (address, until = never) => await visit(new URL(address), null, until),
    submit: async ({ action, fields }, more, until = never) =>
      await visit(new URL(action), new URLSearchParams({ ...fields, ...more }), until),
  }
}

function addressOf(url: URL, proxy: TlsProxy | undefined): string {
  return proxy === undefined ? url.href : proxy.target + url.pathname + url.search
}

function forwardedFor({ host }: URL): Record<string, string> {
  return { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': host, 'X-Forwarded-Port': '443' }
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/;\s*Max-Age=0(?:;|$)/i.test(line) || value === '') jar.delete(name)
  else jar.set(name, value)
}

/** The page's one form. */
export function formOf({ text, url, status }: Visit): HtmlForm {
  const [tag] = /<form\b[^>]*>/i.exec(text) ?? []
  const action = tag === undefined ? undefined : attribute(tag, 'action')
  if (action === undefined) {
    throw new Error(`${url.href}: ${status}, without a form: ${text.slice(0, 300)}`)
  }
  const hidden = [...text.matchAll(/<input\b[^>]*>/gi)]
    .map(([input]) => input)
    .filter((input) => attribute(input, 'type')?.toLowerCase() === 'hidden')
  const fields = hidden.map((input) => [attribute(input, 'name'), attribute(input, 'value') ?? ''])
  const named = fields.filter(([name]) => name !== undefined)
  return { action: new URL(action, url).href, fields: Object.fromEntries(named) }
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]
  return found?.replaceAll(/&([#\w]+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
