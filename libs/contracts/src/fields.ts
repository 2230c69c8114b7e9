/**
 * Field types that several bodies and queries share, each with its limits and its error messages.
 */
import { RESERVED_HEADERS } from '@posthorn/domain/reserved-headers'
import { z } from 'zod'

const encoder = new TextEncoder()

export function byteLength(text: string): number {
  return encoder.encode(text).length
}

/** 1 to 255 characters of letters, digits and `. _ - / :`. */
export const EventTypeName = z
  .string()
  .regex(
    /^[A-Za-z0-9._\-/:]{1,255}$/,
    'must be 1 to 255 characters of letters, digits and . _ - / :',
  )

/**
 * An event type that a sender may give. Types of operational events are reserved for the service.
 */
export const SentEventType = EventTypeName.regex(
  /^(?!service\.)/,
  "must not begin with service.: such events are the service's own",
)

/** The characters of an event type, and `*`. */
export const EventTypePattern = z
  .string()
  .regex(
    /^[A-Za-z0-9._\-/:*]{1,255}$/,
    'must be 1 to 255 characters of letters, digits, . _ - / : and *',
  )

const KEY_CHARACTERS = /^[\x20-\x7e]{1,255}$/
/**
 * Prefixes of the keys of events that the service makes itself: inbound webhooks, operational
 * events and tests.
 */
const KEY_NOT_OWN = /^(?!inbound:|service\.|test:)/

/** An idempotency key that a sender may give. */
export const IdempotencyKey = z
  .string()
  .regex(KEY_CHARACTERS, 'must be 1 to 255 printable ASCII characters')
  .regex(KEY_NOT_OWN, "must not begin with inbound:, service. or test:, the service's own")

/** Why a sender can't use this key; null when it can. */
export function idempotencyKeyProblem(key: string): string | null {
  if (KEY_CHARACTERS.test(key) && KEY_NOT_OWN.test(key)) return null
  return IdempotencyKey.safeParse(key).error?.issues[0]?.message ?? null
}

/** Text whose length is counted as JSON Schema counts it, in code points. */
export function textOf(min: number, max: number): z.ZodType<string, string> {
  return z
    .string()
    .superRefine((text, context) => {
      // A code point takes at most two UTF-16 units, so a text of more than twice as many is too
      // long without counting.
      const length = text.length > 2 * max ? text.length : Array.from(text).length
      const message = `must have ${min} to ${max} characters`
      if (length < min || length > max) context.addIssue({ code: 'custom', message })
    })
    .meta({ override: { type: 'string', minLength: min, maxLength: max } })
}

/** Text with a limit on its UTF-8 bytes. OpenAPI can only state the limit on its characters. */
export function textOfBytes(max: number): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => text.length <= max && byteLength(text) <= max, {
      message: `must be at most ${max} bytes of UTF-8`,
    })
    .meta({ override: { type: 'string', maxLength: max } })
}

export const MAX_URL_CHARACTERS = 2_048
/** The egress guard also checks the scheme, user-info and blocked hosts. */
export const DestinationUrl = z
  .string()
  .min(1)
  .max(MAX_URL_CHARACTERS)
  .regex(/^[^\p{Cc}\p{Cs}\s]+$/u, 'must have no spaces or control characters')
  .meta({ override: { type: 'string', format: 'uri', maxLength: MAX_URL_CHARACTERS } })

export const MAX_HEADERS = 50
export const MAX_HEADER_BYTES = 8 * 1024

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/**
 * RFC 9110 allows visible characters, space and tab. Its obs-text is refused because it has no
 * agreed encoding.
 */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/** Headers added to a delivery. `brand` is the word in the service's own `X-Service-*` headers. */
