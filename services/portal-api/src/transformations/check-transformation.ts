/**
 * Checks that a script loads and defines `transform` before it is saved. What it does shows when it
 * runs.
 */
import { badField, unavailable } from '@posthorn/http/errors'
import type { Sandbox } from '@posthorn/sandbox/sandbox'

export type Compile = Sandbox['compile']

/** @param script as in the body: when it is left out or null there is nothing to check */
export async function checkTransformation(
  tenantId: string,
  script: string | null | undefined,
  compile: Compile,
): Promise<void> {
  if (script === undefined || script === null) return
  const compiled = await compile(tenantId, script)
  if (compiled.outcome === 'invalid') throw badField('transformation', compiled.reason)
  if (compiled.outcome === 'unavailable') throw unavailable(compiled.detail)
}
