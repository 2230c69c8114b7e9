/**
 * What platforms publish to verify by: key sets and certificates. Kept an hour; a key id that is not among them makes us
 * look again, at most once a minute, so that forged ids are no way to make us call the platform.
 */
import { createHash } from 'node:crypto'

export interface PublishedKeys {
  /** The text at an address; kept. @throws when it can't be had and none is kept */
  text(url: URL, asking?: Asking): Promise<string>
  /** The text as it is now, for a key id that the kept one lacks; the kept one when we have looked a minute ago. */
  fresh(url: URL): Promise<string>
}

/** For the few that show their keys to their customers alone. Default: a GET without credentials. */
export interface Asking {
  readonly headers: Readonly<Record<string, string>>
  /** It is a POST then. */
  readonly body?: string
}

/** @throws when it can't be had; where the platform answered so, the error has its `status` */
export type FetchText = (url: URL, asking?: Asking) => Promise<string>

export interface PublishedKeysDeps {
  fetchText: FetchText
  now(): number
}

const KEPT_MS = 60 * 60 * 1000
const LOOK_AGAIN_MS = 60 * 1000
/** A few for each platform of the table. The oldest goes. */
const MAX_KEPT = 256
/** Platforms that name a certificate's address in the request have a handful: more a minute are somebody's inventions. */
const MAX_ASKED_A_MINUTE = 20

interface Kept {
  text: Promise<string>
  askedAt: number
}

export function createPublishedKeys({ fetchText, now }: PublishedKeysDeps): PublishedKeys {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, number[]>()

  function mayAsk(host: string): boolean {
    const recent = (asked.get(host) ?? []).filter((at) => now() - at < LOOK_AGAIN_MS)
    const may = recent.length < MAX_ASKED_A_MINUTE
    asked.set(host, may ? [...recent, now()] : recent)
    return may
  }

  function ask(url: URL, asking?: Asking): Promise<string> {
    const name = nameOf(url, asking)
    const before = kept.get(name)
    if (!mayAsk(url.host)) {
      return before?.text ?? Promise.reject(new Error(`${url.host} was asked enough for a minute`))
    }
    // While the platform can't be reached, yesterday's keys are better than none: they are pinned to its host. That it
    // failed is kept like an answer, for the next look.
    const text = fetchText(url, asking).catch((error: unknown) => {
      if (before === undefined) throw error
      return before.text
    })
    text.catch(() => {})
    kept.delete(name)
    kept.set(name, { text, askedAt: now() })
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return text
  }

  function within(ms: number, url: URL, asking?: Asking): Promise<string> {
    const known = kept.get(nameOf(url, asking))
    return known !== undefined && now() - known.askedAt < ms ? known.text : ask(url, asking)
  }

  return {
    text: (url, asking) =>
      within(KEPT_MS, url, asking).catch(() => within(LOOK_AGAIN_MS, url, asking)),
    fresh: (url) => within(LOOK_AGAIN_MS, url),
  }
}

/** One customer's wrong credentials are no answer to another's right ones; neither stay in memory longer than need be. */
function nameOf(url: URL, asking: Asking | undefined): string {
  if (asking === undefined) return url.href
  return `${url.href} ${createHash('sha256').update(JSON.stringify(asking)).digest('hex')}`
}
