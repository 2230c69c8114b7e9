/**
 * Sends what waits in the outbox, a few mails at once. Each instance has such a worker; a mail
 * belongs to whoever took it, until the end of its lease.
 *
 * A mail that was sent and could not be recorded, because the process was killed in between, is
 * sent once more, with the same Message-ID. One that nobody takes is tried five times, over an hour
 * and a quarter: servers that ask for patience with strangers mean some minutes.
 */
import { createTicker } from '@posthorn/async/ticker'
import { within } from '@posthorn/async/within'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Mail } from './enqueue-mail.ts'
import { MAIL_KINDS } from './mail-texts.ts'
import type { RenderMail } from './render-mail.ts'
import { isRefused, type SendMail } from './send-mail.ts'

/** A mail that this process has taken. */
export interface TakenMail extends Mail {
  id: string
  /** How often it was taken, this time included. */
  attempt: number
}

/** Why a mail is done: it went out, or it never will. */
type MailOutcome = 'sent' | 'refused' | 'failed'

export interface MailWorkerDeps {
  /** Takes mails that are due, and gives this process some time for them. */
  take(limit: number): Promise<TakenMail[]>
  /**
   * Its link, and all else that its text would hold, is gone then.
   * @param reason why it was given up; null: it was sent
   */
  finish(mail: TakenMail, reason: string | null): Promise<void>
  tryLater(mail: TakenMail, delayMs: number, error: string): Promise<void>
  /** Removes some of what nobody needs any more; resolves with how many were removed. */
  purge(): Promise<number>
  render: RenderMail
  send: SendMail
  log: Pick<Log, 'info' | 'warn'>
  metrics: Pick<Metrics, 'count'>
}

export interface MailWorker {
  start(): void
  /** Mails that are not sent within `timeoutMs` are sent again by another. */
  stop(timeoutMs: number): Promise<void>
}

const EVERY_MS = 1_000
const PURGE_EVERY_MS = 60_000
/** Mail servers allow some connections from one client at once. */
const SENDS_AT_ONCE = 4
const MAX_ATTEMPTS = 5
/** The waits after the first, second, third and fourth attempt. */
const BACK_OFF_MS = [10_000, 60_000, 600_000, 3_600_000] as const
export function createMailWorker(deps: MailWorkerDeps): MailWorker {
  const { log } = deps
  const sending = new Set<Promise<void>>()
  const sendOne = createSendOne(deps)

  const sender = createTicker(
    { name: 'mails', everyMs: EVERY_MS, onError: (error) => log.warn('mail.not-taken', { error }) },
    async () => {
      const free = SENDS_AT_ONCE - sending.size
      if (free === 0) return false
      const mails = await deps.take(free)
      for (const mail of mails) {
        const sent: Promise<void> = sendOne(mail).finally(() => sending.delete(sent))
        sending.add(sent)
      }
      if (mails.length < free) return false
      // There may be more: it goes on as soon as one of these is done.
      await Promise.race(sending)
      return true
    },
  )
  const purger = createTicker(
    {
      name: 'old mails',
      everyMs: PURGE_EVERY_MS,
      onError: (error) => log.warn('mail.not-purged', { error }),
    },
    async () => (await deps.purge()) > 0,
  )
  return {
    start() {
      sender.start()
      purger.start()
    },
    async stop(timeoutMs) {
      await Promise.all([
        purger.stop(),
        within(
          timeoutMs,
          sender.stop().then(() => Promise.all(sending)),
        ),
      ])
    },
  }
}

/** Sends a mail and records what came of it; never fails. */
function createSendOne(deps: MailWorkerDeps): (mail: TakenMail) => Promise<void> {
  async function attempt(mail: TakenMail): Promise<{ outcome: MailOutcome; error?: unknown }> {
    // A process that was killed did not record its attempt as failed.
    if (mail.attempt > MAX_ATTEMPTS) return { outcome: 'failed', error: 'it was never recorded' }
    try {
      await deps.send({ ...deps.render(mail), id: mail.id })
      return { outcome: 'sent' }
    } catch (error) {
      return { outcome: isRefused(error) ? 'refused' : 'failed', error }
    }
  }

  async function sendAndRecord(mail: TakenMail): Promise<void> {
    const { outcome, error } = await attempt(mail)
    const reason = outcome === 'sent' ? null : messageOf(error ?? outcome)
    const delayMs = BACK_OFF_MS[mail.attempt - 1]
    if (outcome !== 'failed' || delayMs === undefined) {
      await deps.finish(mail, reason)
      report(mail, outcome, reason)
    } else {
      await deps.tryLater(mail, delayMs, reason ?? outcome)
      report(mail, 'retry', reason)
    }
  }

  function report(mail: TakenMail, outcome: string, error: string | null): void {
    const kind = MAIL_KINDS.includes(mail.kind) ? mail.kind : 'unknown'
    deps.metrics.count('posthorn_mails_total', { kind, outcome })
    const { id: mailId, tenantId, attempt: attempts } = mail
    const fields = {
      mailId,
      kind,
      tenantId,
      attempts,
      outcome,
      ...(error === null ? {} : { error }),
    }
    if (outcome === 'sent') deps.log.info('mail', fields)
    else deps.log.warn('mail', fields)
  }

  return async (mail) => {
    try {
      await sendAndRecord(mail)
    } catch (error) {
      // Its lease ends, and whoever takes it then tries again.
      deps.log.warn('mail.not-recorded', { mailId: mail.id, error })
    }
  }
}

const MAX_ERROR = 500

function messageOf(error: unknown): string {
  return (Error.isError(error) ? error.message : String(error)).slice(0, MAX_ERROR)
}
