/**
 * The page of the portal. A GET takes no token: the page sends it by itself. Where the web pages
 * are not built, another page says so, and the link is still good.
 */
import { type Handlers, textReply } from '@posthorn/http/handlers'
import { openShell } from '../pages/pages.ts'
import type { PortalSessions } from '@posthorn/http/portal-sessions'

const HTML = 'text/html; charset=utf-8'
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Webhooks</title>
</head>
<body>
<h1>The portal’s pages are not installed</h1>
<p>This link is still good. Tell whoever sent you here.</p>
</body>
</html>
`

/** @param shell the built page; null: it is not built */
export function createPortalPage(
  { headers }: Pick<PortalSessions, 'headers'>,
  shell: string | null,
): Handlers<'portal-api'>['getPortalPage'] {
  const framing = headers['Content-Security-Policy'] as string
  const policy = { 'Content-Security-Policy': `default-src 'none'; ${framing}` }
  return async () => {
    if (shell === null) return textReply(HTML, PAGE, { headers: policy })
    const opened = openShell(shell, framing)
    return textReply(HTML, opened.html, { headers: { 'Content-Security-Policy': opened.policy } })
  }
}
