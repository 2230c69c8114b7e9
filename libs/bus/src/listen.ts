/**
 * Reading that nobody waits for: it begins when the broker lets it, and the service starts before
 * that. It is for nudges: a periodic check makes up for those that are lost.
 */
import type { MessageOf, TopicName } from '@posthorn/contracts/topics'
import type { Bus, Reader } from './bus.ts'

export interface Listener {
  stop(): Promise<void>
}

export interface ListenConfig<Name extends TopicName> {
  bus: Pick<Bus, 'subscribe'>
  /** The name of the listening service. */
  group: string
  topic: Name
  onMessage(message: MessageOf<Name>): void
  /** Reading could not begin. */
  onError(error: unknown): void
}

/** Each message is a few bytes and done at once. */
const MAX_IN_FLIGHT = 1_000

export function listen<Name extends TopicName>(config: ListenConfig<Name>): Listener {
  const { bus, group, topic, onMessage, onError } = config
  let reader: Reader | undefined
  let stopped = false
  bus
    .subscribe<Name>({
      group,
      topics: [topic],
      maxInFlight: MAX_IN_FLIGHT,
      onMessages: (_topic, messages) => {
        for (const { value, done } of messages) {
          onMessage(value)
          done()
        }
      },
    })
    .then(async (begun) => {
      reader = begun
      if (stopped) await begun.stop()
    })
    .catch(onError)
  return {
    async stop() {
      stopped = true
      await reader?.stop()
    },
  }
}
