/**
 * Mercado Pago signs the id in the query, the id of the request and the time; a part that is missing is left out. Its
 * documents write the id in lower case, its library as it came: either will do. The body is not signed.
 */
import type { RequestView } from '../request-view.ts'

export function mercadoPagoContent(reading: RequestView, timestamp: string): string[] {
  const id = reading.request.url.searchParams.get('data.id') ?? ''
  const ids = [...new Set([id, id.toLowerCase()])]
  return ids.map((one) =>
    [
      ['id', one],
      ['request-id', reading.header('x-request-id') ?? ''],
      ['ts', timestamp],
    ]
      .flatMap(([name, value]) => (value === '' ? [] : `${name}:${value};`))
      .join(''),
  )
}
