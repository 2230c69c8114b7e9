/**
 * `node scripts/healthcheck.mjs`: ends with 0 when the service that has the same HOST and PORT is
 * ready. An image has neither a shell nor curl. It imports nothing, so that it costs little.
 */
/** Less than what Docker allows a check. */
const ANSWER_MS = 2_500

const { HOST = '127.0.0.1', PORT = '8080' } = process.env
const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
const signal = AbortSignal.timeout(ANSWER_MS)
const answer = await fetch(`http://${host}:${PORT}/ready`, { signal }).catch(() => undefined)
process.exitCode = answer?.status === 200 ? 0 : 1
