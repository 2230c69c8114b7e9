/**
 * Reading that nobody waits for: it begins when the broker lets it, and the service starts before
 * that. It is for nudges: a periodic check makes up for those that are lost.
 */
import type { MessageOf, TopicName } from '@posthorn/contracts/topics'
import type { Bus, Reader } from './bus.ts'

export interface Listener {
  stop(): Promise<void>
}

/** What is done with each message, by topic. All of the topics are read by `every` instance. */
export type MessageHandlers = { [Name in TopicName]?: (message: MessageOf<Name>) => void }

export interface ListenConfig {
  bus: Pick<Bus, 'subscribe'>
  /** The name of the listening service. */
  group: string
  on: MessageHandlers
  /** Reading could not begin. */
  onError(error: unknown): void
}

/** Each message is a few bytes and done at once. */
const MAX_IN_FLIGHT = 1_000

export function listen({ bus, group, on, onError }: ListenConfig): Listener {
  let reader: Reader | undefined
  let stopped = false
  bus
    .subscribe({
      group,
      topics: Object.keys(on) as TopicName[],
      maxInFlight: MAX_IN_FLIGHT,
      onMessages: (topic, messages) => {
        const onMessage = on[topic] as ((message: unknown) => void) | undefined
        for (const { value, done } of messages) {
          onMessage?.(value)
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
