/**
 * The page of the portal. The web pages are not part of this installation, and this says so: a GET
 * takes no token, so a link that it was asked for still opens where the pages are.
 */
import { type Handlers, textReply } from '@posthorn/http/handlers'
import type { PortalSessions } from '@posthorn/http/portal-sessions'

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

export function createPortalPage({
  headers,
}: Pick<PortalSessions, 'headers'>): Handlers<'portal-api'>['getPortalPage'] {
  const framing = headers['Content-Security-Policy']
  const policy = { 'Content-Security-Policy': `default-src 'none'; ${framing}` }
  return async () => textReply('text/html; charset=utf-8', PAGE, { headers: policy })
}
