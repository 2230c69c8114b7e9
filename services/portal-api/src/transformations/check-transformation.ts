/**
 * Checks, before a script is saved, that the plan has transformations, and that the script loads
 * and defines `transform`. What it does shows when it runs.
 */
import { requireFeature } from '@posthorn/http/decide-access'
import { badField, unavailable } from '@posthorn/http/errors'
import type { Caller } from '@posthorn/http/handlers'
import type { Sandbox } from '@posthorn/sandbox/sandbox'

export type Compile = Sandbox['compile']

/** @param script as in the body: when it is left out or null there is nothing to check */
export async function checkTransformation(
  { tenantId, plan }: Pick<Caller, 'tenantId' | 'plan'>,
  script: string | null | undefined,
  compile: Compile,
): Promise<void> {
  if (script === undefined || script === null) return
  requireFeature(plan, 'transformations')
  const compiled = await compile(tenantId, script)
  if (compiled.outcome === 'invalid') throw badField('transformation', compiled.reason)
  if (compiled.outcome === 'unavailable') throw unavailable(compiled.detail)
}
