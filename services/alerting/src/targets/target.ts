/**
 * What is sent to whom: a notification, the targets that take one, and how sending it ended. Each
 * kind of target has a file of its own beside this one, which turns a notification into that
 * target's body; `send-to-target.ts` picks one.
 *
 * A notification's texts are as the target shows them: data in them was escaped for that kind of
 * target (`escape.ts`) while the templates were rendered. Here they are only cut to length.
 */

export type Severity = 'critical' | 'error' | 'warning' | 'info'

export interface Notification {
  /** A heading, in one line; a mail's subject. */
  title: string
  text: string
  severity: Severity
  /**
   * `#rrggbb`, or `good`, `warning`, `danger`; anything else, or nothing: by status and severity.
   */
  color?: string
  /** `event`: no rule but an event that a connector subscribes to. */
  status: 'firing' | 'resolved' | 'event' | 'test'
  /** Names the incident that a firing opens and its resolve closes. */
  dedupKey?: string
  /** What it is about, for targets that take structured data. */
  fields: Record<string, unknown>
  /** The JSON that a `webhook` sends, as it is; without one, it sends the fields. */
  payload?: string
  /**
   * The same each time that this notification is sent, for receivers that see one twice: the id of
   * its row.
   */
  id?: string
}

/** The fields that Slack's own webhooks ignore are kept, for chats that speak its format. */
export interface SlackTarget {
  type: 'slack'
  config: { webhookUrl: string; channel?: string; username?: string; iconEmoji?: string }
}

export interface DiscordTarget {
  type: 'discord'
  config: { webhookUrl: string; username?: string }
}

export interface TeamsTarget {
  type: 'teams'
  config: { webhookUrl: string }
}

export interface EmailTarget {
  type: 'email'
  config: {
    to: readonly string[]
    /** Without one, the operator's server sends it, and `fromEmail` does not count. */
    smtpHost?: string
    /** 25, 465, 587 or 2525. */
    smtpPort?: number
    smtpUsername?: string
    smtpPassword?: string
    /** An address, or `Name <address>`. */
    fromEmail?: string
  }
}

export interface WebhookTarget {
  type: 'webhook'
  config: { url: string; headers?: Readonly<Record<string, string>>; secret?: string }
}

export interface PagerdutyTarget {
  type: 'pagerduty'
  config: { routingKey: string }
}

/** The configuration is as it was saved, with its secrets opened. */
export type Target =
  | SlackTarget
  | DiscordTarget
  | TeamsTarget
  | EmailTarget
  | WebhookTarget
  | PagerdutyTarget

export type TargetType = Target['type']

export interface TargetResult {
  /** `retry`: the same may succeed later; `failed`: it never will. */
  outcome: 'sent' | 'retry' | 'failed'
  /** The status of the HTTP answer, or the code of the mail server's reply. */
  statusCode: number | null
  /** What went wrong, without any secret, in at most 500 characters. */
  error: string | null
  /** What the target asked for, or what is left of its breaker's pause. */
  retryAfterMs: number | null
  /** Nothing was sent, because the target's breaker is open: it counts as no attempt. */
  isPutOff?: true
}

export type SendToTarget = (
  target: Target,
  notification: Notification,
  /** `tenantId`: one tenant's dead chat service is no other tenant's. */
  options: { timeoutMs: number; tenantId: string },
) => Promise<TargetResult>
