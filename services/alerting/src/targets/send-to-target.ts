/** Sends a notification to its target: the body by its kind, the way out by the guard. */
import { createGuardedClient, type GuardedResponse } from '@posthorn/egress/guarded-client'
import { createGuardedSockets } from '@posthorn/egress/guarded-sockets'
import type { Lookup } from '@posthorn/egress/resolve-name'
import { classifyAnswer } from './answers.ts'
import { BREAKER_DEFAULTS, type BreakerConfig, createBreakers } from './breakers.ts'
import { discordBody, discordUrl, readDiscordAnswer } from './discord.ts'
import { createSendEmail } from './email.ts'
import { PAGERDUTY_URL, pagerdutyBody, readPagerdutyAnswer } from './pagerduty.ts'
import { readSlackAnswer, slackBody } from './slack.ts'
import type { Notification, SendToTarget, Target, TargetResult } from './target.ts'
import { readTeamsAnswer, teamsBody } from './teams.ts'
import { webhookBody, webhookHeaders } from './webhook.ts'

export interface SendToTargetConfig {
  /** `EGRESS_ALLOW_CIDRS`. */
  allowCidrs: readonly string[]
  /** `REQUIRE_HTTPS`. */
  requireHttps: boolean
  brand: string
  userAgent: string
  /** The operator's mail server: `SMTP_URL` and `MAIL_FROM`. */
  operatorMail?: { url: string; from: string } | undefined
  breaker?: Partial<BreakerConfig>
  /** Other places than the real ones; for tests. */
  smtpPorts?: readonly number[]
  smtpCa?: readonly string[]
  pagerdutyUrl?: string
}

export interface SendToTargetDeps {
  /** Epoch ms. */
  now: () => number
  lookup?: Lookup
}

export interface TargetSender {
  send: SendToTarget
  /** For metrics. */
  breakers(): { breakers: number; open: number }
  close(): void
}

/** What is posted, and how the answer is read. */
interface Posting {
  url: string
  headers: Record<string, string>
  body: string
  read(answer: GuardedResponse): TargetResult
}

const JSON_HEADERS = { 'content-type': 'application/json' }

export function createSendToTarget(
  config: SendToTargetConfig,
  { now, lookup }: SendToTargetDeps,
): TargetSender {
  const { allowCidrs, brand } = config
  const sockets = createGuardedSockets({ allowCidrs }, lookup === undefined ? {} : { lookup })
  const post = createGuardedClient(config, sockets)
  const { smtpPorts, smtpCa: ca, operatorMail } = config
  const ports = smtpPorts ? { ports: smtpPorts } : {}
  const emailConfig = { brand, operator: operatorMail, ca, ...ports }
  const sendEmail = createSendEmail(emailConfig, sockets)
  const breakers = createBreakers({ ...BREAKER_DEFAULTS, ...config.breaker }, now)

  function postingOf(target: Exclude<Target, { type: 'email' }>, message: Notification): Posting {
    switch (target.type) {
      case 'slack': {
        const body = slackBody(message, target.config)
        return { ...posting(target.config.webhookUrl, body), read: readSlackAnswer }
      }
      case 'discord': {
        const body = discordBody(message, target.config)
        return { ...posting(discordUrl(target.config.webhookUrl), body), read: readDiscordAnswer }
      }
      case 'teams':
        return { ...posting(target.config.webhookUrl, teamsBody(message)), read: readTeamsAnswer }
      case 'pagerduty': {
        const body = pagerdutyBody(message, target.config, brand)
        return { ...posting(config.pagerdutyUrl ?? PAGERDUTY_URL, body), read: readPagerdutyAnswer }
      }
      case 'webhook': {
        const body = webhookBody(message)
        const headers = webhookHeaders(message, target.config, body, { brand, now: now() })
        return { url: target.config.url, headers, body, read: classifyAnswer }
      }
    }
  }

  return {
    async send(target, message, { timeoutMs, tenantId: owner }) {
      if (target.type === 'email') {
        const { config: mail } = target
        const run = () => sendEmail(mail, message, { timeoutMs, owner })
        // The operator's server is one for all: no tenant's mails may close it to the others.
        return await breakers.run(`${owner} ${mail.smtpHost ?? 'operator'}`, run)
      }
      const { url, headers, body, read } = postingOf(target, message)
      const host = URL.parse(url)?.host ?? ''
      const run = async () => {
        const answer = await post({ url, headers, body, owner, timeoutMs })
        return withoutSecrets(read(answer), target)
      }
      return await breakers.run(`${owner} ${host}`, run)
    },
    breakers: breakers.counts,
    close() {
      breakers.close()
      sockets.close()
    },
  }
}

function posting(url: string, body: string): Pick<Posting, 'url' | 'headers' | 'body'> {
  return { url, headers: JSON_HEADERS, body }
}

/** A target may repeat in its answer what it was sent, and errors are shown and kept. */
function withoutSecrets(result: TargetResult, { config }: Target): TargetResult {
  if (result.error === null) return result
  let { error } = result
  const secrets = config as Partial<Record<'webhookUrl' | 'url' | 'secret' | 'routingKey', string>>
  for (const secret of [secrets.webhookUrl, secrets.url, secrets.secret, secrets.routingKey]) {
    if (secret === undefined || secret === '') continue
    error = error.replaceAll(secret, '…')
    const path = URL.parse(secret)?.pathname ?? ''
    if (path.length > 8) error = error.replaceAll(path, '…')
  }
  return { ...result, error }
}
