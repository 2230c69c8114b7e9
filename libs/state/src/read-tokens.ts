/**
 * How many tokens buckets have just now, without taking any: those of `token-bucket.ts`, which
 * limit requests, and those of `rate-bucket.ts`, which limit deliveries. Pure.
 */
import type { ReadBucket, TokensLeft } from './state-store.ts'

interface KeptBucket {
  /** When the bucket had `tokens`, in whole microseconds. */
  at: number
  tokens: number
}

const SLACK = 1e-9

/** @param bucket undefined: it is full */
export function tokensLeft(
  bucket: KeptBucket | undefined,
  { of, perSecond }: ReadBucket,
  nowMicros: number,
): TokensLeft {
  const size = of === 'requests' ? Math.max(1, perSecond) : 1 + perSecond / 4
  let tokens = size
  if (bucket !== undefined) {
    const elapsed = Math.max(0, nowMicros - bucket.at)
    tokens = Math.min(size, bucket.tokens + (elapsed * perSecond) / 1e6)
  }
  return {
    tokens: Math.floor(tokens + SLACK),
    resetMs: Math.ceil(((size - tokens) * 1000) / perSecond),
  }
}

/** As the scripts write a bucket: both kinds begin with the time and the tokens. */
export function parseBucket(text: string | null): KeptBucket | undefined {
  const [at, tokens] = text?.split(' ') ?? []
  return at === undefined ? undefined : { at: Number(at), tokens: Number(tokens) }
}
