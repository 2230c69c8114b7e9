/**
 * Checks on an inbound endpoint that its schema can't express: its platform, its credentials and
 * its paths.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import type { SourceConfig } from '@posthorn/contracts/inbound'
import { compilePath } from '@posthorn/domain/json-path'
import { badField } from '@posthorn/http/errors'
import type { Caller } from '@posthorn/http/handlers'
import { refusal } from '@posthorn/http/refusal'
import type { Preset } from '@posthorn/inbound/preset'
import { findPreset } from '@posthorn/inbound/presets'
import type { Database } from '@posthorn/store/prisma'
import { endpointsOf } from '../endpoints/endpoint-record.ts'
import { sourceConfigProblems } from './source-config.ts'

export async function presetOf(source: string): Promise<Preset> {
  const preset = await findPreset(source)
  if (preset !== null) return preset
  throw badField('source', 'is no platform: GET /api/v1/inbound-presets lists them')
}

export function checkSettings(
  preset: Preset,
  sourceConfig: SourceConfig,
  eventTypeMapping: string | null,
): void {
  const problems: FieldProblem[] = sourceConfigProblems(preset, sourceConfig)
  const path = eventTypeMapping === null ? null : compilePath(eventTypeMapping)
  if (path?.outcome === 'invalid') {
    problems.push({ path: 'eventTypeMapping', message: path.reason })
  }
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
}

/**
 * Each must be an endpoint of the source's own project, because events are fanned out within a
 * project only.
 */
export async function checkDestinations(
  database: Pick<Database, 'endpoint'>,
  caller: Caller,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const where = { ...endpointsOf(caller), projectId, id: { in: [...ids] } }
  const found = await database.endpoint.findMany({ where, select: { id: true } })
  const known = new Set(found.map(({ id }) => id))
  const problems = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `destinationIds.${index}`, message: 'is no endpoint of this project' }],
  )
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
}
