/**
 * Teams: an Adaptive Card, which both its workflows and its older connectors take. A workflow says
 * 202 before it has run; an older connector says 200 and puts the error in the body.
 */
import type { GuardedResponse } from '@posthorn/egress/guarded-client'
import { classifyAnswer, classifyStatus, errorText, failedFor } from './answers.ts'
import { colorOf, type ColorName } from './colors.ts'
import { cutText } from './escape.ts'
import type { Notification, TargetResult } from './target.ts'

const MAX_TITLE = 1_024
const MAX_TEXT = 20_000
/** Teams takes 28 KB, of which some goes to its own envelope. */
const MAX_BYTES = 27_000

const COLORS: Readonly<Record<ColorName, string>> = {
  good: 'Good',
  warning: 'Warning',
  danger: 'Attention',
  info: 'Accent',
}

export function teamsBody(notification: Notification): string {
  let most = MAX_TEXT
  let body = bodyOf(notification, most)
  // JSON takes up to six bytes for a code point.
  while (Buffer.byteLength(body) > MAX_BYTES) {
    most = Math.floor(most * 0.8)
    body = bodyOf(notification, most)
  }
  return body
}

function bodyOf(notification: Notification, maxText: number): string {
  const title = {
    type: 'TextBlock',
    text: cutText(notification.title, MAX_TITLE),
    weight: 'Bolder',
    size: 'Medium',
    color: COLORS[colorOf(notification).name],
    wrap: true,
  }
  const text = { type: 'TextBlock', text: cutText(notification.text, maxText), wrap: true }
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [title, text],
        },
      },
    ],
  })
}

export function readTeamsAnswer(answer: GuardedResponse): TargetResult {
  if (answer.outcome === 'error' || answer.statusCode !== 200) return classifyAnswer(answer)
  // An older connector that posted the message answers `1`.
  const status = /HTTP error (\d{3})/i.exec(answer.body)?.[1]
  if (status !== undefined) {
    const outcome = classifyStatus(Number(status))
    const statusCode = Number(status)
    return { outcome, statusCode, error: errorText(answer), retryAfterMs: null }
  }
  return /error|failed|invalid/i.test(answer.body) ? failedFor(answer) : classifyAnswer(answer)
}
