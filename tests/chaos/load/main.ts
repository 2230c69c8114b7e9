/**
 * The load of the chaos runs, in a process of its own: it posts, receives, polls, and keeps the
 * ledger.
 */
import { type Ledger, createLedger } from './ledger.ts'
import { startPoller } from './poller.ts'
import type { BeginCommand, LoadCommand } from './protocol.ts'
import { type Sender, startSender } from './sender.ts'
import { startSink } from './sink.ts'

const LOOK_MS = 100

const sink = await startSink()
let ledger: Ledger = createLedger()
let sender: Sender | undefined
let pollers: { stop(): Promise<void> }[] = []
let looking: NodeJS.Timeout | undefined
let stallMs = 0

async function execute(command: LoadCommand): Promise<unknown> {
  switch (command.type) {
    case 'begin':
      return begin(command)
    case 'misbehave':
      return sink.misbehave(command.on)
    case 'phase':
      return ledger.setPhase(command.phase, Date.now())
    case 'stop-sending':
      ledger.setSending(false, Date.now())
      return void sender?.stop()
    case 'status':
      return ledger.status(sender?.open() ?? 0)
    case 'dead':
      return ledger.dead(command.ids)
    case 'report':
      return ledger.report(Date.now(), stallMs)
    case 'end':
      clearInterval(looking)
      await Promise.all(pollers.map((poller) => poller.stop()))
      pollers = []
      return undefined
  }
}

function begin(command: BeginCommand): void {
  ledger = createLedger()
  stallMs = 0
  sink.expect(command.round, command.targets, ledger)
  sink.misbehave(true)
  sender = startSender(command, ledger)
  ledger.setSending(true, Date.now())
  pollers = command.targets
    .filter(({ kind }) => kind === 'poll')
    .map((target) => startPoller(command, target, ledger))
  let lookedAt = performance.now()
  looking = setInterval(() => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - lookedAt - LOOK_MS)
    lookedAt = now
    ledger.noteLate(Date.now())
  }, LOOK_MS)
}

process.on('message', async ({ id, command }: { id: number; command: LoadCommand }) => {
  try {
    process.send?.({ id, answer: (await execute(command)) ?? null })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
})
// A signal from the terminal reaches this process too, but the run still needs it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit())
process.send?.({ port: sink.port })
