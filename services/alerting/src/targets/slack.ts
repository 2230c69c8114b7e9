/**
 * Slack's incoming webhooks: an attachment, for its colour bar. Webhooks of Slack's own apps ignore
 * `channel`, `username` and `icon_emoji`; older ones, and chats that speak its format, take them.
 */
import type { GuardedResponse } from '@posthorn/egress/guarded-client'
import { classifyAnswer, failedFor } from './answers.ts'
import { colorOf } from './colors.ts'
import { cutText } from './escape.ts'
import type { Notification, SlackTarget, TargetResult } from './target.ts'

/** Slack cuts a longer title, and a longer text in the middle of what it is worth. */
const MAX_TITLE = 1_024
const MAX_TEXT = 8_000

export function slackBody(notification: Notification, config: SlackTarget['config']): string {
  const title = cutText(notification.title, MAX_TITLE)
  const text = cutText(notification.text, MAX_TEXT)
  const { channel, username, iconEmoji } = config
  return JSON.stringify({
    ...(channel === undefined ? {} : { channel }),
    ...(username === undefined ? {} : { username }),
    ...(iconEmoji === undefined ? {} : { icon_emoji: iconEmoji }),
    attachments: [
      {
        color: colorOf(notification).hex,
        title,
        text,
        // What a phone's notification shows.
        fallback: text === '' ? title : cutText(`${title}: ${text}`, MAX_TITLE),
        mrkdwn_in: ['text'],
      },
    ],
  })
}

/** Success is 200 and `ok`; what is wrong otherwise is a word in the body. */
export function readSlackAnswer(answer: GuardedResponse): TargetResult {
  const isRefused =
    answer.outcome === 'response' && answer.statusCode === 200 && answer.body.trim() !== 'ok'
  return isRefused ? failedFor(answer) : classifyAnswer(answer)
}
