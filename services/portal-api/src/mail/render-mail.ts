/**
 * Makes a mail's plain text and HTML, which say the same. Every link begins with `PUBLIC_URL`,
 * never with the host that a request named, or a stranger could have our mails lead to a site of
 * his own.
 */
import type { Mail } from './enqueue-mail.ts'
import { html, htmlText, type Markup } from './html.ts'
import { type MailText, textOf } from './mail-texts.ts'

export interface RenderedMail {
  to: string
  kind: string
  subject: string
  text: string
  html: string
  /** The address of the button; null where there is none. */
  link: string | null
}

export interface RenderConfig {
  brand: string
  /** Without a slash at its end. */
  publicUrl: string
}

export type RenderMail = (mail: Pick<Mail, 'to' | 'kind' | 'data'>) => RenderedMail

export function createRenderMail({ brand, publicUrl }: RenderConfig): RenderMail {
  return (mail) => {
    const text = textOf(mail, brand)
    const link = text.button === undefined ? null : linkTo(publicUrl, text.button.path)
    const parts = { brand, publicUrl, text, link }
    return {
      to: mail.to,
      kind: mail.kind,
      subject: text.subject,
      text: plainText(parts),
      html: htmlText(page(parts)),
      link,
    }
  }
}

/** @throws for anything but a path: `//host` would be another site's */
function linkTo(publicUrl: string, path: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) throw new Error('the link of a mail is no path')
  return `${publicUrl}${path}`
}

interface Parts extends RenderConfig {
  text: MailText
  link: string | null
}

function plainText({ brand, publicUrl, text, link }: Parts): string {
  const button = text.button === undefined ? [] : [`${text.button.label}:\n${link}`]
  const end = `--\n${brand} · ${publicUrl}\n`
  return [...text.paragraphs, ...button, text.reason, end].join('\n\n')
}

const BODY = 'margin:0;padding:24px 12px;background:#f4f4f5;'
const CARD =
  'max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;' +
  'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#18181b;'
const NAME = 'margin:0 0 24px;font-size:14px;font-weight:600;color:#52525b;'
const HEADING = 'margin:0 0 16px;font-size:20px;line-height:1.3;'
const PARAGRAPH = 'margin:0 0 16px;overflow-wrap:anywhere;white-space:pre-line;'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#18181b;color:#ffffff;' +
  'font-weight:600;text-decoration:none;'
const SMALL = 'margin:16px 0 0;font-size:13px;color:#52525b;overflow-wrap:anywhere;'

function page(parts: Parts): Markup {
  const { brand, text } = parts
  const paragraphs = text.paragraphs.map((line) => html`<p style="${PARAGRAPH}">${line}</p>\n`)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${text.subject}</title></head>
<body style="${BODY}"><div style="${CARD}">
<p style="${NAME}">${brand}</p>
<h1 style="${HEADING}">${text.subject}</h1>
${paragraphs}${button(parts)}
<p style="${SMALL}">${text.reason}</p>
</div></body></html>
`
}

function button({ text, link }: Parts): Markup {
  if (text.button === undefined || link === null) return html``
  return html`<p style="${PARAGRAPH}"><a href="${link}" style="${BUTTON}">${text.button.label}</a></p>
<p style="${SMALL}">If the button does not work, open this address: <br><a href="${link}">${link}</a></p>`
}
