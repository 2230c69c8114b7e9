/**
 * `posthorn listen`: events for an application on this machine. An endpoint in poll mode stands in
 * for it, so that no port has to be open to the outside, and events wait there while nobody
 * listens. An event is acknowledged once the application has answered 2xx, so one that it had when
 * this process died comes again.
 */
import { setTimeout as after } from 'node:timers/promises'
import { type Posthorn, PosthornApiError } from '../../../sdks/node/src/posthorn-node.ts'
import { connect, findBrand, type GlobalOptions } from '../connect.ts'
import { usage } from '../failure.ts'
import type { Output } from '../output.ts'
import { timeOfDay } from '../points-in-time.ts'
import { clipped } from '../terminal-text.ts'
import { createEventLoop, type FetchedEvent, type Forwarded } from './event-loop.ts'
import { createForwardEvent, targetUrl } from './forward-event.ts'
import {
  fingerprint,
  LISTENER_DESCRIPTION,
  type ListenerState,
  type ListenerStore,
  listenerStore,
} from './listener-state.ts'
import { createPollClient } from './poll-client.ts'
import { withPayloadTexts } from './raw-payloads.ts'
import { waitUntilSettled } from './settle.ts'

export interface ListenOptions extends GlobalOptions {
  events?: string
  ordered?: boolean
  concurrency: string
  timeout: string
  insecure?: boolean
  forget?: boolean
  printSecret?: boolean
}

/** As often as an event may be fetched: the most that there is. */
const MAX_FETCHES = 25
const MAX_CONCURRENCY = 100
const MAX_TIMEOUT_SECONDS = 60

export async function listen(
  url: string,
  options: ListenOptions,
  out: Output,
  signal: AbortSignal,
): Promise<void> {
  const target = targetUrl(url)
  const concurrency = wholeNumber(options.concurrency, MAX_CONCURRENCY, '--concurrency')
  const timeoutMs = 1_000 * wholeNumber(options.timeout, MAX_TIMEOUT_SECONDS, '--timeout')
  const { posthorn, account } = await connect(options, out, withPayloadTexts)
  const scope = [account.url, options.project ?? '', options.subAccount ?? '']
  const { workspace = null, apiKey } = account
  const place = { scope: [...scope, workspace?.id ?? fingerprint(apiKey)], target: target.href }
  const store = listenerStore(process.env, place)
  if (options.printSecret === true) return out.text(`${(await store.read()).secret}\n`)
  const unlock = await store.lock()
  try {
    const endpoint = createListenerEndpoint(posthorn, store, options, out)
    await endpoint.open()
    const secret = endpoint.state().secret
    out.hide(secret)
    const brand = account.brand ?? (await findBrand(account.url))
    tellStart(out, endpoint.state(), options, workspace?.name ?? account.url)
    const forwarder = createForwardEvent({
      target,
      secret,
      brand,
      timeoutMs,
      isInsecure: options.insecure === true,
      now: Date.now,
    })
    const client = createPollClient({
      posthorn,
      endpointId: () => endpoint.state().endpointId ?? '',
      renew: endpoint.open,
      status: out.status,
      pause,
      signal,
    })
    const loop = createEventLoop(
      { concurrency, isOrdered: options.ordered === true },
      {
        ...client,
        forward: forwarder.forward,
        report: (event, forwarded) => report(out, event, forwarded),
        pause,
      },
    )
    if (options.ordered === true) {
      const endpointId = endpoint.state().endpointId ?? ''
      await waitUntilSettled({ posthorn, endpointId, status: out.status, pause, signal })
    }
    await loop(signal)
    forwarder.close()
    if (options.forget === true) await endpoint.forget()
  } finally {
    await unlock()
  }
}

function wholeNumber(text: string, max: number, name: string): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max) throw usage(`${name} must be a whole number from 1 to ${max}`)
  return value
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await after(ms, undefined, { signal }).catch(() => {})
}

/** The endpoint that stands in for the application: the one of the last run, or a new one. */
function createListenerEndpoint(
  posthorn: Posthorn,
  store: ListenerStore,
  { events }: ListenOptions,
  out: Output,
) {
  const eventTypes = (events ?? '*').split(',').map((pattern) => pattern.trim())
  let state: ListenerState = { endpointId: null, secret: '', target: '' }

  async function find(): Promise<boolean> {
    if (state.endpointId === null) return false
    try {
      const known = await posthorn.endpoints.get(state.endpointId)
      const isSame = String(known.eventTypes) === String(eventTypes)
      if (!isSame) await posthorn.endpoints.update(known.id, { eventTypes })
      if (known.status !== 'active') await posthorn.endpoints.resume(known.id)
      return true
    } catch (error) {
      if (error instanceof PosthornApiError && error.status === 404) return false
      throw error
    }
  }

  return {
    state: () => state,
    async open() {
      state = await store.read()
      if (await find()) return
      if (state.endpointId !== null)
        out.status('the endpoint of the last run was deleted, with what waited: making a new one')
      const { id } = await posthorn.endpoints.create({
        url: 'poll://posthorn-listen',
        description: clipped(`${LISTENER_DESCRIPTION}${state.target}`, 1_000),
        deliveryMode: 'poll',
        eventTypes,
        signingSecret: state.secret,
        maxRetries: MAX_FETCHES,
      })
      state = { ...state, endpointId: id }
      await store.write(state)
    },
    async forget() {
      if (state.endpointId !== null) await posthorn.endpoints.delete(state.endpointId)
      await store.write({ ...state, endpointId: null })
      out.status('the endpoint is deleted, and nothing waits for the next time')
    },
  }
}

function tellStart(
  out: Output,
  { target, endpointId }: ListenerState,
  { events, forget }: ListenOptions,
  workspace: string,
): void {
  out.status(`listening in ${workspace} for ${events ?? 'all events'}, forwarding to ${target}`)
  out.status(`the secret to verify with: posthorn listen ${target} --print-secret`)
  if (forget !== true)
    out.status(`events wait at endpoint ${endpointId} while this is stopped; --forget deletes it`)
}

function report(out: Output, event: FetchedEvent, forwarded: Forwarded): void {
  const { id, eventType } = event
  const at = new Date()
  const record = { at: at.toISOString(), eventId: id, eventType, ...forwarded }
  const answer = 'error' in forwarded ? forwarded.error : String(forwarded.statusCode)
  const after = AFTER[forwarded.outcome]
  const line = `${timeOfDay(at)}  ${eventType ?? 'direct'}  ${id}  ${clipped(answer, 200)}`
  out.result(record, `${line}  ${forwarded.durationMs} ms${after === '' ? '' : `  (${after})`}`)
}

const AFTER: Readonly<Record<Forwarded['outcome'], string>> = {
  accepted: '',
  refused: 'it comes again',
  failed: 'it comes again',
  unreachable: 'waits for the application',
}
