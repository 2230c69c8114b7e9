/** Wires the outbox: the way out from the settings, and the worker to its rows. */
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Settings } from '@posthorn/runtime/config'
import { finishMail, purgeMails, retryMail, takeMails } from '@posthorn/store/mails'
import type { Pool } from '@posthorn/store/pool'
import { createMailWorker, type MailWorker, type TakenMail } from './mail-worker.ts'
import { createRenderMail, type RenderConfig } from './render-mail.ts'
import {
  createLoggedSender,
  createSmtpSender,
  type OutgoingMail,
  type SendMail,
} from './send-mail.ts'

/**
 * @param keep gets each mail, where there is no server to send it through
 * @throws where `SMTP_URL` is set without `MAIL_FROM`
 */
export function openMailSender(
  settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>,
  publicUrl: string,
  log: Pick<Log, 'info'>,
  keep?: (mail: OutgoingMail) => void,
): SendMail {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url === undefined) return createLoggedSender(log, keep)
  if (from === undefined) throw new Error('Set MAIL_FROM: SMTP_URL needs a sender for its mails.')
  return createSmtpSender({ url, from, publicUrl })
}

export interface OutboxDeps {
  pool: Pool
  sendMail: SendMail
  log: Pick<Log, 'info' | 'warn'>
  metrics: Pick<Metrics, 'count'>
}

export function openMailWorker(
  config: RenderConfig,
  { pool, sendMail: send, log, metrics }: OutboxDeps,
): MailWorker {
  return createMailWorker({
    // What is in the table was written by this version or another, so a kind may be unknown.
    take: async (limit) => (await takeMails(pool, limit)) as TakenMail[],
    finish: (mail, reason) => finishMail(pool, mail, reason),
    tryLater: (mail, delayMs, error) => retryMail(pool, mail, delayMs, error),
    purge: () => purgeMails(pool),
    render: createRenderMail(config),
    send,
    log,
    metrics,
  })
}
