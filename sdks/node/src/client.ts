/** The client: all resources of the API, with one key. */
import { Resources } from './generated/resources.ts'
import { createRequest, type RequestConfig } from './request.ts'

export interface PosthornOptions {
  apiKey: string
  /** The installation's URL, as `https://hooks.example.com`. */
  baseUrl: string
  /** For all attempts of a call together. Default: 60 s, which a long poll needs. */
  timeoutMs?: number
  /** Attempts after the first. Default: 3. */
  maxRetries?: number
  fetch?: typeof fetch
}

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 3

export class Posthorn extends Resources {
  /** Throws a TypeError that names the option at fault. */
  constructor(options: PosthornOptions) {
    super(createRequest(toConfig(options)))
  }
}

function toConfig({ apiKey, baseUrl, ...options }: PosthornOptions): RequestConfig {
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey is missing')
  if (!/^https?:\/\//.test(String(baseUrl)) || !URL.canParse(baseUrl))
    throw new TypeError('baseUrl must be an http(s) URL')
  const { timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be above 0')
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new TypeError('maxRetries must be a whole number from 0 on')
  const fetchOf = options.fetch ?? globalThis.fetch
  return { apiKey, baseUrl, timeoutMs, maxRetries, fetch: fetchOf, random: Math.random }
}
