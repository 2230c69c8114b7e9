/** HubSpot signs the URL with some of its escapes undone. */
import type { RequestView } from '../request-view.ts'
import { webhookUrl } from '../signed-content.ts'

/** Of : / ? @ ! $ ' ( ) * , ; and no other. */
const UNDONE = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

export function hubspotContent(reading: RequestView, timestamp: string): Buffer[] {
  const { method, body } = reading.request
  const url = webhookUrl(reading).replaceAll(UNDONE, (escaped) => decodeURIComponent(escaped))
  return [Buffer.concat([Buffer.from(method + url), body, Buffer.from(timestamp)])]
}
