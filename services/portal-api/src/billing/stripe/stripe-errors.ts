/**
 * What Stripe refuses, told to our caller: whether a card was declined, or Stripe could not be
 * reached. Everything else is a mistake of ours or of the operator, and goes into the log.
 */
import { ApiError } from '@posthorn/contracts/errors'

const NOT_THERE = ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError']

export async function withStripeErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (cause) {
    const { type, message } = (cause ?? {}) as { type?: unknown; message?: unknown }
    if (type === 'StripeCardError') {
      throw new ApiError('INVALID_STATE', `the payment failed: ${String(message)}`, { cause })
    }
    if (NOT_THERE.includes(String(type))) {
      throw new ApiError('UNAVAILABLE', 'the billing provider does not answer; try again', {
        cause,
      })
    }
    throw cause
  }
}

export function nullWhereMissing(error: unknown): null {
  if ((error as { code?: unknown } | null)?.code === 'resource_missing') return null
  throw error
}
