/** The kinds of values that settings have, each read from the text of a variable. */
import { z } from 'zod'

export const Port = z.coerce.number().int().min(0).max(65_535)
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export function list(meaning: string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .describe(meaning)
}

export function bytes(otherwise: number, meaning: string) {
  return z.coerce
    .number()
    .int()
    .min(1_024)
    .max(64 * 1024 * 1024)
    .default(otherwise)
    .describe(meaning)
}

/**
 * How many things of one kind a workspace may have. They are counted for each new one, which takes
 * milliseconds.
 */
export function countOf(otherwise: number, meaning: string) {
  return z.coerce.number().int().min(1).max(100_000).default(otherwise).describe(meaning)
}

/** JSON text. */
export function json(otherwise: string) {
  return z.string().transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: `must be JSON, such as ${otherwise}` })
      return z.NEVER
    }
  })
}
