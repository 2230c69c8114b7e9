/**
 * YouTube sends an Atom feed of one entry: which video, when, and whether it was deleted. Only the
 * first place of a few tags is looked for: no feed takes more than a few walks over the text.
 */
import type { Preset } from '../preset.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { HUB_CHALLENGE, hubSignature } from '../schemes/websub-hub.ts'

export const preset: Preset = {
  source: 'youtube',
  name: 'YouTube (WebSub)',
  description: 'YouTube channel feed notifications over WebSub (PubSubHubbub).',
  mode: 'hmac',
  docs: 'https://developers.google.com/youtube/v3/guides/push_notifications',
  configKeys: [
    { ...SECRET, meaning: 'The hub.secret of your subscription.' },
    {
      ...VERIFY_TOKEN,
      meaning: 'The hub.verify_token of your subscription; compared when it is set.',
    },
  ],
  verify: hubSignature('sha1'),
  handshakes: [
    {
      ...HUB_CHALLENGE,
      when: {
        ...HUB_CHALLENGE.when,
        proof: { at: { query: 'hub.verify_token' }, config: 'verify_token', whenSet: true },
      },
    },
  ],
  unpack: youtubeEntry,
  eventType: ['$.kind'],
  deliveryId: ['{$.videoId}:{$.at}'],
  notes:
    'Subscribe with a hub.secret: without it nothing is signed, and all is refused. The event is the Atom entry as text; its type is updated or deleted. A bad signature is answered with 401, though WebSub would have it accepted in silence.',
}

const MAX_TAG = 2_048

function youtubeEntry(document: unknown): unknown {
  const { text } = (document ?? {}) as { text?: unknown }
  if (typeof text !== 'string') return document
  const deleted = tagIn(text, '<at:deleted-entry')
  if (deleted !== undefined) {
    return {
      kind: 'deleted',
      videoId: /\sref="yt:video:([\w-]+)"/.exec(deleted)?.[1],
      at: /\swhen="([^"]+)"/.exec(deleted)?.[1],
    }
  }
  const start = text.indexOf('<entry>')
  if (start === -1) return document
  const end = text.indexOf('<entry>', start + 1)
  const entry = text.slice(start, end === -1 ? undefined : end)
  const videoId = contentOf(entry, '<yt:videoId>')
  return {
    kind: 'updated',
    videoId: videoId !== undefined && /^[\w-]+$/.test(videoId) ? videoId : undefined,
    at: contentOf(entry, '<updated>'),
  }
}

/** The first tag with its attributes; undefined where there is none of a sensible length. */
function tagIn(text: string, start: string): string | undefined {
  const at = text.indexOf(start)
  if (at === -1) return undefined
  const tag = text.slice(at, at + MAX_TAG)
  const end = tag.indexOf('>')
  return end === -1 || !/\s/.test(tag.charAt(start.length)) ? undefined : tag.slice(0, end + 1)
}

function contentOf(text: string, tag: string): string | undefined {
  const at = text.indexOf(tag)
  if (at === -1) return undefined
  const start = at + tag.length
  const end = text.slice(start, start + MAX_TAG).indexOf('<')
  return end > 0 ? text.slice(start, start + end) : undefined
}
