/**
 * The mails of an installation without a mail server, at `/receiver/mail`: as JSON, or as a page to
 * a browser. It keeps the last 100 in memory. For trying things out and for tests; never in
 * production, because whoever reads it can sign in as anybody.
 */
import type { OutgoingMail } from '@posthorn/portal-api/mail/send-mail'
import express, { type Request, type Response, type Router } from 'express'

export interface DemoMailbox {
  keep(mail: OutgoingMail): void
  routes: Router
}

interface KeptMail extends OutgoingMail {
  sentAt: string
}

const KEPT = 100

export function createDemoMailbox(now: () => number): DemoMailbox {
  const mails: KeptMail[] = []
  const routes = express.Router()
  routes.get('/receiver/mail', (request: Request, response: Response) => {
    const { to } = request.query
    const shown = typeof to === 'string' ? mails.filter((mail) => mail.to === to) : mails
    response.setHeader('Cache-Control', 'no-store')
    if (request.accepts(['json', 'html']) === 'html') sendPage(response, mailboxPage(shown))
    else response.json({ mails: shown })
  })
  // The demo receiver would take it, and nobody could see it there.
  routes.all('/receiver/mail', (_request: Request, response: Response) => {
    response.status(404).json({ error: 'this name shows mails: use another', code: 'NOT_FOUND' })
  })
  routes.get('/receiver/mail/:id', (request: Request, response: Response) => {
    const mail = mails.find(({ id }) => id === request.params['id'])
    if (mail === undefined) response.status(404).json({ error: 'no such mail', code: 'NOT_FOUND' })
    else sendPage(response, mail.html)
  })
  return {
    keep(mail) {
      mails.unshift({ ...mail, sentAt: new Date(now()).toISOString() })
      mails.length = Math.min(mails.length, KEPT)
    },
    routes,
  }
}

function sendPage(response: Response, page: string): void {
  response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  response.setHeader('Cache-Control', 'no-store')
  response.type('html').send(page)
}

function mailboxPage(mails: readonly KeptMail[]): string {
  const none = '<p>No mail has been sent yet. Sign up, and the first one shows up here.</p>'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<title>Mails · Posthorn</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  article { border: 1px solid #8884; border-radius: 8px; padding: .75rem 1rem; margin: 1rem 0; }
  header { display: flex; gap: 1rem; align-items: baseline; }
  pre { overflow-x: auto; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
  time { margin-left: auto; opacity: .7; }
</style></head><body>
<h1>Mails</h1>
<p>Without SMTP_URL mails are shown here instead of being sent; the last ${KEPT}, newest first.</p>
${mails.length === 0 ? none : mails.map(article).join('\n')}
</body></html>`
}

function article({ id, to, subject, text, link, sentAt }: KeptMail): string {
  const open = link === null ? '' : `<a href="${escape(link)}">Open the link</a>`
  return `<article><header><strong>${escape(subject)}</strong> to ${escape(to)}
<time>${escape(sentAt)}</time></header>
<pre>${escape(text)}</pre>
<p>${open} <a href="/receiver/mail/${escape(id)}">As HTML</a></p></article>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
