/** Hygraph signs a JSON object of its own, in which the body is a text. */
import { isSwelling } from '../read-json.ts'
import type { RequestView } from '../request-view.ts'

export function hygraphContent(reading: RequestView, timestamp: string): string[] {
  const text = reading.request.body.toString('utf8')
  // Bytes that are no text would all be read as the same mark: none of them was signed.
  const isText = Buffer.from(text).equals(reading.request.body)
  if (!isText || isSwelling(reading.request.body) || !/^\d{1,15}$/.test(timestamp)) return []
  const header = reading.header('gcms-signature') ?? ''
  const environment = /(?:^|,)\s*env=([^,]*)/.exec(header)?.[1]?.trim()
  return [
    JSON.stringify({ Body: text, EnvironmentName: environment, TimeStamp: Number(timestamp) }),
  ]
}
