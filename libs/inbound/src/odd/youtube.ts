/** YouTube sends an Atom feed of one entry: which video, when, and whether it is gone. */
export function youtubeEntry(document: unknown): unknown {
  const { text } = (document ?? {}) as { text?: unknown }
  if (typeof text !== 'string') return document
  const deleted = /<at:deleted-entry\s[^>]*>/.exec(text)?.[0]
  if (deleted !== undefined) {
    return {
      kind: 'deleted',
      videoId: /\sref="yt:video:([\w-]+)"/.exec(deleted)?.[1],
      at: /\swhen="([^"]+)"/.exec(deleted)?.[1],
    }
  }
  const [, entry] = text.split('<entry>')
  if (entry === undefined) return document
  return {
    kind: 'updated',
    videoId: /<yt:videoId>([\w-]+)</.exec(entry)?.[1],
    at: /<updated>([^<]+)</.exec(entry)?.[1],
  }
}
