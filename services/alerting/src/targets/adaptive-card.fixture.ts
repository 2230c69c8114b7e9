/**
 * Whether a message for Teams is what it takes: its envelope, and the card by Microsoft's schema.
 */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

const schema = JSON.parse(
  readFileSync(new URL('adaptive-card-1.4.fixture.json', import.meta.url), 'utf8'),
) as object
const validCard = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema)

/** @returns what is wrong with it */
export function validTeamsMessage(message: unknown): string[] {
  const { type, attachments } = message as { type?: unknown; attachments?: unknown }
  if (type !== 'message' || !Array.isArray(attachments) || attachments.length !== 1) {
    return ['the message is no envelope of one attachment']
  }
  const [{ contentType, content }] = attachments as [{ contentType: unknown; content: unknown }]
  if (contentType !== 'application/vnd.microsoft.card.adaptive') return ['it is no card']
  if (validCard(content)) return []
  return (validCard.errors ?? []).map(({ instancePath, message: why }) => `${instancePath}: ${why}`)
}
