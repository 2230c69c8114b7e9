/**
 * What is printed when it runs: the URL, the key, a link that signs in, and a command to paste that
 * delivers a first event.
 */
export interface Greeting {
  url: string
  apiKey: string
  /** A token that signs in once as the first workspace's admin key; null: there is no such key. */
  signInToken: string | null
  /** Without the demo receiver there is nothing to send a first event to. */
  hasDemoReceiver: boolean
}

export function greeting({ url, apiKey, signInToken, hasDemoReceiver }: Greeting): string {
  const lines = [
    '',
    `Posthorn runs at ${url}`,
    '',
    `  API key    ${apiKey}`,
    `  docs       ${url}/docs`,
    // Behind the hash, so that no log of requests has the token.
    `  dashboard  ${url}/login${signInToken === null ? '' : `#link=${signInToken}`}`,
  ]
  if (signInToken !== null) lines.push('             (the link signs in once, within an hour)')
  if (hasDemoReceiver) {
    lines.push(
      `  receiver   ${url}/receiver/demo`,
      '',
      'Send a first event:',
      '',
      firstEvent(url, apiKey),
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** One line, so that it can be pasted as a whole. Each run uses a new idempotency key. */
function firstEvent(url: string, apiKey: string): string {
  const body = `{"destination":"${url}/receiver/demo","payload":{"hello":"world"}}`
  return (
    `curl -s -X POST ${url}/api/v1/events -H 'X-API-Key: ${apiKey}'` +
    ` -H "X-Idempotency-Key: first-$(date +%s%N)"` +
    ` -H 'Content-Type: application/json' -d '${body}'`
  )
}