export function headersField(brand: string): z.ZodType<Record<string, string>> {
  const own = `x-${brand.toLowerCase()}-`
  const schema = headersSchema([own, ...RESERVED_HEADERS])
  const record = z.record(z.string(), z.string()).superRefine((headers, context) => {
    const names = Object.keys(headers)
    if (names.length > MAX_HEADERS) {
      context.addIssue({ code: 'custom', message: `must have at most ${MAX_HEADERS} headers` })
    }
    const seen = new Set<string>()
    let bytes = 0
    for (const [name, value] of Object.entries(headers)) {
      // Whatever is accepted is ASCII, a byte a character. What is too large is not looked at.
      bytes += name.length + value.length
      if (bytes > MAX_HEADER_BYTES) break
      const problem = headerProblem(name, value, own, seen)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: [name] })
      seen.add(name.toLowerCase())
    }
    if (bytes > MAX_HEADER_BYTES) {
      context.addIssue({
        code: 'custom',
        message: `must be at most ${MAX_HEADER_BYTES} bytes in all`,
      })
    }
  })
  return record.meta({ override: schema })
}

/** An object of `max` fields at most. */
export function recordOf<Name extends z.ZodString, Value extends z.ZodType>(
  name: Name,
  value: Value,
  max: number,
): z.ZodRecord<Name, Value> {
  return z
    .record(name, value)
    .refine((record) => Object.keys(record).length <= max, `must have at most ${max} fields`)
    .meta({ also: { maxProperties: max } })
}

/**
 * A schema can't express the limit on the total size, nor that names are unique without regard to
 * case.
 */
function headersSchema(reserved: readonly string[]): object {
  const anyCase = (name: string): string =>
    name.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
  const ours = reserved.map((name) => (name.endsWith('-') ? anyCase(name) : `${anyCase(name)}$`))
  return {
    type: 'object',
    maxProperties: MAX_HEADERS,
    propertyNames: { pattern: `^(?!${ours.join('|')})${HEADER_NAME.source.slice(1)}` },
    additionalProperties: {
      type: 'string',
      pattern: HEADER_VALUE.source,
      maxLength: MAX_HEADER_BYTES,
    },
  }
}

/**
 * For OpenAPI: a body has exactly one of these forms. Each form is named by its first field; its
 * other fields are allowed with that form only.
 */
export function exactlyOneOf(...forms: readonly (readonly string[])[]): object {
  const fields = new Set(forms.flat())
  return {
    oneOf: forms.map((form) => ({
      required: form.slice(0, 1),
      properties: Object.fromEntries(
        [...fields].filter((field) => !form.includes(field)).map((field) => [field, false]),
      ),
    })),
  }
}

function headerProblem(
  name: string,
  value: string,
  own: string,
  seen: ReadonlySet<string>,
): string | null {
  const lower = name.toLowerCase()
  if (!HEADER_NAME.test(name)) return 'is not a header name'
  if (lower.startsWith(own) || RESERVED_HEADERS.has(lower))
    return 'is reserved and set by the service'
  if (seen.has(lower)) return 'is given twice'
  if (!HEADER_VALUE.test(value))
    return 'must have a value of visible ASCII characters, spaces and tabs'
  return null
}

/** A JSON object with any members. */
export const JsonObject: z.ZodType<Record<string, unknown>, Record<string, unknown>> = z
  // A record schema would visit and copy each member, which takes 30 ms for the 60,000 that a
  // payload may have.
  .unknown()
  .refine((value): value is Record<string, unknown> => isObject(value), 'must be an object')
  .meta({ override: { type: 'object', additionalProperties: {} } }) as never

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const Timestamp = z.iso.datetime({ offset: true })

/** A whole number in a query, where everything is text. */
export function queryInteger(
  min: number,
  max: number,
  otherwise: number,
): z.ZodType<number, string | undefined> {
  const problem = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
    .default(otherwise)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: otherwise } })
}

/** `limit` and `cursor`, for every list without rules of its own. */
export const Cursor = z
  .string()
  // 16 bytes in base64url: the last character carries two bits.
  .meta({ override: { type: 'string', pattern: '^[A-Za-z0-9_-]{21}[AQgw]$' } })

export const PageQuery = z.object({
  limit: queryInteger(1, 100, 20),
  cursor: Cursor.optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    pagination: z.object({ hasMore: z.boolean(), cursor: z.string().nullable() }),
  })
}
