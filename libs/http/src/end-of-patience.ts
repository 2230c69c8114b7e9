/** Tells a handler that waits when nobody is there any more to read its answer. */
import type { ServerResponse } from 'node:http'

/** @param closing aborted when the server begins to close */
export function endOfPatience(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  closing.addEventListener('abort', abort)
  if (closing.aborted) abort()
  response.once('close', () => {
    closing.removeEventListener('abort', abort)
    abort()
  })
  return controller.signal
}
