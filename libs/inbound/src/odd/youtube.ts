/**
 * YouTube sends an Atom feed of one entry: which video, when, and whether it is gone. It is looked through for a few
 * tags, each by its first place alone: nothing that a sender writes makes that more than a few walks over the text.
 */
const MAX_TAG = 2_048

export function youtubeEntry(document: unknown): unknown {
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

/** With its attributes; undefined where there is none of a sensible length. */
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
