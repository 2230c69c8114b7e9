/**
 * Opens what sends spans to the operator's collector. Where there is none, nothing of it is loaded.
 */
import type { Settings } from '@posthorn/runtime/config'
import type { Log } from '@posthorn/runtime/log'
import type { Part } from '@posthorn/runtime/run'
import { createTracing, type Tracing } from '@posthorn/runtime/tracing'
import { VERSION } from './version.ts'

export interface OpenTracing {
  tracing: Tracing | undefined
  tracingParts: Part[]
}

export async function openTracing(
  settings: Settings,
  service: string,
  log: Pick<Log, 'warn'>,
): Promise<OpenTracing> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return { tracing: undefined, tracingParts: [] }
  const { createOtlpExporter } = await import('@posthorn/runtime/otlp-exporter')
  const headers = settings.OTEL_EXPORTER_OTLP_HEADERS.map((header) => {
    const at = header.indexOf('=')
    return [header.slice(0, at).trim(), decodeURIComponent(header.slice(at + 1).trim())] as const
  })
  const exporter = createOtlpExporter(
    {
      endpoint,
      headers: Object.fromEntries(headers),
      serviceName: `posthorn-${service}`,
      version: VERSION,
    },
    (spans, because) => log.warn('spans.lost', { spans, error: because }),
  )
  return {
    tracing: createTracing(settings.OTEL_TRACES_SAMPLER_ARG, exporter.add),
    tracingParts: [{ name: 'tracing', stop: () => exporter.stop() }],
  }
}
