/** Discord's webhooks: an embed, in which nobody is mentioned whatever its text says. */
import type { GuardedResponse } from '@posthorn/egress/guarded-client'
import { classifyAnswer } from './answers.ts'
import { colorOf } from './colors.ts'
import { cutText } from './escape.ts'
import type { DiscordTarget, Notification, TargetResult } from './target.ts'

const MAX_TITLE = 256
/** With the title it is less than the 6,000 that all embeds of a message may have. */
const MAX_DESCRIPTION = 4_096
const MAX_USERNAME = 80

export function discordBody(notification: Notification, config: DiscordTarget['config']): string {
  const { hex } = colorOf(notification)
  const { username } = config
  return JSON.stringify({
    ...(username === undefined ? {} : { username: cutText(username, MAX_USERNAME) }),
    embeds: [
      {
        title: cutText(notification.title, MAX_TITLE),
        description: cutText(notification.text, MAX_DESCRIPTION),
        color: Number.parseInt(hex.slice(1), 16),
      },
    ],
    allowed_mentions: { parse: [] },
  })
}

/** Without `wait`, Discord says that all is well before it has looked at the message. */
export function discordUrl(webhookUrl: string): string {
  const url = new URL(webhookUrl)
  url.searchParams.set('wait', 'true')
  return url.href
}

/** How long to wait is in the body, to the millisecond; the header has whole seconds. */
export function readDiscordAnswer(answer: GuardedResponse): TargetResult {
  const result = classifyAnswer(answer)
  if (answer.outcome === 'error' || answer.statusCode !== 429) return result
  const seconds = retryAfterOf(answer.body)
  return seconds === null ? result : { ...result, retryAfterMs: Math.ceil(seconds * 1_000) }
}

function retryAfterOf(body: string): number | null {
  try {
    const { retry_after: seconds } = JSON.parse(body) as { retry_after?: unknown }
    return typeof seconds === 'number' && seconds >= 0 ? seconds : null
  } catch {
    return null
  }
}
